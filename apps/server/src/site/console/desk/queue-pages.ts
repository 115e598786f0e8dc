import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { forbidden, invalidField, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { Id } from '../../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { parseIsoDatetime } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { deskActions, deskQueue, requireDesk } from '../../../newsroom/desk/index.ts';
import { form, instant, notice } from '../../shell/form-controls.ts';
import { ago } from '../components/moments.ts';
import { badge, buttonLink, card, emptyState, tabs } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberPage } from '../console-route.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import {
  deskForm,
  deskPage,
  enterDesk,
  formOf,
  formProperties,
  formState,
  refusalNotice,
  requireDone,
} from './desk-frame.ts';

const QueueQuery = closedObject({
  kind: Type.Optional(Type.Enum([...deskQueue.queueKinds])),
  done: Type.Optional(Type.Literal('1')),
});
const ReasonForm = closedObject({
  ...formProperties,
  kind: Type.Optional(Type.Enum([...deskQueue.queueKinds])),
  reason: Type.Optional(Type.String({ maxLength: 500 })),
  until: Type.Optional(Type.String({ maxLength: 20 })),
});

const shownMax = 50;

/** What needs a person, and the decisions about entries that are not published. */
export function queuePages(tools: DeskTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path: '/desk',
      operationId: 'showDesk',
      query: QueueQuery,
      problems: [forbidden, notFound],
      show: async ({ visitor, query }) =>
        queuePage(await enterDesk(tools, visitor), query.kind, { isDone: query.done !== undefined }),
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
    decision(tools, 'dismiss', ({ editor }, id, { form: state }) => editor.dismissEntry({ id, ...state })),
  ];
}

type EntryAction = 'accept' | 'reject' | 'hold' | 'release' | 'drop' | 'dismiss';

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
    async (visit, id, body) => {
      const given = { reason: (body.reason ?? '').trim(), until: untilOf(body.until), form: formOf(body) };
      requireDone(visit.words, await decide(visit, id as Id<'item'>, given));
      return { to: body.kind === undefined ? '/desk?done=1' : `/desk?kind=${body.kind}&done=1` };
    },
    (visit, _id, body, problem) => queuePage(visit, body.kind, { problem }),
  );
}

/** Of a field for local time, which means UTC here. */
function untilOf(text = ''): EpochMicroseconds | null {
  if (text.trim() === '') return null;
  const at = parseIsoDatetime(`${text.trim().slice(0, 16)}:00Z`);
  if (!at.ok) throw invalidField('until', 'must be a date and time');
  return at.value;
}

async function queuePage(
  visit: DeskVisit,
  asked: deskQueue.QueueKind | undefined,
  { isDone = false, problem }: { readonly isDone?: boolean; readonly problem?: ProblemError },
): Promise<PersonalPage> {
  const { tools, words, actor } = visit;
  requireDesk(actor, deskActions.queue.read, 'queue');
  const counts = await deskQueue.countQueue(tools.desk.database, shownMax);
  const kind = asked ?? deskQueue.queueKinds.find((one) => counts[one] > 0) ?? 'instruction';
  const entries = await deskQueue.listQueue(tools.desk.database, kind, shownMax);
  const versions = await deskQueue.readEntryVersions(
    tools.desk.database,
    entries.map(({ id }) => id),
  );
  const views = deskQueue.queueKinds.map((one) => ({
    href: `/desk?kind=${one}`,
    label: `${words.queue.kinds[one]} (${counts[one]}${counts[one] === shownMax ? '+' : ''})`,
    isCurrent: one === kind,
  }));
  return deskPage(visit, {
    section: 'queue',
    title: words.title,
    lead: html`${words.queue.lead}`,
    tabs: tabs(words.sections.queue, views),
    main: html`!${isDone ? notice('good', html`${words.done}`) : ''} !${refusalNotice(visit, problem)}
      <p>${words.queue.rule[kind]}</p>
      !${
        entries.length === 0
          ? emptyState({ icon: 'check', title: words.queue.none, text: words.queue.noneText })
          : entries.map((entry) => entryCard(visit, entry, versions.get(entry.id)))
      }`,
  });
}

