import type { EntryText } from './writer.ts';
import { titleCharsMax } from './writer.ts';

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
};

/** The source's own title: fixes spaces and double escaping, removes the site's name at its end, changes no words. */
export function titleByRule({ title, sourceName }: Pick<EntryText, 'title' | 'sourceName'>): string {
  const plain = title
    .replace(/&(amp|quot|apos|lt|gt|nbsp|#39);/gu, (whole, name: string) =>
      name === '#39' ? "'" : (entities[name] ?? whole),
    )
    .replace(/\s+/gu, ' ')
    .trim();
  return shortened(withoutSiteName(plain, sourceName));
}

/** "Title | The Wire", "Title - The Wire", "Title_澎湃": only if the end is the source's own name. */
function withoutSiteName(title: string, sourceName: string): string {
  const [, rest = '', end = ''] = /^(.+?)\s*(?:[|–—_]|\s-)\s*([^|–—_]+)$/u.exec(title) ?? [];
  return rest !== '' && bare(end) === bare(sourceName) ? rest : title;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Truncates at the end of a word, with an ellipsis; in Chinese at any character. */
function shortened(title: string): string {
  if (title.length <= titleCharsMax) return title;
  const cut = title.slice(0, titleCharsMax - 1);
  const wordEnd = cut.lastIndexOf(' ');
  return `${(wordEnd > titleCharsMax / 2 ? cut.slice(0, wordEnd) : cut).trimEnd()}…`;
}
