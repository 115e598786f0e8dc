import { headlineOf } from '../../ingest/extract/index.ts';
import { titleWithoutInstructions } from './instructions-in-text.ts';
import type { EntryText } from './writer.ts';
import { titleCharsMax } from './writer.ts';

/**
 * The source's own title: fixes spaces and double escaping, removes names of the site and instructions to machines around
 * it, changes no words. Empty if the whole title is an instruction.
 */
export function titleByRule({
  title,
  sourceName,
  url,
  titleEnds = [],
  isTitleAccepted = false,
}: Pick<EntryText, 'title' | 'sourceName' | 'url' | 'titleEnds' | 'isTitleAccepted'>): string {
  const host = url !== undefined && URL.canParse(url) ? [new URL(url).hostname] : [];
  const read = title.slice(0, 2 * titleCharsMax);
  const headline = headlineOf(read, { headlines: [], sites: [sourceName, ...host, ...titleEnds] });
  return shortened(isTitleAccepted ? headline : titleWithoutInstructions(headline));
}

/** Truncates at the end of a word, with an ellipsis; in Chinese at any character. */
function shortened(title: string): string {
  if (title.length <= titleCharsMax) return title;
  const cut = title.slice(0, titleCharsMax - 1);
  const wordEnd = cut.lastIndexOf(' ');
  return `${(wordEnd > titleCharsMax / 2 ? cut.slice(0, wordEnd) : cut).trimEnd()}…`;
}
