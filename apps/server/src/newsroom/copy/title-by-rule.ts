import { headlineOf } from '../../ingest/extract/index.ts';
import type { EntryText } from './writer.ts';
import { titleCharsMax } from './writer.ts';

/** The source's own title: fixes spaces and double escaping, removes names of the site around it, changes no words. */
export function titleByRule({
  title,
  sourceName,
  url,
  titleEnds = [],
}: Pick<EntryText, 'title' | 'sourceName' | 'url' | 'titleEnds'>): string {
  const host = url !== undefined && URL.canParse(url) ? [new URL(url).hostname] : [];
  return shortened(headlineOf(title, { headlines: [], sites: [sourceName, ...host, ...titleEnds] }));
}

/** Truncates at the end of a word, with an ellipsis; in Chinese at any character. */
function shortened(title: string): string {
  if (title.length <= titleCharsMax) return title;
  const cut = title.slice(0, titleCharsMax - 1);
  const wordEnd = cut.lastIndexOf(' ');
  return `${(wordEnd > titleCharsMax / 2 ? cut.slice(0, wordEnd) : cut).trimEnd()}…`;
}
