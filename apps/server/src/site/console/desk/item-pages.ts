import { html } from 'ghtml';
import { Type } from 'typebox';
import type { Static } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { Id } from '../../../foundation/ids.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { deskReading } from '../../../newsroom/desk/index.ts';
import { deskActions, drafts } from '../../../newsroom/desk/index.ts';
import { explainItem } from '../../../newsroom/index.ts';
import { categories } from '../../../record/index.ts';
import { field, form, hidden, notice, select, typedText } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { ago } from '../components/moments.ts';
import { beside, buttonLink, card, facts } from '../components/parts.ts';
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
  refusalNotice,
  requireDone,
} from './desk-frame.ts';
import { itemPath, requireItem, versionOfItem } from './desk-item.ts';
import { draftPath } from './draft-page.ts';
import { checkCard, checked, sourceCard } from './item-parts.ts';
import { doneNotice, journalCard } from './journal-pages.ts';

const DoneQuery = closedObject({ done: Type.Optional(Type.Literal('1')) });
const reason = Type.Optional(Type.String({ maxLength: 500 }));
const SelectForm = closedObject({ ...formProperties, reason });
const CorrectForm = closedObject({
  ...formProperties,
  title: Type.Optional(Type.String({ maxLength: 300 })),
  summary: Type.Optional(Type.String({ maxLength: 2_000 })),
  category: Type.Optional(Type.Enum([...categories])),
  reason,
  unverified: Type.Optional(Type.String({ maxLength: 400 })),
  check: Type.Optional(Type.Literal('1')),
});
type Correction = Static<typeof CorrectForm>;

export function itemPages(tools: DeskTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path: '/desk/items/{id}',
      operationId: 'showDeskItem',
      params: IdParams,
      query: DoneQuery,
      problems: [forbidden, notFound],
      show: async ({ visitor, params, query }) =>
        itemPage(await enterDesk(tools, visitor), params.id, { isDone: query.done !== undefined }),
    }),
    selectionForm(tools, 'select'),
    selectionForm(tools, 'unselect'),
    correctForm(tools),
    checkRoute(tools, {
      path: '/desk/items/{id}/check',
      operationId: 'checkItemOnDesk',
      params: IdParams,
      body: CorrectForm,
      check: async (visit, { params, body: { title, summary } }) => {
        const item = await requireItem(visit, params.id);
        return visit.editor.checkItemText(item.id, {
          title: title ?? item.title,
          body: typedText(summary ?? item.summary, item.summary),
        });
      },
    }),
  ];
}

interface ItemPageOptions {
  readonly isDone?: boolean;
  readonly problem?: ProblemError;
  readonly typed?: Correction;
  /** The result of a check that was requested without saving. */
  readonly findings?: readonly string[];
}

async function itemPage(visit: DeskVisit, id: string, options: ItemPageOptions): Promise<PersonalPage> {
  const { words, tools, editor, may } = visit;
  const item = await requireItem(visit, id);
  const { typed } = options;
  const findings =
    options.findings ??
    (await editor.checkItemText(item.id, {
      title: typed?.title ?? item.title,
      body: typed?.summary ?? item.summary,
    }));
  const lines = (await explainItem(tools.desk.database, item.id)) ?? [];
  const typedLines =
    typed === undefined ? [] : [typed.title ?? '', typed.summary ?? '', typed.category ?? ''];
  const mayWithdraw = may(deskActions.items.withdraw, 'items', id);
  return deskPage(visit, {
    section: 'items',
    about: { kind: 'item', id },
    title: item.title,
    actions: html`!${buttonLink({ href: `/items/${id}`, label: words.item.publicPage, icon: 'out' })}
    !${mayWithdraw ? buttonLink({ href: `${itemPath(id)}/withdraw`, label: words.buttons.withdraw, kind: 'danger' }) : ''}`,
    main: html`!${await doneNotice(visit, options.isDone === true, itemPath(id))}
    !${refusalNotice(visit, options.problem, typedLines)}
    !${beside(
      html`!${may(deskActions.items.update, 'items', id) ? correctCard(visit, item, options) : readCard(visit, item)}
      !${may(deskActions.items.select, 'items', id) ? selectionCard(visit, item) : ''}
      !${draftsCard(visit, item)} !${await journalCard(visit, id, { back: itemPath(id) })}`,
      html`!${checkCard(visit, findings)} !${factsCard(visit, item)}
      !${lines.length === 0 ? '' : card({ title: words.item.grouping, isPadded: true, content: html`!${lines.map((line) => html`<p>${line}</p>`)}` })}
      !${sourceCard(visit, item)}`,
    )}`,
  });
}

function correctCard(
  visit: DeskVisit,
  item: deskReading.DeskItem,
  { typed = {}, problem }: ItemPageOptions,
): string {
  const { words, visitor } = visit;
  const { categories: names } = wordsOf(visitor.language);
  const isUnsupported = problem instanceof DeskRefusal && problem.reason === 'unsupported_text';
  const fields = [
    formState(visit, versionOfItem(item)),
    field({ name: 'title', label: words.fields.title, value: typed.title ?? item.title, maxLength: 300 }),
    field({
      name: 'summary',
      label: words.fields.summary,
      value: typed.summary ?? item.summary,
      maxLength: 2_000,
      rows: 5,
    }),
    select({
      name: 'category',
      label: words.fields.category,
      options: categories.map((value) => ({ value, label: names[value] ?? value })),
      chosen: [typed.category ?? item.category],
    }),
    field({
      name: 'reason',
      label: words.fields.publicReason,
      value: typed.reason ?? '',
      maxLength: 500,
      autocomplete: 'off',
      required: false,
    }),
    ...(isUnsupported || (typed.unverified ?? '') !== ''
      ? [
          field({
            name: 'unverified',
            label: words.fields.unverified,
            hint: words.fields.unverifiedHint,
            value: typed.unverified ?? '',
            maxLength: 400,
            required: false,
          }),
        ]
      : []),
    html`<button type="submit" name="check" value="1" class="quiet">${words.item.checkAgain}</button>`,
  ];
  return card({
    title: words.item.edit,
    isPadded: true,
    content: html`!${proposalNotice(visit, item)}
    !${checked(
      `${itemPath(item.id)}/check`,
      form({ action: `${itemPath(item.id)}/correct`, submit: words.buttons.save, fields: fields.join('') }),
    )}`,
  });
}

