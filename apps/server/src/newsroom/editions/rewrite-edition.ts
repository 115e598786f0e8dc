import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import { checkSentence, contentWords, readSource, splitSentences } from '../../grounding/index.ts';
import type { editions } from '../../record/index.ts';
import type { EditionCandidate } from './choose-entries.ts';
import { byImportance } from './choose-entries.ts';
import { readShownItems } from './edition-candidate-store.ts';
import type { EditionLanguage } from './write-words.ts';
import { writeWords } from './write-words.ts';

type EditionToRewrite = Parameters<editions.RewriteEdition>[0];

/**
 * After a withdrawal or correction: text by rule that cited the item is written again from the items that remain;
 * an editor's text stays, without the sentences that rest on the old words of the item.
 */
export function rewriteEditions(database: Database, language: EditionLanguage): editions.RewriteEdition {
  return async ({ before, rest, gone }) => {
    const { sections, flashes, filled = [] } = rest;
    const entryIds = sections.flatMap(({ itemIds }) => itemIds);
    const shown = await readShownItems(database, [...entryIds, ...flashes], filled);
    const entries = shown.filter(({ id }) => entryIds.includes(id));
    const written = [entries, shown].find(({ length }) => length > 0);
    if (written === undefined) return rest;
    return composeRest({ before, rest, gone }, shown, writeWords([...written].sort(byImportance), language));
  };
}

/** Text that no item supports any more is replaced by `words`; the rest of the edition stays as it is. */
export function composeRest(
  { before, rest, gone }: Omit<EditionToRewrite, 'key'>,
  shown: readonly EditionCandidate[],
  words: ReturnType<typeof writeWords>,
): editions.EditionContents {
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
  const kept = sentences.filter(
    (sentence) => !restsOn(sentence, `${gone.title}\n${gone.summary}`, remaining),
  );
  return kept.length === 0 ? null : kept.join(/\p{Script=Han}/u.test(kept[0] ?? '') ? '' : ' ');
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
