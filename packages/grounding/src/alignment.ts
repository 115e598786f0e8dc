import { dateKey } from './dates.ts';
import { agreement } from './language/quantities.ts';
import type { Passage } from './passages.ts';
import type { GroundingSource } from './source.ts';

/** A sentence of a source and how much of the claim it contains. */
export interface Aligned {
  readonly passage: Passage;
  readonly previous: Passage | undefined;
  readonly source: GroundingSource;
  readonly score: number;
}

/** A number counts as much as this many words. */
const valueWeight = 1.5;
/** Words of the sentence before count in part: it often names the subject. */
const contextShare = 0.35;

/**
 * Every sentence of the sources with the share of the claim's words and numbers that it contains; `ignores` leaves out
 * the words that are in question.
 */
export function alignClaim(
  claim: Passage,
  sources: readonly GroundingSource[],
  ignores: (key: string) => boolean = () => false,
  countsDates = false,
): Aligned[] {
  return sources.flatMap((source) => {
    const { passages, weightOf } = source.statements();
    const dates = countsDates ? claim.dates.map(dateKey) : [];
    const keys = [...keysOf(claim)]
      .filter((key) => !ignores(key))
      .map((key) => ({ key, weight: weightOf(key) }));
    const perValue = valueWeight * Math.log(1 + Math.max(2, passages.length));
    const total =
      keys.reduce((sum, { weight }) => sum + weight, 0) + perValue * (claim.quantities.length + dates.length);
    const stated = passages.map(keysOf);
    return passages.map((passage, at) => {
      let shared = 0;
      for (const { key, weight } of keys) {
        if (stated[at]?.has(key) === true) shared += weight;
        else if (stated[at - 1]?.has(key) === true) shared += weight * contextShare;
      }
      for (const key of dates) if (passage.dates.some((date) => dateKey(date) === key)) shared += perValue;
      for (const value of claim.quantities) {
        if (passage.quantities.some((one) => agreement(value, one) === 'yes')) shared += perValue;
      }
      return { passage, previous: passages[at - 1], source, score: total === 0 ? 0 : shared / total };
    });
  });
}

const keysByPassage = new WeakMap<Passage, ReadonlySet<string>>();

/** Both sides of a pair of opposites have one key. */
function keysOf(passage: Passage): ReadonlySet<string> {
  const known = keysByPassage.get(passage);
  if (known !== undefined) return known;
  const keys = new Set([...passage.keys, ...passage.opposites.map(({ pair }) => `~${pair}`)]);
  keysByPassage.set(passage, keys);
  return keys;
}

/** The sentences that say what the claim says, as far as words show it; none if no sentence contains most of it. */
export function bestAligned(aligned: readonly Aligned[], scoreMin: number, margin: number): Aligned[] {
  const best = Math.max(0, ...aligned.map(({ score }) => score));
  if (best < scoreMin) return [];
  return aligned.filter(({ score }) => score >= Math.max(scoreMin, best - margin));
}
