import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import type { Decisions } from '../../record/index.ts';
import type { RepresentativeDeps } from './group-representative.ts';
import { judgeInPlace, settleRepresentative, withdrawItem } from './group-representative.ts';
import { readItemStanding } from './item-standing-store.ts';
import type { PreparedEntry } from './prepare-entry.ts';

/**
 * Updates the item of an edited or withdrawn entry. Returns the story whose digest must be written again; null if
 * there is none.
 */
export async function reviseEntry(
  deps: RepresentativeDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  { entry, copy, judged }: PreparedEntry,
): Promise<Id<'story'> | null> {
  if (entry.isWithdrawn) {
    const request = { itemId: entry.id, reason: 'Its publisher withdrew it.' };
    await withdrawItem(deps, transaction, decisions, request);
    return null;
  }
  const standing = await readItemStanding(transaction, entry.id);
  // Withdrawn: later edits do not republish it.
  if (standing === null) return null;
  const judgement = judgeInPlace(judged, standing, deps.language);
  const { title, originalTitle, language, summary } = copy;
  const changes = { title, originalTitle, language, summary, category: judgement.category };
  await decisions.reviseItem({ itemId: entry.id, changes: { ...changes, score: judgement.score.value } });
  await settleRepresentative(deps, transaction, decisions, { entry, judgement, standing });
  return standing.owners > 1 ? standing.storyId : null;
}