function entryCard(visit: DeskVisit, entry: deskQueue.QueueEntry, version = ''): string {
  const { words, visitor, tools } = visit;
  const now = tools.desk.clock.now();
  const state = entry.isPublished ? words.queue.published : words.queue.notPublished;
  return card({
    title: entry.title === '' ? entry.url : entry.title,
    action: html`!${badge(entry.isPublished ? 'good' : 'off', state)}
    !${entry.isPublished ? buttonLink({ href: `/desk/items/${entry.id}`, label: words.buttons.open, small: true }) : ''}`,
    isPadded: true,
    content: html`<p>
        ${entry.sourceName}, !${ago(entry.at, now, visitor.language)}.
        <a href="${entry.url}" rel="nofollow noreferrer">${words.item.original}</a>
      </p>
      !${entry.evidence.map((text) => html`<blockquote>${text}</blockquote>`)} !${groupingOf(visit, entry)}
      !${entry.until === null ? '' : html`<p>${words.queue.until} !${instant(entry.until)}</p>`}
      !${actionsOf(visit, entry, version)}`,
  });
}

function groupingOf({ words }: DeskVisit, { grouping }: deskQueue.QueueEntry): string {
  if (grouping === null) return '';
  const { joined, otherId, otherTitle, likelihood } = grouping;
  return html`<p>
    ${joined ? words.queue.joined : words.queue.opened}
    <a href="/desk/stories/${otherId}">${otherTitle}</a>,
    ${words.queue.likelihood(Math.round(likelihood * 100))}
  </p>`;
}

/** Without the permission, the evidence alone. */
function actionsOf(
  visit: DeskVisit,
  { kind, id, isPublished, grouping }: deskQueue.QueueEntry,
  version: string,
): string {
  if (!visit.may(deskActions.queue.decide, 'queue', id)) return '';
  const { words } = visit;
  const simple = (action: EntryAction): string =>
    form({
      action: `/desk/entries/${id}/${action}`,
      submit: words.buttons[action],
      fields: html`!${formState(visit, version)}<input type="hidden" name="kind" value="${kind}" />`,
      small: true,
    });
  const explained = (action: EntryAction, extra = ''): string =>
    html`<details class="confirmed">
      <summary>${words.buttons[action]}</summary>
      !${form({
        action: `/desk/entries/${id}/${action}`,
        submit: words.buttons[action],
        fields: html`!${formState(visit, version)}<input type="hidden" name="kind" value="${kind}" />
          !${extra}
          <label
            >${action === 'reject' ? words.fields.publicReason : words.fields.privateReason}
            <input name="reason" required maxlength="500" autocomplete="off"
          /></label>`,
        dangerous: action === 'reject' || action === 'drop',
      })}
    </details>`;
  const until = html`<label>${words.fields.until} <input type="datetime-local" name="until" /></label>
    <p class="hint">${words.fields.untilHint}</p>`;
  if (kind === 'instruction')
    return html`!${simple('accept')} !${explained('reject')} !${isPublished ? '' : explained('hold', until)}`;
  if (kind === 'held') return html`!${simple('release')} !${explained('drop')}`;
  if (kind === 'failed') return html`!${explained('hold', until)} !${explained('drop')}`;
  return html`!${groupingLink(visit, id, grouping)} !${simple('dismiss')}`;
}

/** An item that joined is split off; a story that was opened is merged. */
function groupingLink({ words }: DeskVisit, id: string, grouping: deskQueue.QueueEntry['grouping']): string {
  if (grouping === null || grouping.storyId === null) return '';
  const { joined, storyId, otherId } = grouping;
  return joined
    ? buttonLink({ href: `/desk/stories/${storyId}?split=${id}`, label: words.buttons.split })
    : buttonLink({ href: `/desk/stories/${storyId}?with=${otherId}`, label: words.buttons.merge });
}
