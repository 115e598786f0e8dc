import type { Transaction } from 'kysely';

import type { permissions } from '../../access/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import { retryConcurrentChanges } from '../../foundation/database/concurrent-change.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { refused } from '../../foundation/result.ts';
import type { Decisions, Publisher } from '../../record/index.ts';
import type { LaterDecisions } from './journal-store.ts';
import { claimRequest, findOverruled, insertJournalEntry } from './journal-store.ts';
import type { JournalAction, JournalActor, JournalDetail, JournalSubject, SubjectState } from './journal.ts';
import { stateOfItem, stateOfStory, versionOf } from './journal.ts';
import { readItemStates } from './subject-state-store.ts';

/** Who decides. A person's permission is checked in the transaction of each decision; a refusal is thrown. */
export interface Decider {
  readonly authorize: (
    transaction: Transaction<DB>,
    permission: permissions.Action,
    subject: JournalSubject,
  ) => Promise<JournalActor>;
}

/** For commands: an operator has the settings of the installation and needs no permission. */
export const operator: Decider = { authorize: async () => ({ kind: 'operator' }) };

export interface DecideDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly publisher: Publisher;
  readonly decider?: Decider;
}

/** Of a form. */
export interface FormState {
  /** The version that the form was based on. */
  readonly version?: string | undefined;
  /** A request with the id of an earlier one has no effect. */
  readonly requestId?: string | undefined;
  /** Of the content of the form: another form with the same id is refused. */
  readonly requestHash?: string | undefined;
  /** The entry of the journal that this decision undoes. */
  readonly undoes?: string | undefined;
  /** Of an undo: refused if the subject is no longer as the undone decision left it. */
  readonly isUndoable?: ((current: SubjectState | null) => boolean) | undefined;
  /** Of an undo: refused after one of these. */
  readonly laterDecisions?: readonly LaterDecisions[] | undefined;
}

export interface DecisionRequest extends FormState {
  readonly action: JournalAction;
  readonly subject: JournalSubject;
  readonly permission: permissions.Action;
  readonly reason: string | null;
  /** Whether the journal may store the words of the subject; not if the decision erases them. */
  readonly isErasure?: boolean;
  /** Of a subject whose state is not in the record. */
  readonly inspect?: (transaction: Transaction<DB>, decisions: Decisions) => Promise<InspectedState | null>;
}

export interface InspectedState {
  readonly state: SubjectState;
  /** The items that its words are about; of a story, its items. */
  readonly itemIds: readonly string[];
}

/** The form is based on another version. */
export interface StaleVersion {
  readonly ok: false;
  readonly reason: 'stale_version';
  readonly current: SubjectState | null;
}

export type DecisionFault = 'repeated_request' | 'reused_request' | 'changed_since';

/** In the transaction: the result of a decision, and what its journal entry stores besides states. */
export interface Taken<Value> {
  readonly value: Value;
  readonly detail: JournalDetail;
  /** What the entry stores in place of the states before and after: the changed part alone. */
  readonly change?: JournalledChange;
}

export interface JournalledChange {
  readonly before: SubjectState;
  readonly after: SubjectState;
  /** The items that the words are about. The decision has locked them, so that no withdrawal misses the words. */
  readonly itemIds: readonly string[];
}

type Outcome = Result<Taken<unknown>, string>;
type ValueOf<Done> = Done extends { readonly ok: true; readonly value: Taken<infer Value> } ? Value : never;
type ReasonOf<Done> = Done extends { readonly ok: false; readonly reason: infer Reason extends string }
  ? Reason
  : never;

type Run<Done extends Outcome> = (transaction: Transaction<DB>, decisions: Decisions) => Promise<Done>;

type Answer<Done extends Outcome> = Result<ValueOf<Done>, ReasonOf<Done> | DecisionFault>;

export type Decide = ReturnType<typeof createDecide>;

/**
 * One decision of an editor in one transaction: the permission at that moment, the version of the form, the decision
 * through the publisher, and its entry in the journal. A refusal rolls all of it back.
 */
export function createDecide(deps: DecideDeps) {
  return <Done extends Outcome>(
    request: DecisionRequest,
    run: Run<Done>,
  ): Promise<Answer<Done> | StaleVersion> =>
    retryConcurrentChanges(deps.database, () =>
      deps.database.transaction().execute((transaction) => decideWithin(deps, transaction, request, run)),
    ).catch((error: unknown) => {
      if (error instanceof Refusal) return error.result as Answer<Done> | StaleVersion;
      throw error;
    });
}

