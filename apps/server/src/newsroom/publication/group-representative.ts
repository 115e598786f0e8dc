import type { Transaction } from 'kysely';

import { dayMs } from '../../foundation/clock.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import { instantToMs } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { Decisions } from '../../record/index.ts';
import type { Judgement, ReadJudgement } from '../copy/judgement/index.ts';
import { chooseRepresentative, judgeRead } from '../copy/judgement/index.ts';
import { rewriteEditions } from '../editions/rewrite-edition.ts';
import { recordRuleEntries } from '../rule-journal-store.ts';
import { readItemOverride } from './item-override-store.ts';
import type { ItemStanding } from './item-standing-store.ts';
import { readItemStanding } from './item-standing-store.ts';
import { judgeEntry } from './prepare-entry.ts';
import type { EntryToPublish } from './unpublished-entry-store.ts';
import { readStandingEntries } from './unpublished-entry-store.ts';

export interface RepresentativeDeps {
  readonly clock: Clock;
  /** Of the installation: reasons are written in it. */
  readonly language: ReaderLanguage;
}

/** Older entries of a first import are shown, but not selected. */
export const selectableForMs = 7 * dayMs;
/** Of a text with hundreds of reprints, this many are judged again. */
const successorsMax = 20;

/** The judgement of an item after placement. */
export function judgeInPlace(
  judged: ReadJudgement,
  { placedBy, owners }: Pick<ItemStanding, 'placedBy' | 'owners'>,
  language: ReaderLanguage,
): Judgement {
  const judgeAs = (novelty: 'first' | 'adds' | 'repeats'): Judgement =>
    judgeRead(judged, { novelty, owners }, language);
  if (placedBy !== 'same reading') return judgeAs(placedBy === 'join' ? 'adds' : 'first');
  // A reprint repeats; as the representative of its group, it would have the novelty of the group. In a story of one
  // voice that group is the first.
  return { ...judgeAs('repeats'), selectable: judgeAs(owners === 1 ? 'first' : 'adds').selectable };
}

/** A reading group has one representative; a better item replaces it, unless a person chose. */
export async function settleRepresentative(
  deps: RepresentativeDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  reported: {
    readonly entry: EntryToPublish;
    readonly judgement: Judgement;
    readonly standing: ItemStanding;
  },
): Promise<void> {
  const { entry, judgement, standing } = reported;
  const { id, publishedAt, discoveredAt } = entry;
  const { representative, groupId } = standing;
  const ageMs = deps.clock.nowMs() - instantToMs(publishedAt ?? discoveredAt);
  const isCurrent = representative?.id === id;
  const override = await readItemOverride(transaction, id);
  if (override?.selection === 'selected' || representative?.isChosenByEditor === true) return;
  // A selected item is not unselected because of its age.
  const selectable =
    judgement.selectable && override?.selection !== 'unselected' && (isCurrent || ageMs < selectableForMs);
  const own = { ...groupItem(entry, judgement), selectable };
  const current =
    representative === null || isCurrent
      ? []
      : [{ ...representative, receivedAt: representative.discoveredAt, selectable: true }];
  const chosen = chooseRepresentative([own, ...current], representative?.id ?? null);
  const features = { ...judgement.score.parts, replaced: representative?.id ?? null };
  const journal = (action: 'select' | 'unselect') =>
    recordRuleEntries(transaction, deps.clock.now(), [
      { action, subject: { kind: 'item', id }, rule: 'representative', features },
    ]);
  if (chosen === id) {
    await decisions.selectItem({ itemId: id, reason: judgement.reason });
    if (!isCurrent) await journal('select');
  } else if (isCurrent) {
    await decisions.unselectItem({ itemId: id });
    await journal('unselect');
    await replaceRepresentative(deps, transaction, decisions, groupId);
  }
}

/** Withdraws an item; editions that show it are written again. If it represented its reading group, the best remaining item replaces it. */
export async function withdrawItem(
  deps: RepresentativeDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  request: { readonly itemId: Id<'item'>; readonly reason: string },
): ReturnType<Decisions['withdrawItem']> {
  const rewriteEdition = rewriteEditions(transaction, deps.language);
  const withdrawn = await decisions.withdrawItem({ ...request, rewriteEdition });
  const groupId = withdrawn.ok ? withdrawn.value.unrepresentedGroupId : null;
  if (groupId !== null) await replaceRepresentative(deps, transaction, decisions, groupId);
  return withdrawn;
}

/**
 * Requires the lock of the group, which the removal of its representative has acquired. The age of an item does not
 * matter here: the group was selected before.
 */
async function replaceRepresentative(
  { clock, language }: RepresentativeDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  groupId: Id<'reading-group'>,
): Promise<void> {
  const items = [];
  for (const entry of await readStandingEntries(transaction, groupId, successorsMax)) {
    const standing = await readItemStanding(transaction, entry.id);
    if (standing === null) continue;
    const judgement = judgeInPlace(judgeEntry(entry), standing, language);
    items.push({ ...groupItem(entry, judgement), reason: judgement.reason });
  }
  const chosenId = chooseRepresentative(items, null);
  const chosen = items.find(({ id }) => id === chosenId);
  if (chosen === undefined) return;
  const { id: itemId, score, reason } = chosen;
  await decisions.reviseItem({ itemId, changes: { score } });
  await decisions.selectItem({ itemId, reason });
  await recordRuleEntries(transaction, clock.now(), [
    { action: 'select', subject: { kind: 'item', id: itemId }, rule: 'representative', features: { score } },
  ]);
}

/** The input for the choice of a representative. */
export function groupItem(
  { id, source: { tier, firstParty }, discoveredAt }: EntryToPublish,
  { score, selectable }: Judgement,
) {
  return { id, score: score.value, tier, firstParty, receivedAt: discoveredAt, selectable };
}
