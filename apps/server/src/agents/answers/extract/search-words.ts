import { entitiesOf } from '@daybook/grounding';
import { hanCharacter, toSimplified } from '@daybook/grounding/text';

import { toTraditional } from '../../../language/traditional.ts';
import { translationsOf } from './glossary.ts';
import { withoutAsking } from './question-parts.ts';
import type { AskedQuestion } from './question.ts';
import { questionTerms } from './text-terms.ts';
import type { QuestionTerm } from './text-terms.ts';
import { asWritten } from './written-question.ts';

/** A word of a question to search for, in every form that a text may have. */
export interface SearchWord {
  /** As in the question first, then in the other script and the other language. */
  readonly forms: readonly string[];
}

/** Texts that contain all of these forms contain these words. */
interface SearchQuery {
  readonly forms: readonly string[];
  readonly words: readonly SearchWord[];
}

/** What a search for sources gets. */
export interface SourceSearch {
  readonly words: readonly SearchWord[];
  readonly queries: readonly SearchQuery[];
}

const wordsMax = 9;
const formsMax = 4;
/** Words that are searched for in pairs. */
const pairedMax = 4;

/** What to search for a question. */
export function searchFor(
  asked: Pick<AskedQuestion, 'text' | 'before'>,
  rarity: (term: QuestionTerm) => number,
): SourceSearch {
  const words = searchWords(asked, rarity);
  return { words, queries: searchQueries(words) };
}

/** The words of a question: names whole, the rarest first. */
function searchWords(
  { text, before }: Pick<AskedQuestion, 'text' | 'before'>,
  rarity: (term: QuestionTerm) => number,
): SearchWord[] {
  const asked = withoutAsking([text, ...before].map(asWritten).join(' '));
  const names = entitiesOf(asked).map((entity) => entity.text);
  const latin = asked.match(/[\p{Script=Latin}\p{M}\d][\p{Script=Latin}\p{M}\d'’.-]*/gu) ?? [];
  const han = (asked.match(/\p{Script=Han}+/gu) ?? []).flatMap((run) =>
    questionTerms(run)
      .map(({ key }) => key)
      .filter((key) => key.length > 1 && hanCharacter.test(key)),
  );
  const weightOf = (word: string): number => Math.max(0, ...questionTerms(word).map(rarity));
  const words = [...new Set([...latin, ...han])]
    .filter((word) => questionTerms(word).length > 0)
    .sort((one, other) => weightOf(other) - weightOf(one));
  // Of a name with several words, a text may contain only the rarest: the surname.
  const further = words.filter((word) => {
    const inName = names.find((name) => name !== word && name.split(' ').includes(word));
    return inName === undefined || words.find((one) => inName.split(' ').includes(one)) === word;
  });
  const chosen = new Set([...names, ...further].map(withoutEnding));
  return [...chosen].slice(0, wordsMax).map((word) => ({ forms: formsOf(word) }));
}

function formsOf(word: string): string[] {
  const own = hanCharacter.test(word) ? [word, toTraditional(word)] : [word];
  const translated = translationsOf(word).flatMap((one) =>
    hanCharacter.test(one) ? [one, toTraditional(one)] : [withoutEnding(one)],
  );
  return [...new Set([...own, ...translated])].slice(0, formsMax);
}

/** A search matches parts of words: without its ending, a word also finds its other forms. */
function withoutEnding(word: string): string {
  return word.replace(/['’]s$|[.'’-]+$/u, '').replace(/(?<=\p{Ll}{4})(?:s|es|ed|ing)$|(?<=\p{Ll}{3})s$/u, '');
}

/**
 * Each word alone in every form, and each pair of the first words: of many texts with either word, only the newest are
 * found, but those with both are among the best.
 */
function searchQueries(words: readonly SearchWord[]): readonly SearchQuery[] {
  const paired = words.slice(0, pairedMax);
  const scripts = [0, 1].map((at) =>
    paired.flatMap((one, place) =>
      paired.slice(place + 1).flatMap((other): SearchQuery[] => {
        const [first, second] = [one.forms[at], other.forms[at]];
        if (first === undefined || second === undefined) return [];
        // The second form of a Chinese word is in the other script, if it has one.
        if (at === 1 && !(isOtherScript(one) || isOtherScript(other))) return [];
        return [{ forms: [first, second], words: [one, other] }];
      }),
    ),
  );
  const alone = words.flatMap((word) => word.forms.map((form) => ({ forms: [form], words: [word] })));
  return [...scripts.flat(), ...alone];
}

function isOtherScript({ forms: [first = '', second = ''] }: SearchWord): boolean {
  return hanCharacter.test(first) && toSimplified(second) === first;
}
