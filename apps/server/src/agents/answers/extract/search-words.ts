import { entitiesOf } from '../../../grounding/index.ts';
import { hanWords } from '../../../language/han-text.ts';
import { withoutAsking } from './question-parts.ts';
import { questionTerms } from './text-terms.ts';
import type { QuestionTerm } from './text-terms.ts';

const wordsMax = 8;

/** The words of a question to search for: names whole, the rarest first. */
export function searchWords(
  text: string,
  before: readonly string[],
  rarity: (term: QuestionTerm) => number,
): string[] {
  const asked = withoutAsking(`${text} ${before.join(' ')}`);
  const names = entitiesOf(asked).map((entity) => entity.text);
  const latin = asked.match(/[\p{Script=Latin}\p{M}\d][\p{Script=Latin}\p{M}\d'’.-]*/gu) ?? [];
  const han = (asked.match(/\p{Script=Han}+/gu) ?? []).flatMap((run) =>
    hanWords(run)
      .map((word) => word.text)
      .filter((word) => word.length > 1),
  );
  const weightOf = (word: string): number => Math.max(0, ...questionTerms(word).map(rarity));
  const words = [...new Set([...latin, ...han])].filter((word) => questionTerms(word).length > 0);
  return [
    ...new Set([...names, ...words.sort((one, other) => weightOf(other) - weightOf(one))].map(withoutEnding)),
  ].slice(0, wordsMax);
}

/** A search matches parts of words: without its ending, a word also finds its other forms. */
function withoutEnding(word: string): string {
  return word.replace(/['’]s$|[.'’-]+$/u, '').replace(/(?<=\p{Ll}{4})(?:s|es|ed|ing)$/u, '');
}

/** Words that are searched for in pairs. */
const pairedMax = 4;

/**
 * Each word alone, and each pair of the first words: of many texts with either word, only the newest are found, but those
 * with both are among the best.
 */
export function searchQueries(words: readonly string[]): (readonly string[])[] {
  const paired = words.slice(0, pairedMax);
  const pairs = paired.flatMap((one, at) => paired.slice(at + 1).map((other) => [one, other]));
  return [...pairs, ...words.map((word) => [word])];
}
