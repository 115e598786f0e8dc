import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { callers } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { forbidden, invalidField, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { Id } from '../../../foundation/ids.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { deskActions, deskQueue, requireDesk } from '../../../newsroom/desk/index.ts';
import { categories } from '../../../record/index.ts';
import { field, form, instant, select, typedText } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { ago } from '../components/moments.ts';
import { badge, beside, card, facts } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { IdParams, defineMemberPage } from '../console-route.ts';
import { checkRoute } from './check-route.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import {
  deskForm,
  deskPage,
  DeskRefusal,
  enterDesk,
  formOf,
  formProperties,
  formState,
  linesOf,
  refusalNotice,
  requireDone,
} from './desk-frame.ts';
import { checkCard, checked, sourceCard } from './item-parts.ts';
import { doneNotice, journalCard } from './journal-pages.ts';
import { entryPath, explainedForm, simpleForm } from './queue-card.ts';

const DoneQuery = closedObject({ done: Type.Optional(Type.Literal('1')) });
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const EditForm = closedObject({
  ...formProperties,
  title: text(300),
  summary: text(2_000),
  category: Type.Optional(Type.Enum([...categories])),
  unverified: text(400),
  check: Type.Optional(Type.Literal('1')),
});
type Edit = Static<typeof EditForm>;

/** An entry before its publication: its words, and whether it is published. */
export function entryPages(tools: DeskTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path: '/desk/entries/{id}',
      operationId: 'showDeskEntry',
      params: IdParams,
      query: DoneQuery,
      problems: [forbidden, notFound],
      show: async ({ visitor, params, query }) => {
        const visit = await enterDesk(tools, visitor);
        const { state } = await requireEntry(visit, params.id);
        if (state.isPublished) return { to: `/desk/items/${params.id}` };
        return entryPage(visit, params.id, { isDone: query.done !== undefined });
      },
    }),
    editForm(tools),
    checkRoute(tools, {
      path: '/desk/entries/{id}/check',
      operationId: 'checkEntryOnDesk',
      params: IdParams,
      body: EditForm,
      check: async (visit, { params, body: { title, summary } }) => {
        const entry = await requireEntry(visit, params.id);
        const current = wordsOfEntry(entry);
        return visit.editor.checkEntryText(entry.id, {
          title: title ?? current.title,
          body: typedText(summary ?? current.summary, current.summary),
        });
      },
    }),
  ];
}

interface EntryPageOptions {
  readonly isDone?: boolean;
  readonly problem?: ProblemError;
  readonly typed?: Edit;
  /** The result of a check that was requested without saving. */
  readonly findings?: readonly string[];
}

async function requireEntry(visit: DeskVisit, id: string): Promise<deskQueue.DeskEntry> {
  requireDesk(visit.actor, deskActions.queue.read, 'queue', id);
  const entry = await deskQueue.readDeskEntry(visit.tools.desk.database, id as Id<'item'>);
  if (entry === null) throw callers.notFoundOrHidden();
  return entry;
}

/** The words that would be published. */
function wordsOfEntry({
  state,
  byRule,
}: deskQueue.DeskEntry): Required<Pick<Edit, 'title' | 'summary' | 'category'>> {
  const { title, summary, category } = state.words ?? { title: null, summary: null, category: null };
  return {
    title: title ?? byRule.title,
    summary: summary ?? byRule.summary,
    category: category ?? byRule.category,
  };
}

export async function entryPage(
  visit: DeskVisit,
  id: string,
  options: EntryPageOptions,
): Promise<PersonalPage> {
  const { may, editor } = visit;
  const entry = await requireEntry(visit, id);
  const { typed } = options;
  const current = wordsOfEntry(entry);
  const findings =
    options.findings ??
    (await editor.checkEntryText(entry.id, {
      title: typed?.title ?? current.title,
      body: typed?.summary ?? current.summary,
    }));
  const typedLines = typed === undefined ? [] : [typed.title ?? '', typed.summary ?? ''];
  return deskPage(visit, {
    section: 'queue',
    about: { kind: 'entry', id },
    title: entry.title === '' ? entry.url : entry.title,
    main: html`!${await doneNotice(visit, options.isDone === true, entryPath(id))}
    !${refusalNotice(visit, options.problem, typedLines)}
    !${beside(
      html`!${may(deskActions.items.update, 'queue', id) ? editCard(visit, entry, options) : ''}
      !${sourceCard(visit, { sourceTitle: entry.title, sourceText: entry.text })}
      !${await journalCard(visit, id, { back: entryPath(id) })}`,
      html`!${stateCard(visit, entry)} !${checkCard(visit, findings)} !${factsCard(visit, entry)}`,
    )}`,
  });
}

