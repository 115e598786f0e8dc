import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, invalidField, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { Id } from '../../../foundation/ids.ts';
import { idForm } from '../../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { parseIsoDatetime } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { deskActions, deskQueue, requireDesk } from '../../../newsroom/desk/index.ts';
import { scripts } from '../../shell/assets.ts';
import { hidden, notice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { emptyState, tabs } from '../components/parts.ts';
import type { PersonalPage, Shown } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import {
  deskForm,
  deskPage,
  enterDesk,
  formOf,
  formProperties,
  refusalNotice,
  requireDone,
  staleForm,
} from './desk-frame.ts';
import { entryPage } from './entry-pages.ts';
import { doneNotice } from './journal-pages.ts';
import type { EntryAction, QueueKind } from './queue-card.ts';
import { bulkActions, entryCard, entryPath, kindLabel, ruleOf, subjectOf } from './queue-card.ts';
import { mergePath } from './story-list-page.ts';
import { readStoryVersions } from './suggestions.ts';

const kindForm = Type.Enum([...deskQueue.queueKinds]);
const QueueQuery = closedObject({
  kind: Type.Optional(kindForm),
  source: Type.Optional(Type.String({ pattern: idForm.source })),
  cursor: Type.Optional(Type.String({ pattern: `${idForm.source}|^[0-9]{1,18}$` })),
  done: Type.Optional(Type.Literal('1')),
});
const ReasonForm = closedObject({
  ...formProperties,
  kind: Type.Optional(kindForm),
  /** From the page of the entry. */
  from: Type.Optional(Type.Literal('entry')),
  reason: Type.Optional(Type.String({ maxLength: 500 })),
  until: Type.Optional(Type.String({ maxLength: 20 })),
});
const DismissParams = Type.Object({ kind: kindForm, id: Type.String({ pattern: idForm.source }) });
const DismissForm = closedObject(formProperties);

const pageMax = 50;
/** Tabs count no further. */
const countMax = 100;

/** What needs a person, and the decisions about entries that are not published. */
export function queuePages(tools: DeskTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path: '/desk',
      operationId: 'showDesk',
      query: QueueQuery,
      problems: [forbidden, notFound],
      show: async ({ visitor, query }) => {
        const { done, ...asked } = query;
        return queuePage(await enterDesk(tools, visitor), { ...asked, isDone: done !== undefined });
      },
    }),
    decision(tools, 'accept', ({ editor }, id, { form: state }) => editor.acceptEntry(id, state)),
    decision(tools, 'reject', ({ editor }, id, { reason, form: state }) =>
      editor.rejectEntry({ id, reason, ...state }),
    ),
    decision(tools, 'hold', ({ editor }, id, { reason, until, form: state }) =>
      editor.holdEntry({ id, reason, until, ...state }),
    ),
    decision(tools, 'release', ({ editor }, id, { form: state }) => editor.releaseEntry({ id, ...state })),
    decision(tools, 'drop', ({ editor }, id, { reason, form: state }) =>
      editor.dropEntry({ id, reason, ...state }),
    ),
    defineMemberForm(tools, {
      path: '/desk/queue/{kind}/{id}/dismiss',
      operationId: 'dismissOnDesk',
      params: DismissParams,
      body: DismissForm,
      problems: [forbidden, notFound, conflict, staleForm],
      show: async ({ visitor, params, body }) => {
        const { editor, words } = await enterDesk(tools, visitor);
        requireDone(words, await editor.dismiss({ subject: subjectOf(params), ...formOf(body) }));
        return { to: `/desk?kind=${params.kind}&done=1` };
      },
      refused: async ({ visitor, params }, problem) =>
        queuePage(await enterDesk(tools, visitor), { kind: params.kind, problem }),
    }),
  ];
}

interface Given {
  readonly reason: string;
  readonly until: EpochMicroseconds | null;
  readonly form: ReturnType<typeof formOf>;
}

function decision(
  tools: DeskTools,
  action: EntryAction,
  decide: (visit: DeskVisit, id: Id<'item'>, given: Given) => Promise<Parameters<typeof requireDone>[1]>,
): RouteDeclaration {
  return deskForm(
    tools,
    { path: `/desk/entries/{id}/${action}`, operationId: `${action}EntryOnDesk`, body: ReasonForm },
    async (visit, id, body): Promise<Shown> => {
      const given = { reason: (body.reason ?? '').trim(), until: untilOf(body.until), form: formOf(body) };
      requireDone(visit.words, await decide(visit, id as Id<'item'>, given));
      if (body.from === 'entry') return { to: `${entryPath(id)}?done=1` };
      return { to: body.kind === undefined ? '/desk?done=1' : `/desk?kind=${body.kind}&done=1` };
    },
    (visit, id, body, problem) =>
      body.from === 'entry' ? entryPage(visit, id, { problem }) : queuePage(visit, { ...body, problem }),
  );
}

/** Of a field for local time, which means UTC here. */
export function untilOf(text = ''): EpochMicroseconds | null {
  if (text.trim() === '') return null;
  const at = parseIsoDatetime(`${text.trim().slice(0, 16)}:00Z`);
  if (!at.ok) throw invalidField('until', 'must be a date and time');
  return at.value;
}

