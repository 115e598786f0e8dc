/** Whether two owners published nearly the same text about one event. */
export interface TextComparison {
  readonly owner: string;
  readonly otherOwner: string;
  readonly alike: boolean;
}

/** Changes whenever the same texts would be counted otherwise: older counts are then discarded. */
export const syndicationRules = 'syndication 1';
/** Owners are related after this many near-identical texts, if these are at least half of the compared ones. */
export const alikeMin = 4;
export const alikeShareMin = 0.5;
/** A count halves in this time, so that a relation that has ended is forgotten. */
export const halfLifeDays = 14;
/** A pair without a comparison for this long is deleted. */
export const forgottenAfterDays = 60;

/** The name that each related owner counts under: the first of all owners that are related to it. */
export function syndicatesOf(
  pairs: readonly (readonly [owner: string, otherOwner: string])[],
): ReadonlyMap<string, string> {
  const leaders = new Map<string, string>();
  const leaderOf = (owner: string): string => {
    const leader = leaders.get(owner) ?? owner;
    return leader === owner ? owner : leaderOf(leader);
  };
  for (const [one, other] of pairs) {
    const [first, second] = [leaderOf(one), leaderOf(other)].sort() as [string, string];
    leaders.set(first, first);
    leaders.set(second, first);
  }
  return new Map(Array.from(leaders.keys(), (owner) => [owner, leaderOf(owner)]));
}
