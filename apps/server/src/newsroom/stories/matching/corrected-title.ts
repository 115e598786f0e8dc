import { hanBigrams, tokenize } from '@daybook/grounding/text';

import { isStopWord } from './stop-words.ts';

/** More removed words are a new wording, not the correction of a name. */
const removedWordsMax = 3;

/** Whether another title contains the error that a correction removed: its figure, or else the words that it replaced. */
export function repeatsError(
  title: string,
  correction: { readonly before: string; readonly after: string },
): boolean {
  const [before, after, other] = [correction.before, correction.after, title].map(wordsOf) as [
    TitleWords,
    TitleWords,
    TitleWords,
  ];
  const figures = [...before.figures].filter((figure) => !after.figures.has(figure));
  if (figures.length > 0) return figures.some((figure) => other.figures.has(figure));
  const removed = before.words.difference(after.words);
  return removed.size > 0 && removed.size <= removedWordsMax && removed.isSubsetOf(other.words);
}

interface TitleWords {
  readonly figures: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

function wordsOf(title: string): TitleWords {
  const tokens = tokenize(title);
  return {
    figures: new Set(tokens.filter(({ kind }) => kind === 'number').map(({ text }) => text)),
    words: new Set(
      tokens.flatMap(({ kind, text }) =>
        kind === 'han' ? hanBigrams(text) : kind === 'word' && !isStopWord(text) ? [text] : [],
      ),
    ),
  };
}
