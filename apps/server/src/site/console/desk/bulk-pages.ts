import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { sha256Bytes } from '../../../foundation/hash.ts';
import { conflict, forbidden, invalidField, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { Id } from '../../../foundation/ids.ts';
import { idForm, uuidFromBytes } from '../../../foundation/ids.ts';
import { deskActions, deskQueue, requireDesk } from '../../../newsroom/desk/index.ts';
import { form, hidden } from '../../shell/form-controls.ts';
import { say, sayCount } from '../../shell/words/say.ts';
import { card, rows } from '../components/parts.ts';
import type { PersonalPage, Shown } from '../console-route.ts';
import { defineMemberForm } from '../console-route.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import { deskPage, enterDesk, formOf, formProperties, formState, requireDone } from './desk-frame.ts';
import type { EntryAction, QueueKind } from './queue-card.ts';
import { bulkActions, embargoField, kindLabel, subjectOf } from './queue-card.ts';
import { queuePage, untilOf } from './queue-pages.ts';

type BulkAction = EntryAction | 'dismiss';

const selectedMax = 100;
const BulkForm = closedObject({
  ...formProperties,
  kind: Type.Enum([...deskQueue.queueKinds]),
  action: Type.Enum(['accept', 'hold', 'release', 'drop', 'dismiss']),
  /** Ids, each with the version that the page showed. */
  entries: Type.Optional(Type.Array(Type.String({ maxLength: 60 }), { maxItems: selectedMax })),
  reason: Type.Optional(Type.String({ maxLength: 500 })),
  until: Type.Optional(Type.String({ maxLength: 20 })),
  confirmed: Type.Optional(Type.Literal('1')),
});
type Sent = Static<typeof BulkForm>;

/** One decision for each of several entries, after a preview of what it does. */
export function bulkPages(tools: DeskTools): readonly RouteDeclaration[] {
  return [
    defineMemberForm(tools, {
      path: '/desk/bulk',
      operationId: 'decideSeveralOnDesk',
      body: BulkForm,
      problems: [forbidden, notFound, conflict],
      show: async ({ visitor, body }) => {
        const visit = await enterDesk(tools, visitor);
        requireDesk(visit.actor, deskActions.queue.decide, 'queue');
        if (!bulkActions[body.kind].includes(body.action))
          throw invalidField('action', say('Choose an action.'));
        const chosen = chosenOf(body);
        if (chosen.length === 0) throw invalidField('entries', say('Select at least one entry.'));
        return body.confirmed === undefined
          ? previewPage(visit, body, chosen)
          : decideAll(visit, body, chosen);
      },
      refused: async ({ visitor, body }, problem) => {
        const visit = await enterDesk(tools, visitor);
        return body.confirmed === undefined
          ? queuePage(visit, { kind: body.kind, problem })
          : previewPage(visit, body, chosenOf(body), problem.detail);
      },
    }),
  ];
}

interface Chosen {
  readonly id: Id<'item'>;
  readonly version: string | undefined;
}

function chosenOf({ entries = [] }: Pick<Sent, 'entries'>): readonly Chosen[] {
  return entries.flatMap((one) => {
    const [id = '', version = ''] = one.split(':');
    if (!idForm.test(id)) return [];
    return [{ id: id as Id<'item'>, version: version === '' ? undefined : version }];
  });
}

function effectOf(action: BulkAction): string {
  return {
    accept: say('Items can be selected. A worker publishes held entries.'),
    reject: '',
    hold: say('The entries are not published until an editor releases them or the embargo ends.'),
    release: say('A worker publishes the entries. The current time counts as the time of discovery.'),
    drop: say('The entries are never published, even if their publishers edit them.'),
    dismiss: say('The entries are not changed and are removed from the queue.'),
  }[action];
}

/** The entries by name: those that are no longer in the queue are left out. */
async function titlesOf(
  { tools }: DeskVisit,
  kind: QueueKind,
  chosen: readonly Chosen[],
): Promise<ReadonlyMap<string, deskQueue.QueueEntry>> {
  const { database, clock } = tools.desk;
  const wanted = new Set<string>(chosen.map(({ id }) => id));
  const found = new Map<string, deskQueue.QueueEntry>();
  for (let after: string | undefined, more = true; more && found.size < wanted.size;) {
    const page = await deskQueue.listQueue(database, kind, { now: clock.now(), after, countMax: 500 });
    for (const entry of page) if (wanted.has(entry.id)) found.set(entry.id, entry);
    after = page.at(-1)?.cursor;
    more = page.length === 500;
  }
  return found;
}

async function previewPage(
  visit: DeskVisit,
  body: Sent,
  chosen: readonly Chosen[],
  why?: string,
): Promise<PersonalPage> {
  const { words } = visit;
  const { kind, action } = body;
  const entries = await titlesOf(visit, kind, chosen);
  const shown = chosen.flatMap((one) => {
    const entry = entries.get(one.id);
    return entry === undefined ? [] : [{ ...one, entry }];
  });
  const needsReason = action === 'hold' || action === 'drop';
  return deskPage(visit, {
    section: 'queue',
    title: `${words.buttons[action]}: ${kindLabel(kind)}`,
    main: html`!${why === undefined ? '' : html`<p class="fault">${why}</p>`}
    !${card({
      title: sayCount(shown.length, '{count} entry', '{count} entries'),
      text: effectOf(action),
      content: rows(
        shown.map(({ entry }) => ({
          title: entry.title === '' ? (entry.url ?? '–') : entry.title,
          text: html`${[entry.sourceName, ...entry.evidence].filter((text) => text !== null && text !== '').join(' · ')}`,
        })),
      ),
    })}
    !${
      shown.length === 0
        ? ''
        : form({
            action: '/desk/bulk',
            submit: `${words.buttons[action]} (${shown.length})`,
            dangerous: action === 'drop',
            fields: html`!${formState(visit)}!${hidden('kind', kind)}!${hidden('action', action)}
            !${hidden('confirmed', '1')}
            !${shown.map(({ id, version = '' }) => hidden('entries', `${id}:${version}`))}
            !${action === 'hold' ? embargoField(visit) : ''}
            !${
              needsReason
                ? html`<label
                    >${words.fields.privateReason}
                    <input name="reason" required maxlength="500" autocomplete="off"
                  /></label>`
                : ''
            }`,
          })
    }`,
  });
}

/** Each is a decision of its own: an entry that changed meanwhile does not stop the others. */
async function decideAll(visit: DeskVisit, body: Sent, chosen: readonly Chosen[]): Promise<Shown> {
  const { words } = visit;
  const { kind } = body;
  let done = 0;
  const refused: string[] = [];
  for (const one of chosen) {
    const outcome = await decideOne(visit, body, one);
    if (outcome.ok || outcome.reason === 'repeated_request') done += 1;
    // A permission or a reason that is missing is missing for all of them.
    else if (outcome.reason === 'invalid_reason' || outcome.reason === 'past_embargo')
      requireDone(words, outcome);
    else refused.push(words.refusals[outcome.reason] ?? outcome.reason);
  }
  if (refused.length === 0) return { to: `/desk?kind=${kind}&done=1` };
  const said = [
    sayCount(done, '{count} decision made.', '{count} decisions made.'),
    sayCount(refused.length, '{count} was refused:', '{count} were refused:'),
    ...new Set(refused),
  ].join(' ');
  return queuePage(visit, { kind, said });
}

function decideOne(
  { editor }: DeskVisit,
  { kind, action, reason: typed = '', until, ...body }: Sent,
  { id, version }: Chosen,
): Promise<Parameters<typeof requireDone>[1]> {
  const content = { ...body, action, typed, until: until ?? '' };
  const { requestId, requestHash } = formOf(content);
  const form = {
    version,
    requestHash,
    requestId: requestId === undefined ? undefined : ownRequest(requestId, id),
  };
  const reason = typed.trim();
  if (action === 'accept') return editor.acceptEntry(id, form);
  if (action === 'release') return editor.releaseEntry({ id, ...form });
  if (action === 'drop') return editor.dropEntry({ id, reason, ...form });
  if (action === 'hold') return editor.holdEntry({ id, reason, until: untilOf(until), ...form });
  return editor.dismiss({ subject: subjectOf({ kind, id }), ...form, version: undefined });
}

/** The request of one entry: the same when the form is sent again. */
function ownRequest(requestId: string, id: string): string {
  return uuidFromBytes(sha256Bytes(`${requestId} ${id}`).subarray(0, 16));
}