/** Whether it is published, and the decisions about that. */
function stateCard(visit: DeskVisit, entry: deskQueue.DeskEntry): string {
  const { words, may } = visit;
  const { id, state, version, isOffTopic } = entry;
  const [, line = ''] = linesOf(words, state);
  const of = { kind: null, id };
  const isHeld = state.hold !== null;
  const forms = !may(deskActions.queue.decide, 'queue', id)
    ? ''
    : html`<div class="cluster">
        !${isHeld ? simpleForm(visit, of, 'release', version) : ''}
        !${explainedForm(visit, of, 'hold', version)}
        !${state.hold === 'dropped' ? '' : explainedForm(visit, of, 'drop', version)}
      </div>`;
  return card({
    title: words.queue.notPublished,
    action: badge(isHeld ? 'warn' : 'off', isHeld ? say('held') : say('waiting')),
    isPadded: true,
    content: html`<p>${line}</p>
      !${state.until === null ? '' : html`<p>${words.queue.until} !${instant(state.until)}</p>`}
      !${isOffTopic ? html`<p>${say('By rule: not about the AI industry.')}</p>` : ''}
      <p>
        ${say('A worker publishes the entry after its release. The release counts as the time of discovery.')}
      </p>
      !${forms}`,
  });
}

function editCard(
  visit: DeskVisit,
  entry: deskQueue.DeskEntry,
  { typed = {}, problem }: EntryPageOptions,
): string {
  const { words, visitor } = visit;
  const { categories: names } = wordsOf(visitor.language);
  const current = wordsOfEntry(entry);
  const isUnsupported = problem instanceof DeskRefusal && problem.reason === 'unsupported_text';
  const unverified = typed.unverified ?? entry.state.words?.unverified ?? '';
  const fields = [
    formState(visit, entry.version),
    field({ name: 'title', label: words.fields.title, value: typed.title ?? current.title, maxLength: 300 }),
    field({
      name: 'summary',
      label: words.fields.summary,
      value: typed.summary ?? current.summary,
      maxLength: 2_000,
      rows: 5,
    }),
    select({
      name: 'category',
      label: words.fields.category,
      options: categories.map((value) => ({ value, label: names[value] ?? value })),
      chosen: [typed.category ?? current.category],
    }),
    ...(isUnsupported || unverified !== ''
      ? [
          field({
            name: 'unverified',
            label: words.fields.unverified,
            hint: words.fields.unverifiedHint,
            value: unverified,
            maxLength: 400,
            required: false,
          }),
        ]
      : []),
    html`<button type="submit" name="check" value="1" class="quiet">${words.item.checkAgain}</button>`,
  ];
  return card({
    title: words.item.edit,
    text: say('The entry is published with this text. Later edits by the publisher are only proposed.'),
    isPadded: true,
    content: checked(
      `${entryPath(entry.id)}/check`,
      form({ action: `${entryPath(entry.id)}/edit`, submit: say('Save'), fields: fields.join('') }),
    ),
  });
}

function factsCard({ words, tools, visitor }: DeskVisit, entry: deskQueue.DeskEntry): string {
  return card({
    title: words.item.source,
    isPadded: true,
    content: facts([
      [
        words.item.source,
        html`<a href="/desk/sources/${entry.sourceId}">${entry.sourceName}</a>,
          !${ago(entry.discoveredAt, tools.desk.clock.now(), visitor.language)}`,
      ],
      [words.item.original, html`<a href="${entry.url}" rel="nofollow noreferrer">${entry.url}</a>`],
    ]),
  });
}

function editForm(tools: DeskTools): RouteDeclaration {
  return deskForm(
    tools,
    { path: '/desk/entries/{id}/edit', operationId: 'editEntryOnDesk', body: EditForm },
    async (visit, id, body) => {
      const entry = await requireEntry(visit, id);
      const current = wordsOfEntry(entry);
      const title = (body.title ?? current.title).trim();
      const summary = typedText(body.summary ?? current.summary, current.summary).trim();
      if (title === '') throw invalidField('title', 'must not be empty');
      if (body.check !== undefined)
        return entryPage(visit, id, {
          typed: body,
          findings: await visit.editor.checkEntryText(entry.id, { title, body: summary }),
        });
      const { byRule } = entry;
      const unlessByRule = <Value>(value: Value, rule: Value): Value | null =>
        value === rule ? null : value;
      const words = {
        title: unlessByRule(title, byRule.title),
        summary: unlessByRule(summary, byRule.summary),
        category: unlessByRule(body.category ?? current.category, byRule.category),
        unverified: (body.unverified ?? '').trim() === '' ? null : (body.unverified ?? '').trim(),
      };
      requireDone(visit.words, await visit.editor.editEntry({ id: entry.id, words, ...formOf(body) }));
      return { to: `${entryPath(id)}?done=1` };
    },
    (visit, id, body, problem) => entryPage(visit, id, { problem, typed: body }),
  );
}
