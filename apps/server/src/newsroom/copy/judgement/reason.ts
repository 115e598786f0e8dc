import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import { items } from '../../../record/index.ts';
import type { Score, ScoreInput, ScorePart } from './score.ts';
import { partWeights } from './score.ts';

/** One sentence with the reason, in the installation's language: the parts with at least half of their maximum. */
export function reasonOf(input: ScoreInput, score: Score, language: ReaderLanguage): string {
  const counts = (part: ScorePart): boolean => score.parts[part] >= partWeights[part] / 2;
  const by = counts('firstParty') ? 'company' : input.tier === 2 && counts('tier') ? 'press' : null;
  return items.reasonIn(language, {
    opening: input.novelty,
    by,
    about: counts('reach') ? input.reach.name : null,
    concrete: counts('substance'),
    owners: counts('coverage') ? input.owners : null,
  });
}
