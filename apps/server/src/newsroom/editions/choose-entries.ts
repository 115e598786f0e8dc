import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Category } from '../../record/index.ts';

/** An item that an edition may contain. */
export interface EditionCandidate {
  readonly id: Id<'item'>;
  /** Null for a roundup, which belongs to no story. */
  readonly storyId: Id<'story'> | null;
  readonly groupId: Id<'reading-group'>;
  /** When the first item of its reading group appeared. */
  readonly groupAppearedAt: EpochMicroseconds;
  readonly sourceId: Id<'source'>;
  readonly title: string;
  readonly summary: string;
  readonly language: string | null;
  readonly category: Category;
  readonly score: number;
  /** Independent owners that have reported its story so far. */
  readonly owners: number;
  readonly discoveredAt: EpochMicroseconds;
  /** Whether the editorial rules had selected it. The others only fill up an edition with few selected stories. */
  readonly selected: boolean;
  /** Why it can be no entry, if so. */
  readonly barred: 'roundup' | 'correction notice' | null;
}

export interface EditionSize {
  readonly entries: number;
  readonly flashes: number;
  readonly perSource: number;
}

/** With fewer selected stories than this, the best of the others are added. */
export const filledTo = 5;

export const editionSizes = {
  daily: { entries: 12, flashes: 10, perSource: 2 },
  weekly: { entries: 20, flashes: 0, perSource: Infinity },
  monthly: { entries: 30, flashes: 0, perSource: Infinity },
} as const satisfies Readonly<Record<string, EditionSize>>;

export interface ChosenEntries {
  /** Most important first. */
  readonly entries: readonly EditionCandidate[];
  readonly flashes: readonly EditionCandidate[];
}

/**
 * The most important selected items: a story once, a limited number per source. Others follow only until the edition
 * has five entries. The order of candidates has no effect. Items that an editor includes come first, whatever the rules
 * say of them.
 */
export function chooseEntries(
  candidates: readonly EditionCandidate[],
  { entries, flashes, perSource }: EditionSize,
  included: readonly EditionCandidate[] = [],
): ChosenEntries {
  const chosen = included.slice(0, entries);
  const chosenEvents = new Set<string>(chosen.map(({ storyId, groupId }) => storyId ?? groupId));
  const bySource = new Map<string, number>();
  for (const { sourceId } of chosen) bySource.set(sourceId, (bySource.get(sourceId) ?? 0) + 1);
  for (const candidate of candidates.filter(({ barred }) => barred === null).sort(byImportance)) {
    if (chosen.length >= (candidate.selected ? entries + flashes : filledTo)) break;
    const { sourceId, storyId, groupId } = candidate;
    const event = storyId ?? groupId;
    const ofSource = bySource.get(sourceId) ?? 0;
    if (chosenEvents.has(event) || ofSource >= perSource) continue;
    chosenEvents.add(event);
    bySource.set(sourceId, ofSource + 1);
    chosen.push(candidate);
  }
  return { entries: chosen.slice(0, entries), flashes: chosen.slice(entries) };
}

/** Eight owners count as much as any other merit of an item; each further one counts less than the one before. */
const coverageMax = 18;
const ownersMax = 8;

function importance({ score, owners }: EditionCandidate): number {
  return score + (coverageMax * Math.log2(Math.min(ownersMax, Math.max(1, owners)))) / Math.log2(ownersMax);
}

/** Selected ones first. */
export function byImportance(one: EditionCandidate, other: EditionCandidate): number {
  return (
    Number(other.selected) - Number(one.selected) ||
    importance(other) - importance(one) ||
    Number(one.discoveredAt - other.discoveredAt) ||
    (one.id < other.id ? -1 : 1)
  );
}
