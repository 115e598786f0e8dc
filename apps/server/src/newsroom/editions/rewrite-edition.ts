import { checkSentence, contentWords, readSource, splitSentences } from '@daybook/grounding';

import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { editions } from '../../record/index.ts';
import type { EditionCandidate } from './choose-entries.ts';
import { byImportance } from './choose-entries.ts';
import { entriesIn } from './compose-edition.ts';
import { readShownItems } from './edition-candidate-store.ts';
import type { WordedItem } from './write-words.ts';
import { wordsIn, writeWords } from './write-words.ts';

type EditionToRewrite = Parameters<editions.RewriteEdition>[0];

/**
 * After a withdrawal or correction: text by rule that cited the item is written again from the items that remain, in
 * each language; an editor's text stays, without the sentences that rest on the old words of the item.
 */
export function rewriteEditions(database: Database, language: ReaderLanguage): editions.RewriteEdition {
  return async ({ before, rest, gone }) => {
    const { sections, flashes, filled = [], reports = [] } = rest;
    const entryIds = sections.flatMap(({ itemIds }) => itemIds);
    const cited = [...entryIds, ...flashes, ...reports.map(({ itemId }) => itemId)];
    const shown = await readShownItems(database, cited, filled);
    const entries = shown.filter(({ id }) => entryIds.includes(id));
    const written = [entries, shown].find(({ length }) => length > 0)?.toSorted(byImportance);
    if (written === undefined) return rest;
    const read = reports.flatMap(({ itemId, ...report }) =>
      shown.filter(({ id }) => id === itemId).map((item) => ({ ...report, item })),
    );
    const own = rest.language ?? language;
    const words = writeWords(entriesIn(own, written, read), own);
    const { versions: _, ...others } = composeRest({ before, rest, gone }, shown, words);
    const versions = (before.versions ?? []).flatMap((version) =>
      rewriteVersion({ before: version, rest, gone }, shown, entriesIn(version.language, written, read)),
    );
    return versions.length === 0 ? others : { ...others, versions };
  };
}

/** None without text in its language. */
function rewriteVersion(
  { before, rest, gone }: WordsToRewrite & { readonly before: EditionVersion; readonly rest: Rest },
  shown: readonly EditionCandidate[],
  entries: readonly WordedItem[],
): readonly EditionVersion[] {
  const { language } = before;
  const version = rest.versions?.find((one) => one.language === language);
  const cleared = { ...before, headlineCites: [], overviewCites: [] };
  const words = wordsIn(language, entries);
  const next = composeRest({ before, rest: version ?? cleared, gone }, shown, words ?? cleared);
  const byEditor = next.byEditor ?? [];
  const isWritten = words !== null || (byEditor.includes('headline') && byEditor.includes('overview'));
  return isWritten ? [{ ...next, language }] : [];
}

type EditionVersion = NonNullable<editions.EditionContents['versions']>[number];
type Words = Omit<EditionVersion, 'language'>;
type Rest = EditionToRewrite['rest'];

interface WordsToRewrite {
  readonly before: Words;
  readonly gone: EditionToRewrite['gone'];
}

/** Text that no item supports any more is replaced by `words`; the rest stays as it is. */
export function composeRest<Rest extends Words>(
  { before, rest, gone }: WordsToRewrite & { readonly rest: Rest },
  shown: readonly EditionCandidate[],
  words: Words,
): Rest {
  const shownIds = new Set(shown.map(({ id }) => id));
  const still = (cites: readonly Id<'item'>[]) => cites.filter((id) => shownIds.has(id));
  const byEditor = before.byEditor ?? [];
  const headline = byEditor.includes('headline') ? withoutGone([before.headline], gone, shown) : null;
  const overview = byEditor.includes('overview')
    ? withoutGone(splitSentences(before.overview), gone, shown)
    : null;
  const isGone = (text: 'headline' | 'overview', cites: readonly Id<'item'>[]): boolean =>
    cites.length === 0 || byEditor.includes(text);
  return {
    ...rest,
    ...(headline !== null
      ? { headline, headlineCites: still(before.headlineCites) }
      : isGone('headline', rest.headlineCites)
        ? { headline: words.headline, headlineCites: words.headlineCites }
        : {}),
    ...(overview !== null
      ? { overview, overviewCites: still(before.overviewCites) }
      : isGone('overview', rest.overviewCites)
        ? { overview: words.overview, overviewCites: words.overviewCites }
        : {}),
    byEditor: byEditor.filter((text) => (text === 'headline' ? headline : overview) !== null),
  };
}

/** The sentences that do not rest on the old words of the item; null if none remains. */
function withoutGone(
  sentences: readonly string[],
  gone: EditionToRewrite['gone'],
  shown: readonly EditionCandidate[],
): string | null {
  const remaining = shown.map(({ title, summary }) => `${title}\n${summary}`);
  const supported = sentences.filter(
    (sentence) => !restsOn(sentence, `${gone.title}\n${gone.summary}`, remaining),
  );
  return supported.length === 0
    ? null
    : supported.join(/\p{Script=Han}/u.test(supported[0] ?? '') ? '' : ' ');
}

/** The items that a text by an editor rests on: the others alone would not support it. */
export function itemsBehind(text: string, items: readonly WordedItem[]): readonly Id<'item'>[] {
  const wordsOf = ({ title, summary }: WordedItem): string => `${title}\n${summary}`;
  const sentences = splitSentences(text);
  return items
    .filter((item) => {
      const others = items.filter((one) => one !== item).map(wordsOf);
      return sentences.some((sentence) => restsOn(sentence, wordsOf(item), others));
    })
    .map(({ id }) => id);
}

/** Half of its words, or one of its facts, are those of the old text and of no remaining item. */
function restsOn(sentence: string, gone: string, remaining: readonly string[]): boolean {
  const sources = remaining.map((text) => readSource(text));
  const unsupported = checkSentence(sentence, sources).length;
  if (checkSentence(sentence, [...sources, readSource(gone)]).length < unsupported) return true;
  const words = contentWords(sentence);
  const known = new Set(remaining.flatMap((text) => [...contentWords(text)]));
  const onlyGone = words.intersection(contentWords(gone)).difference(known);
  return onlyGone.size > 0 && onlyGone.size * 2 >= words.size;
}