function proposalNotice(
  { words }: DeskVisit,
  { proposedTitle, proposedSummary }: deskReading.DeskItem,
): string {
  const proposed = [proposedTitle, proposedSummary].filter((text) => text !== null);
  if (proposed.length === 0) return '';
  return notice(
    'plain',
    html`<strong>${words.item.proposal}.</strong> ${words.item.proposalText} <br />${proposed.join(' — ')}`,
  );
}

function readCard({ words }: DeskVisit, item: deskReading.DeskItem): string {
  return card({ title: words.item.edit, isPadded: true, content: html`<p>${item.summary}</p>` });
}

function selectionCard(visit: DeskVisit, item: deskReading.DeskItem): string {
  const { words } = visit;
  const action = item.selected ? 'unselect' : 'select';
  return card({
    title: item.selected ? words.item.selected : words.item.notSelected,
    ...(item.reason !== null && { text: item.reason }),
    isPadded: true,
    content: html`<div data-key="s">
      !${form({
        action: `${itemPath(item.id)}/${action}`,
        submit: words.buttons[action],
        fields: html`!${formState(visit, versionOfItem(item))}
          <label
            >${item.selected ? words.fields.privateReason : words.fields.publicReason}
            <input name="reason" required maxlength="500" autocomplete="off"
          /></label>`,
      })}
    </div>`,
  });
}

/** Adds the item to a draft that is open now. */
function draftsCard(visit: DeskVisit, { id }: deskReading.DeskItem): string {
  const open = drafts
    .openDrafts(visit.tools.desk.clock.now())
    .filter(({ kind, period }) => visit.may(deskActions.editions.compose, 'editions', `${kind}-${period}`));
  if (open.length === 0) return '';
  return card({
    title: say('Add to the draft'),
    text: say('The item appears in the draft, where editors can move or drop it.'),
    isPadded: true,
    content: html`!${open.map((draft) =>
      form({
        action: `${draftPath(draft)}/add`,
        submit: addLabel(draft),
        fields: html`!${formState(visit)}!${hidden('item', id)}`,
      }),
    )}`,
  });
}

function addLabel({ kind, period }: drafts.OpenDraft): string {
  if (kind === 'daily') return say('Add to the draft of the daily {period}', { period });
  return kind === 'weekly'
    ? say('Add to the draft of the weekly {period}', { period })
    : say('Add to the draft of the monthly {period}', { period });
}

function factsCard({ words, tools, visitor }: DeskVisit, item: deskReading.DeskItem): string {
  const { storyId } = item;
  return card({
    title: words.item.source,
    isPadded: true,
    content: facts([
      [
        words.item.source,
        html`${item.sourceName}, !${ago(item.discoveredAt, tools.desk.clock.now(), visitor.language)}`,
      ],
      [
        words.item.original,
        html`<a href="${item.originalUrl}" rel="nofollow noreferrer">${item.originalUrl}</a>`,
      ],
      [words.item.score, html`${String(item.score ?? '–')}`],
      ...(storyId === null
        ? []
        : [
            [
              words.item.story,
              html`<a href="/desk/stories/${storyId}" data-key="m">${item.storyTitle ?? ''}</a>`,
            ] as const,
          ]),
    ]),
  });
}

function selectionForm(tools: DeskTools, action: 'select' | 'unselect'): RouteDeclaration {
  return deskForm(
    tools,
    { path: `/desk/items/{id}/${action}`, operationId: `${action}ItemOnDesk`, body: SelectForm },
    async ({ editor, words }, id, body) => {
      const request = { itemId: id as Id<'item'>, reason: (body.reason ?? '').trim(), ...formOf(body) };
      requireDone(
        words,
        await (action === 'select' ? editor.selectItem(request) : editor.unselectItem(request)),
      );
      return { to: `${itemPath(id)}?done=1` };
    },
    (visit, id, _body, problem) => itemPage(visit, id, { problem }),
  );
}

function correctForm(tools: DeskTools): RouteDeclaration {
  return deskForm(
    tools,
    { path: '/desk/items/{id}/correct', operationId: 'correctItemOnDesk', body: CorrectForm },
    async (visit, id, body) => {
      const item = await requireItem(visit, id);
      const { title = item.title, category = item.category, check, unverified = '' } = body;
      const summary = typedText(body.summary ?? item.summary, item.summary);
      if (check !== undefined)
        return itemPage(visit, id, {
          typed: body,
          findings: await visit.editor.checkItemText(item.id, { title, body: summary }),
        });
      const changes = {
        ...(title.trim() !== item.title && { title: title.trim() }),
        ...(summary.trim() !== item.summary && { summary: summary.trim() }),
        ...(category !== item.category && { category }),
      };
      const done = await visit.editor.correctItem({
        itemId: item.id,
        changes,
        reason: (body.reason ?? '').trim(),
        ...(unverified.trim() !== '' && { unverified: unverified.trim() }),
        ...formOf(body),
      });
      requireDone(visit.words, done);
      return { to: `${itemPath(id)}?done=1` };
    },
    (visit, id, body, problem) => itemPage(visit, id, { problem, typed: body }),
  );
}
