import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { EntryId } from '../../ingest/index.ts';
import { corrections } from '../../record/index.ts';
import { holdEntry, lockUnpublishedEntry, releaseEntry } from '../publication/entry-hold-store.ts';
import type { RepresentativeDeps } from '../publication/group-representative.ts';
import { acceptEntry, rejectEntry } from '../publication/review-entries.ts';
import type { Decide, DecisionRequest, FormState } from './decide.ts';
import { deskActions } from './desk-actions.ts';

interface EntryRequest extends FormState {
  readonly id: EntryId;
  readonly reason: string;
}

/** Decisions of editors about entries that are not published, or that wait for a review. */
export function entryDecisions(deps: RepresentativeDeps, decide: Decide) {
  const about = (
    action: DecisionRequest['action'],
    {
      id,
      reason,
      version: _version,
      ...form
    }: Omit<EntryRequest, 'reason'> & { readonly reason: string | null },
  ): DecisionRequest => ({
    action,
    subject: { kind: 'entry', id },
    permission: deskActions.queue.decide,
    reason,
    ...form,
  });
  return {
    ...reviewDecisions(deps, decide, about),
    /** Until the end of an embargo, or until it is released. */
    holdEntry: ({ until = null, ...request }: EntryRequest & { readonly until?: EpochMicroseconds | null }) =>
      decide(about('hold', request), async (transaction) => {
        const at = deps.clock.now();
        if (!corrections.isReason(request.reason)) return refused('invalid_reason');
        if (until !== null && until <= at) return refused('past_embargo');
        if ((await lockUnpublishedEntry(transaction, request.id)) === null) return refused('published_entry');
        await holdEntry(transaction, request.id, { state: 'held', until, reason: request.reason, at });
        const detail = until === null ? {} : { until: isoMilliseconds(until) };
        return accepted({ value: 'held' as const, detail });
      }),
    /** The next worker publishes it, as discovered now. */
    releaseEntry: ({ id, ...form }: FormState & { readonly id: EntryId }) =>
      decide(about('release', { id, reason: null, ...form }), async (transaction) => {
        const state = await lockUnpublishedEntry(transaction, id);
        if (state === null || state === 'waiting') return refused('not_held');
        await releaseEntry(transaction, id, deps.clock.now());
        return accepted({ value: 'released' as const, detail: { was: state } });
      }),
    /** A doubtful decision of the rules stays as it is, and leaves the queue. */
    dismissEntry: ({ id, ...form }: FormState & { readonly id: EntryId }) =>
      decide(about('dismiss', { id, reason: null, ...form }), async () =>
        accepted({ value: 'dismissed' as const, detail: {} }),
      ),
    /** The entry is never published, also after an edit of its publisher. */
    dropEntry: (request: EntryRequest) =>
      decide(about('drop', request), async (transaction) => {
        const at = deps.clock.now();
        if (!corrections.isReason(request.reason)) return refused('invalid_reason');
        const state = await lockUnpublishedEntry(transaction, request.id);
        if (state === null) return refused('published_entry');
        await holdEntry(transaction, request.id, {
          state: 'dropped',
          until: null,
          reason: request.reason,
          at,
        });
        return accepted({ value: 'dropped' as const, detail: { was: state } });
      }),
  };
}

/** Entries with an instruction to machines. */
function reviewDecisions(
  deps: RepresentativeDeps,
  decide: Decide,
  about: (
    action: DecisionRequest['action'],
    request: Omit<EntryRequest, 'reason'> & { readonly reason: string | null },
  ) => DecisionRequest,
) {
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
  };
}
