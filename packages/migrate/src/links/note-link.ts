/** A link of a note to another file, not to the web. */
export interface NoteLink {
  readonly start: number;
  readonly end: number;
  readonly kind: 'wiki' | 'markdown' | 'definition';
  readonly isEmbed: boolean;
  /** The path as a person would write it, without escapes. */
  readonly path: string;
  /** What follows `#`, without it. */
  readonly anchor: string | null;
  /** Of a wikilink the text after `|`; of the others the text in the first brackets. */
  readonly label: string | null;
  /** What follows the path in Markdown: a title in quotes, with the space before it. */
  readonly title: string;
}

const pathCharsMax = 1000;
const codeSpan = '(?<code>(?<!`)(?<ticks>`{1,8})(?!`)[^]{0,2000}?(?<!`)\\k<ticks>(?!`))';
const wiki =
  '(?<wembed>!?)\\[\\[(?<wpath>[^\\]|#\\n[]{0,500})(?:#(?<wanchor>[^\\]|\\n]{0,300}))?(?:\\|(?<wlabel>[^\\]\\n]{0,500}))?\\]\\]';
const destination =
  '(?:<(?<angle>[^<>\\n]{0,1000})>|(?<bare>[^\\s()<>]{0,1000}(?:\\([^\\s()]{0,200}\\)[^\\s()<>]{0,500}){0,4}))';
const markdown = `(?<membed>!?)\\[(?<mlabel>(?:[^\\]\\[\\n]|\\\\[\\]\\[]|!\\[[^\\]\\n]{0,300}\\]\\([^)\\n]{0,500}\\)){0,500})\\]\\(\\s{0,3}${destination}(?<mtitle>\\s{1,3}(?:"[^"\\n]{0,300}"|'[^'\\n]{0,300}'))?\\s{0,3}\\)`;
const definition = `(?<=^ {0,3})\\[(?<dlabel>[^\\]\\[\\n]{1,300})\\]:[ \\t]{1,3}${destination.replaceAll('angle', 'dangle').replaceAll('bare', 'dbare')}(?<dtitle>[ \\t]{1,3}(?:"[^"\\n]{0,300}"|'[^'\\n]{0,300}'))?(?=[ \\t]*$)`;
const comment = '(?<comment><!--[^]{0,2000}?-->)';
const anything = new RegExp([codeSpan, comment, wiki, markdown, definition].join('|'), 'gm');
const outside = /^(?:[a-z][a-z\d+.-]*:|\/\/|#|$)/i;

/** The links of a text to other files, in order. Code and comments hold none. */
export function* findLinks(text: string): Generator<NoteLink> {
  for (const { start, end } of outsideFences(text)) {
    const part = text.slice(start, end);
    for (const found of part.matchAll(anything)) {
      const link = toLink(found, start);
      if (link !== null) yield link;
    }
  }
}

function toLink(found: RegExpExecArray, offset: number): NoteLink | null {
  const groups: Partial<Record<string, string>> = found.groups ?? {};
  const start = offset + found.index;
  const end = start + found[0].length;
  if (groups['wpath'] !== undefined) {
    // In a table the bar of a wikilink is escaped.
    const path = groups['wpath'].replace(/\\$/, '').trim();
    if (path === '' || outside.test(path)) return null;
    const [anchor, label] = [groups['wanchor']?.replace(/\\$/, '') ?? null, groups['wlabel'] ?? null];
    return { start, end, kind: 'wiki', isEmbed: groups['wembed'] === '!', path, anchor, label, title: '' };
  }
  const label = groups['mlabel'] ?? groups['dlabel'];
  const written = groups['angle'] ?? groups['bare'] ?? groups['dangle'] ?? groups['dbare'];
  if (label === undefined || written === undefined || outside.test(written) || written.length > pathCharsMax)
    return null;
  const at = written.indexOf('#');
  return {
    start,
    end,
    kind: groups['mlabel'] === undefined ? 'definition' : 'markdown',
    isEmbed: groups['membed'] === '!',
    path: unescaped(at === -1 ? written : written.slice(0, at)),
    anchor: at === -1 ? null : unescaped(written.slice(at + 1)),
    label,
    title: groups['mtitle'] ?? groups['dtitle'] ?? '',
  };
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path).replace(/\?[^/]*$/, '');
  } catch {
    return path;
  }
}

/** The ranges of a text outside fenced code. */
export function* outsideFences(text: string): Generator<{ readonly start: number; readonly end: number }> {
  const line = /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})([^\n]*)$/gm;
  let start = 0;
  let fence = '';
  for (const found of text.matchAll(line)) {
    const [marker = '', rest = ''] = [found[1], found[2]];
    if (fence === '') {
      if (marker.startsWith('`') && rest.includes('`')) continue;
      yield { start, end: found.index };
      fence = marker;
    } else if (marker.startsWith(fence) && rest.trim() === '') {
      fence = '';
      start = found.index + found[0].length;
    }
  }
  if (fence === '') yield { start, end: text.length };
}
