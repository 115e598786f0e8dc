import type { Transaction } from 'kysely';

import type { Clock } from '../../foundation/clock.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { Decide, DecisionRequest, FormState, InspectedState } from './decide.ts';
import { deskActions } from './desk-actions.ts';
import type { JournalSubject } from './journal.ts';
import { findSourceDoubt } from './queue-source-store.ts';
import { findContradiction, findDoubtfulGrouping } from './queue-story-store.ts';
import { closeReaderReport, lockReaderReport } from './reader-report-store.ts';

/** What leaves the queue without another decision. */
export type Dismissable = JournalSubject & { readonly kind: 'entry' | 'story' | 'source' | 'report' };

interface DismissRequest extends FormState {
  readonly subject: Dismissable;
}

/** Decisions that something in the queue stays as it is. */
export function queueDecisions({ clock }: { readonly clock: Clock }, decide: Decide) {
  const about = (
    action: 'dismiss' | 'reopen',
    { subject, reason, ...form }: DismissRequest & { readonly reason?: string },
  ): DecisionRequest => ({
    action,
    subject,
    permission: deskActions.queue.decide,
    reason: reason ?? null,
    ...form,
    inspect: inspect(subject),
  });
  return {
    /** A doubtful grouping, a contradiction, a new or unusual source stays as it is; an error report is done. */
    dismiss: (request: DismissRequest) =>
      decide(about('dismiss', request), async (transaction) => {
        const { kind, id } = request.subject;
        if (kind === 'report') {
          const report = await lockReaderReport(transaction, id);
          if (report === null || report.isClosed) return refused('nothing_to_decide');
          await closeReaderReport(transaction, id, clock.now());
          return accepted({ value: 'dismissed' as const, detail: {} });
        }
        const doubt = await doubtAbout(clock, transaction, request.subject);
        return doubt === null
          ? refused('nothing_to_decide')
          : accepted({ value: 'dismissed' as const, detail: { ...doubt } });
      }),
    /** Undoes a dismissal. */
    reopen: (request: DismissRequest & { readonly reason: string }) =>
      decide(about('reopen', request), async (transaction) => {
        const { kind, id } = request.subject;
        if (kind === 'report') await closeReaderReport(transaction, id, null);
        return accepted({ value: 'reopened' as const, detail: {} });
      }),
  };
}

/** Of a report; the others are not changed. */
function inspect({ kind, id }: Dismissable) {
  return async (transaction: Transaction<DB>): Promise<InspectedState | null> => {
    const state = kind === 'report' ? await lockReaderReport(transaction, id) : null;
    return state === null ? null : { state, itemIds: [] };
  };
}

async function doubtAbout(
  clock: Clock,
  transaction: Transaction<DB>,
  { kind, id }: Dismissable,
): Promise<Readonly<Record<string, string | readonly string[]>> | null> {
  if (kind === 'source') return findSourceDoubt(transaction, id, clock.now());
  if (kind === 'story') {
    const about = await findContradiction(transaction, id as Id<'story'>);
    return about === null ? null : { about };
  }
  const grouping = await findDoubtfulGrouping(transaction, id as Id<'item'>);
  return grouping === null ? null : { other: grouping.otherId };
}
