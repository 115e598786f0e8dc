import type { Source } from '../../../ingest/index.ts';
import type { Kind } from './kind.ts';
import { isSelectableKind } from './kind.ts';

/** The minimum score for selection by tier of the source; a less trusted source needs a higher score. */
export type Thresholds = Readonly<Record<1 | 2 | 3 | 4, number>>;

export const defaultThresholds: Thresholds = { 1: 52, 2: 55, 3: 58, 4: 66 };

export interface SelectionInput {
  readonly score: number;
  readonly tier: 1 | 2 | 3 | 4;
  readonly participation: Source['participation'];
  readonly kind: Kind;
  /** About the AI industry. */
  readonly isRelevant: boolean;
}

export function mayBeSelected(input: SelectionInput, thresholds: Thresholds = defaultThresholds): boolean {
  if (input.participation !== 'editorial' || !input.isRelevant || !isSelectableKind(input.kind)) return false;
  return input.score >= thresholds[input.tier];
}

/** The part of a reading group's item that the choice of a representative needs. */
export interface GroupItem {
  readonly id: string;
  readonly score: number;
  readonly tier: 1 | 2 | 3 | 4;
  readonly firstParty: boolean;
  /** When it was received; the earlier one wins ties. */
  readonly receivedAt: bigint;
  readonly selectable: boolean;
}

/** A new item must score this much higher, or be clearly closer to the source; otherwise titles would change without benefit. */
const betterBy = 6;

/**
 * The single item of a reading group that is selected. The current one stays unless a better one has arrived; null if
 * none may be selected.
 */
export function chooseRepresentative(items: readonly GroupItem[], currentId: string | null): string | null {
  const selectable = items.filter(({ selectable: may }) => may).sort(bestFirst);
  const [best] = selectable;
  const current = selectable.find(({ id }) => id === currentId);
  if (best === undefined) return null;
  if (current === undefined || isClearlyBetter(best, current)) return best.id;
  return current.id;
}

function bestFirst(one: GroupItem, other: GroupItem): number {
  if (one.firstParty !== other.firstParty) return one.firstParty ? -1 : 1;
  if (one.tier !== other.tier) return one.tier - other.tier;
  if (one.score !== other.score) return other.score - one.score;
  if (one.receivedAt !== other.receivedAt) return one.receivedAt < other.receivedAt ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

function isClearlyBetter(one: GroupItem, current: GroupItem): boolean {
  if (one.firstParty !== current.firstParty) return one.firstParty;
  if (one.tier !== current.tier) return one.tier < current.tier;
  return one.score >= current.score + betterBy;
}
