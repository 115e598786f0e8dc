import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { EntryId } from '../../ingest/index.ts';
import { markEntryWithdrawn } from '../../ingest/index.ts';
import { corrections } from '../../record/index.ts';
import type { Decisions } from '../../record/index.ts';
import type { EntryReview } from './entry-review-store.ts';
import { decideReview, lockReview, undecideReview } from './entry-review-store.ts';
import type { RepresentativeDeps } from './group-representative.ts';
import { judgeInPlace, settleRepresentative, withdrawItem } from './group-representative.ts';
import { readItemStanding } from './item-standing-store.ts';
import { judgeEntry } from './prepare-entry.ts';
import { readPublishedEntry } from './unpublished-entry-store.ts';

export type ReviewFault = 'nothing_to_review' | 'invalid_reason';

/** Why an entry is held until an editor decides. */
export const titleIsInstruction = 'The title is an instruction to machines.';

/** Returns the state before: a held entry is published by the next worker, an item may now be selected. */
export async function acceptEntry(
  deps: RepresentativeDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  id: EntryId,
): Promise<Result<EntryReview['state'], ReviewFault>> {
  const review = await lockReview(transaction, id);
  if (review === null) return refused('nothing_to_review');
  await decideReview(transaction, id, { decision: 'accepted', reason: null, at: deps.clock.now() });
  if (review.state === 'unselected') await judgeAgain(deps, transaction, decisions, id);
  return accepted(review.state);
}

/** Undoes `acceptEntry`: an item may no longer be selected, an unpublished entry is held. */
export async function reopenReview(
  deps: RepresentativeDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  id: EntryId,
): Promise<Result<'reopened', ReviewFault>> {
  const held = { reason: titleIsInstruction, at: deps.clock.now() };
  if (!(await undecideReview(transaction, id, held))) return refused('nothing_to_review');
  await judgeAgain(deps, transaction, decisions, id);
  return accepted('reopened');
}

async function judgeAgain(
  deps: RepresentativeDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  id: EntryId,
): Promise<void> {
  const entry = await readPublishedEntry(transaction, id);
  const standing = entry === null ? null : await readItemStanding(transaction, id);
  if (entry === null || standing === null) return;
  const judgement = judgeInPlace(judgeEntry(entry), standing, deps.language);
  await settleRepresentative(deps, transaction, decisions, { entry, judgement, standing });
}

/** Withdraws the item, with the public reason; a held entry is never published. */
export async function rejectEntry(
  deps: RepresentativeDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  { id, reason }: { readonly id: EntryId; readonly reason: string },
): Promise<Result<EntryReview['state'], ReviewFault>> {
  if (!corrections.isReason(reason)) return refused('invalid_reason');
  const review = await lockReview(transaction, id);
  if (review === null) return refused('nothing_to_review');
  const at = deps.clock.now();
  await decideReview(transaction, id, { decision: 'rejected', reason, at });
  if (review.state === 'unselected') {
    const withdrawn = await withdrawItem(deps, transaction, decisions, { itemId: id, reason });
    // Its publisher or another editor withdrew it first.
    if (!withdrawn.ok) return refused('nothing_to_review');
    await markEntryWithdrawn(transaction, id, at);
  }
  return accepted(review.state);
}