async function decideWithin<Done extends Outcome>(
  { publisher, clock, decider = operator }: DecideDeps,
  transaction: Transaction<DB>,
  request: DecisionRequest,
  run: Run<Done>,
): Promise<Answer<Done>> {
  const { subject, requestId, requestHash = null, isErasure = false } = request;
  const look: Look = request.inspect ?? inspectRecord(subject);
  const earlier =
    requestId === undefined ? null : await claimRequest(transaction, requestId, { ...request, requestHash });
  return publisher.within(transaction, async (decisions) => {
    const lookBefore = request.action === 'select' ? inspectToSelect(subject) : look;
    const lookAfter =
      subject.kind === 'item' && request.inspect === undefined ? readItemAfter(subject) : look;
    const before = earlier === null ? await lookBefore(transaction, decisions) : null;
    // After the locks of the subject: a caller that waited for them may have lost the permission meanwhile.
    const actor = await decider.authorize(transaction, request.permission, subject);
    if (earlier !== null) throw new Refusal(refused(`${earlier}_request`));
    await requireCurrent(transaction, request, before);
    const result = await run(transaction, decisions);
    if (!result.ok) throw new Refusal(result);
    const after =
      isErasure || result.value.change !== undefined ? null : await lookAfter(transaction, decisions);
    await insertJournalEntry(transaction, {
      at: clock.now(),
      action: request.action,
      subject,
      actor,
      requestId: requestId ?? null,
      requestHash: isErasure ? null : requestHash,
      undoes: request.undoes ?? null,
      detail: result.value.detail,
      reason: request.reason,
      before: isErasure ? null : (before?.state ?? null),
      after: after?.state ?? null,
      itemIds: isErasure ? [] : itemsOf(subject, before),
      ...result.value.change,
    });
    return { ok: true, value: result.value.value as ValueOf<Done> };
  });
}

async function requireCurrent(
  transaction: Transaction<DB>,
  { version, isUndoable, laterDecisions = [] }: DecisionRequest,
  before: InspectedState | null,
): Promise<void> {
  if (version !== undefined && (before === null || versionOf(before.state) !== version))
    throw new Refusal({ ok: false, reason: 'stale_version', current: before?.state ?? null });
  const isChanged = isUndoable !== undefined && !isUndoable(before?.state ?? null);
  if (isChanged || (await findOverruled(transaction, laterDecisions)).size > 0)
    throw new Refusal(refused('changed_since'));
}

type Look = (transaction: Transaction<DB>, decisions: Decisions) => Promise<InspectedState | null>;

/** Carries a refusal out of the transaction, which is rolled back. */
class Refusal extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super('refused');
    this.result = result;
  }
}

/** Null for a subject without a state of its own, or one that no longer has it. */
function inspectRecord({ kind, id }: JournalSubject): Look {
  return async (_transaction, decisions) => {
    if (kind === 'item') {
      const item = await decisions.inspectItem({ itemId: id as Id<'item'> });
      return item.ok ? { state: stateOfItem(item.value), itemIds: [id] } : null;
    }
    if (kind !== 'story') return null;
    const story = await decisions.inspectStory({ storyId: id as Id<'story'> });
    return story.ok ? { state: stateOfStory(story.value), itemIds: story.value.itemIds } : null;
  };
}

/** Before a selection: with the item that it may replace, whose reason is stored too. */
function inspectToSelect({ id }: JournalSubject): Look {
  return async (_transaction, decisions) => {
    const item = await decisions.inspectItem({ itemId: id as Id<'item'> });
    if (!item.ok) return null;
    const { otherRepresentative: representative } = item.value;
    const state = stateOfItem(item.value);
    return representative === null
      ? { state, itemIds: [id] }
      : { state: { ...state, representative }, itemIds: [id, representative.id] };
  };
}

/** After a decision, whose locks last: one statement, without locks of its own. */
function readItemAfter({ id }: JournalSubject): Look {
  return async (transaction) => {
    const item = (await readItemStates(transaction, [id])).get(id);
    return item === undefined ? null : { state: stateOfItem(item), itemIds: [id] };
  };
}

function itemsOf({ kind, id }: JournalSubject, before: InspectedState | null): readonly string[] {
  return before?.itemIds ?? (kind === 'item' || kind === 'entry' ? [id] : []);
}
