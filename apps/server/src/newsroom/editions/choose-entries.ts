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
}

export interface EditionSize {
  readonly entries: number;
  readonly flashes: number;
  readonly perSource: number;
}

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

/** The most important items: a story once, a limited number per source. The order of candidates has no effect. */
export function chooseEntries(
  candidates: readonly EditionCandidate[],
  { entries, flashes, perSource }: EditionSize,
): ChosenEntries {
  const chosen: EditionCandidate[] = [];
  const told = new Set<string>();
  const bySource = new Map<string, number>();
  for (const candidate of [...candidates].sort(byImportance)) {
    if (chosen.length === entries + flashes) break;
    const { sourceId, storyId, groupId } = candidate;
    const event = storyId ?? groupId;
    const ofSource = bySource.get(sourceId) ?? 0;
    if (told.has(event) || ofSource >= perSource) continue;
    told.add(event);
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

function byImportance(one: EditionCandidate, other: EditionCandidate): number {
  return (
    importance(other) - importance(one) ||
    Number(one.discoveredAt - other.discoveredAt) ||
    (one.id < other.id ? -1 : 1)
  );
}