interface QueuePage {
  readonly kind?: QueueKind | undefined;
  readonly source?: string | undefined;
  readonly cursor?: string | undefined;
  readonly isDone?: boolean;
  readonly problem?: ProblemError;
  /** What a decision about several entries did. */
  readonly said?: string;
}

/** The fullest list that was asked for, or the first with entries. */
export async function queuePage(visit: DeskVisit, page: QueuePage): Promise<PersonalPage> {
  const { tools, words, actor } = visit;
  const { source, cursor, isDone = false, problem, said } = page;
  requireDesk(actor, deskActions.queue.read, 'queue');
  const { database, clock } = tools.desk;
  const now = clock.now();
  const counts = await deskQueue.countQueue(database, { now, countMax });
  const kind = page.kind ?? deskQueue.queueKinds.find((one) => counts[one] > 0) ?? 'instruction';
  const query = { now, after: cursorOf(kind, cursor), sourceId: source, countMax: pageMax + 1 };
  const found = await deskQueue.listQueue(database, kind, query);
  const entries = found.slice(0, pageMax);
  const versions = await deskQueue.readEntryVersions(
    database,
    entries.map(({ id }) => id),
  );
  const stories = await readStoryVersions(visit, entries);
  const views = deskQueue.queueKinds.map((one) => ({
    href: `/desk?kind=${one}`,
    label: labelOf(one, counts[one]),
    isCurrent: one === kind,
  }));
  return deskPage(visit, {
    section: 'queue',
    title: words.sections.queue,
    lead: html`${words.queue.lead}`,
    tabs: tabs(words.sections.queue, views),
    main: html`!${await doneNotice(visit, isDone)}
      !${said === undefined ? '' : notice('plain', html`${said}`)} !${refusalNotice(visit, problem)}
      <p class="rule">${ruleOf(kind)}</p>
      !${
        entries.length === 0
          ? emptyState({ icon: 'check', title: words.queue.none, text: words.queue.noneText })
          : selectable(
              visit,
              kind,
              html`<div class="stack">
                !${entries.map((entry) => entryCard(visit, entry, versions.get(entry.id), stories))}
              </div>`,
            )
      }
      !${pages(visit, { kind, source, cursor, next: found.length > pageMax ? entries.at(-1)?.cursor : undefined })}`,
  });
}

function labelOf(kind: QueueKind, count: number): string {
  if (count === 0) return kindLabel(kind);
  return `${kindLabel(kind)} (${count}${count === countMax ? '+' : ''})`;
}

/** A cursor of another list is ignored. */
function cursorOf(kind: QueueKind, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  return (kind === 'grouping') === /^\d+$/u.test(cursor) ? cursor : undefined;
}

/** The stories of two entries of these lists can be merged. */
const hasStories = (kind: QueueKind): boolean => kind === 'grouping' || kind === 'contradiction';

/** The bar of decisions about several entries; a preview follows. */
function selectable({ may, visitor, words }: DeskVisit, kind: QueueKind, list: string): string {
  const actions = bulkActions[kind];
  if (!may(deskActions.queue.decide, 'queue') || actions.length === 0) return list;
  const { selected } = wordsOf(visitor.language).console;
  return html`<script src="${scripts.selection.path}" defer></script>
    <div data-selects>
      <form method="post" action="/desk/bulk" id="bulk" hidden>!${hidden('kind', kind)}</form>
      !${list}
      <div class="selected" role="region" aria-label="${selected}">
        <span><strong></strong> ${selected}</span>
        !${actions.map(
          (action) =>
            html`<button
              type="submit"
              form="bulk"
              name="action"
              value="${action}"
              class="${action === 'drop' ? 'danger' : ''}"
            >
              ${words.buttons[action]}…
            </button>`,
        )}
        !${
          hasStories(kind) && may(deskActions.stories.merge, 'stories')
            ? html`<button type="submit" form="bulk" formaction="${mergePath}" data-key="m">
                ${words.buttons.merge}…
              </button>`
            : ''
        }
      </div>
    </div>`;
}

function pages(
  { visitor }: DeskVisit,
  {
    kind,
    source,
    cursor,
    next,
  }: {
    readonly kind: QueueKind;
    readonly source: string | undefined;
    readonly cursor: string | undefined;
    readonly next: string | undefined;
  },
): string {
  if (cursor === undefined && next === undefined) return '';
  const words = wordsOf(visitor.language).console;
  const address = (more: Readonly<Record<string, string>>): string =>
    `/desk?${new URLSearchParams({ kind, ...(source !== undefined && { source }), ...more }).toString()}`;
  return html`<nav class="cluster" aria-label="${words.pages}">
    !${cursor === undefined ? '' : html`<a class="btn sm" href="${address({})}">${words.first}</a>`}
    !${next === undefined ? '' : html`<a class="btn sm" href="${address({ cursor: next })}">${say('Older')}</a>`}
  </nav>`;
}
