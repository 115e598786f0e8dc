import type { Transaction } from 'kysely';

import { canonicalJson } from '../../foundation/canonical-json.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { EntryId } from '../../ingest/index.ts';
import { corrections } from '../../record/index.ts';
import type { EntryWords } from '../publication/entry-edit-store.ts';
import { saveEntryWords } from '../publication/entry-edit-store.ts';
import { holdEntry, releaseEntry, restoreUnpublished } from '../publication/entry-hold-store.ts';
import type { RepresentativeDeps } from '../publication/group-representative.ts';
import { acceptEntry, rejectEntry, reopenReview } from '../publication/review-entries.ts';
import type { Decide, DecisionRequest, FormState, InspectedState } from './decide.ts';
import { deskActions } from './desk-actions.ts';
import { lockEntryState } from './entry-state-store.ts';
import type { EntryState } from './journal.ts';

interface EntryRequest extends FormState {
  readonly id: EntryId;
  readonly reason: string;
}

/** Decisions of editors about entries that are not published, or that wait for a review. */
export function entryDecisions(deps: RepresentativeDeps, decide: Decide) {
  return {
    ...holdDecisions(deps, decide),
    ...wordDecisions(decide),
    ...reviewDecisions(deps, decide),
  };
}

function about(
  action: DecisionRequest['action'],
  { id, reason, ...form }: Omit<EntryRequest, 'reason'> & { readonly reason: string | null },
): DecisionRequest {
  return {
    action,
    subject: { kind: 'entry', id },
    permission: deskActions.queue.decide,
    reason,
    ...form,
    inspect: inspectEntry(id),
  };
}

/** Locks the entry until the transaction ends. */
function inspectEntry(id: EntryId) {
  return async (transaction: Transaction<DB>): Promise<InspectedState | null> => {
    const state = await lockEntryState(transaction, id);
    return state === null ? null : { state, itemIds: [id] };
  };
}

/** The entry, unless it is published, withdrawn or unknown. */
async function readUnpublishedState(transaction: Transaction<DB>, id: EntryId): Promise<EntryState | null> {
  const state = await lockEntryState(transaction, id);
  return state === null || state.isPublished ? null : state;
}

const stateName = ({ hold }: EntryState): string => hold ?? 'waiting';

function holdDecisions({ clock }: RepresentativeDeps, decide: Decide) {
  return {
    /** Until the end of an embargo, or until it is released. */
    holdEntry: ({ until = null, ...request }: EntryRequest & { readonly until?: EpochMicroseconds | null }) =>
      decide(about('hold', request), async (transaction) => {
        const { id, reason } = request;
        const at = clock.now();
        if (!corrections.isReason(reason)) return refused('invalid_reason');
        if (until !== null && until <= at) return refused('past_embargo');
        const before = await readUnpublishedState(transaction, id);
        if (before === null) return refused('published_entry');
        await holdEntry(transaction, id, { state: 'held', until, reason, at });
        const detail = { was: stateName(before), ...(until !== null && { until: isoMilliseconds(until) }) };
        return accepted({ value: 'held' as const, detail });
      }),
    /** The next worker publishes it, as discovered now. */
    releaseEntry: ({ id, ...form }: FormState & { readonly id: EntryId }) =>
      decide(about('release', { id, reason: null, ...form }), async (transaction) => {
        const before = await readUnpublishedState(transaction, id);
        if (before === null || before.hold === null) return refused('not_held');
        await releaseEntry(transaction, id, clock.now());
        return accepted({ value: 'released' as const, detail: { was: stateName(before) } });
      }),
    /** The entry is never published, also after an edit of its publisher. */
    dropEntry: (request: EntryRequest) =>
      decide(about('drop', request), async (transaction) => {
        const { id, reason } = request;
        if (!corrections.isReason(reason)) return refused('invalid_reason');
        const before = await readUnpublishedState(transaction, id);
        if (before === null) return refused('published_entry');
        await holdEntry(transaction, id, { state: 'dropped', until: null, reason, at: clock.now() });
        return accepted({ value: 'dropped' as const, detail: { was: stateName(before) } });
      }),
    /** Undoes one of the others: the entry is held, dropped or waiting as it was before. */
    restoreEntry: ({ to, ...request }: EntryRequest & { readonly to: EntryState }) =>
      decide(
        about(to.hold === 'held' ? 'hold' : to.hold === 'dropped' ? 'drop' : 'release', request),
        async (transaction) => {
          const before = await readUnpublishedState(transaction, request.id);
          if (before === null) return refused('published_entry');
          await restoreUnpublished(transaction, request.id, to, clock.now());
          return accepted({ value: 'restored' as const, detail: { was: stateName(before) } });
        },
      ),
  };
}

interface WordsRequest extends FormState {
  readonly id: EntryId;
  readonly words: EntryWords;
}

/** The words of an entry that is not published: it is published with them. Typed text is checked before. */
function wordDecisions(decide: Decide) {
  const save = ({ id, words, ...form }: WordsRequest) =>
    decide(
      { ...about('edit-entry', { id, reason: null, ...form }), permission: deskActions.items.update },
      async (transaction) => {
        const before = await readUnpublishedState(transaction, id);
        if (before === null) return refused('published_entry');
        if (canonicalJson(before.words ?? noWords) === canonicalJson(words))
          return refused('nothing_changed');
        await saveEntryWords(transaction, id, words);
        return accepted({ value: 'edited' as const, detail: {} });
      },
    );
  return { editEntry: save, restoreWords: save };
}

const noWords: EntryWords = { title: null, summary: null, category: null, unverified: null };

/** Entries with an instruction to machines. */
function reviewDecisions(deps: RepresentativeDeps, decide: Decide) {
  return {
    acceptEntry: (id: EntryId, form: FormState = {}) =>
      decide(about('accept', { id, reason: null, ...form }), async (transaction, decisions) => {
        const state = await acceptEntry(deps, transaction, decisions, id);
        return state.ok ? accepted({ value: state.value, detail: { was: state.value } }) : state;
      }),
    rejectEntry: (request: EntryRequest) =>
      decide({ ...about('reject', request), isErasure: true }, async (transaction, decisions) => {
        const state = await rejectEntry(deps, transaction, decisions, request);
        return state.ok ? accepted({ value: state.value, detail: { was: state.value } }) : state;
      }),
    /** Undoes an acceptance: the entry waits for a decision again. */
    reopenReview: (request: EntryRequest) =>
      decide(about('reopen', request), async (transaction, decisions) => {
        const state = await reopenReview(deps, transaction, decisions, request.id);
        return state.ok ? accepted({ value: state.value, detail: { was: 'accepted' } }) : state;
      }),
  };
}
