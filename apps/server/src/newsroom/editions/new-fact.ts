import type { GroundingSource } from '@daybook/grounding';
import { checkSentence, readSource, splitSentences } from '@daybook/grounding';

import type { EditionCandidate } from './choose-entries.ts';

/** An item of an earlier daily. */
export interface CarriedItem extends Pick<
  EditionCandidate,
  'id' | 'storyId' | 'groupId' | 'groupAppearedAt' | 'title' | 'summary' | 'language'
> {
  /** The article, or the part of it in the feed. */
  readonly text: string;
}

/** Names of one entity, in any language. */
export type Aliases = readonly (readonly string[])[];

/**
 * The candidates that a daily may contain: a story that was published before returns only with a later reading
 * group that states a number, name or quotation which none of the published items had.
 */
export function withoutReportedStories(
  candidates: readonly EditionCandidate[],
  carried: readonly CarriedItem[],
  aliases: Aliases,
): readonly EditionCandidate[] {
  const carriedByStory = Map.groupBy(carried, ({ storyId }) => storyId);
  return candidates.filter((candidate) => {
    const before = candidate.storyId === null ? undefined : carriedByStory.get(candidate.storyId);
    return before === undefined || addsFact(candidate, before, aliases);
  });
}

function addsFact(candidate: EditionCandidate, carried: readonly CarriedItem[], aliases: Aliases): boolean {
  const later = carried.every(
    ({ groupId, groupAppearedAt }) =>
      groupId !== candidate.groupId && groupAppearedAt < candidate.groupAppearedAt,
  );
  if (!later) return false;
  const sources = carried.map(({ title, summary, text }) =>
    readSource([title, summary, text].join('\n'), { aliases }),
  );
  // Names are spelled differently in another language, so only figures and versions count as new there.
  const comparable = carried.some(({ language }) => script(language) === script(candidate.language));
  return statesNew(candidate, sources, comparable ? comparableKinds : figureKinds);
}

const figureKinds = new Set(['number', 'unit', 'version']);
const comparableKinds = new Set([...figureKinds, 'name', 'quotation']);

function statesNew(
  { title, summary }: EditionCandidate,
  sources: readonly GroundingSource[],
  kinds: ReadonlySet<string>,
): boolean {
  const sentences = summary === '' ? [title] : splitSentences(summary);
  return sentences.some((sentence) =>
    checkSentence(sentence, sources).some(
      ({ kind, text }) => kinds.has(kind) && !(kind === 'name' && isOpeningWord(text, sentence)),
    ),
  );
}

/** Every first word has a capital, which does not prove a name. */
function isOpeningWord(name: string, sentence: string): boolean {
  return sentence.startsWith(name) && /^\p{Script=Latin}+$/u.test(name);
}

function script(language: string | null): 'han' | 'latin' {
  return /^zh\b/iu.test(language ?? '') ? 'han' : 'latin';
}
