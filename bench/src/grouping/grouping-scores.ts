import type { LabelledItem } from './labelled-set.ts';

/** An item's id to the key of the group it was put into. */
export type Grouping = ReadonlyMap<string, string>;

export interface GroupingScores {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly bCubedPrecision: number;
  readonly bCubedRecall: number;
  readonly bCubedF1: number;
  /** The group that mixes the most stories: how many items it has, and of how many stories. */
  readonly worstMerge: { readonly items: number; readonly stories: number };
  readonly truePairs: number;
}

/** Which pairs of items count, for instance only those that cross languages. */
export type PairFilter = (one: LabelledItem, other: LabelledItem) => boolean;

const everyPair: PairFilter = () => true;

export function scoreGrouping(
  items: readonly LabelledItem[],
  grouping: Grouping,
  counts: PairFilter = everyPair,
): GroupingScores {
  const scored = items.filter((item) => item.scored);
  const byStory = Map.groupBy(scored, ({ story }) => story);
  const byGroup = Map.groupBy(scored, ({ id }) => grouping.get(id) ?? id);
  const right = countPairs(byGroup, (one, other) => one.story === other.story && counts(one, other));
  const grouped = countPairs(byGroup, counts);
  const truePairs = countPairs(byStory, counts);
  const [precision, recall] = [ratio(right, grouped), ratio(right, truePairs)];
  const bCubed = scoreBCubed(scored, byStory, byGroup, grouping);
  return {
    precision,
    recall,
    f1: harmonicMean(precision, recall),
    ...bCubed,
    worstMerge: worstMergeOf(byGroup),
    truePairs,
  };
}

function countPairs(groups: ReadonlyMap<string, readonly LabelledItem[]>, counts: PairFilter): number {
  let pairs = 0;
  for (const members of groups.values()) {
    for (const [at, one] of members.entries()) {
      for (const other of members.slice(at + 1)) if (counts(one, other)) pairs += 1;
    }
  }
  return pairs;
}

/** Amigó et al. 2009: for each item, the share of its group that is of its story, and of its story that is in its group. */
function scoreBCubed(
  scored: readonly LabelledItem[],
  byStory: ReadonlyMap<string, readonly LabelledItem[]>,
  byGroup: ReadonlyMap<string, readonly LabelledItem[]>,
  grouping: Grouping,
): Pick<GroupingScores, 'bCubedPrecision' | 'bCubedRecall' | 'bCubedF1'> {
  let [precision, recall] = [0, 0];
  for (const item of scored) {
    const group = byGroup.get(grouping.get(item.id) ?? item.id) ?? [];
    const common = group.filter(({ story }) => story === item.story).length;
    precision += ratio(common, group.length);
    recall += ratio(common, byStory.get(item.story)?.length ?? 0);
  }
  const [bCubedPrecision, bCubedRecall] = [ratio(precision, scored.length), ratio(recall, scored.length)];
  return { bCubedPrecision, bCubedRecall, bCubedF1: harmonicMean(bCubedPrecision, bCubedRecall) };
}

function worstMergeOf(byGroup: ReadonlyMap<string, readonly LabelledItem[]>): GroupingScores['worstMerge'] {
  let worst = { items: 0, stories: 0 };
  for (const members of byGroup.values()) {
    const stories = new Set(members.map(({ story }) => story)).size;
    if (stories > worst.stories || (stories === worst.stories && members.length > worst.items)) {
      worst = { items: members.length, stories };
    }
  }
  return worst;
}

function harmonicMean(one: number, other: number): number {
  return one + other === 0 ? 0 : (2 * one * other) / (one + other);
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
