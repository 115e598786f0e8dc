import { outsideFences } from '../links/note-link.ts';

const charsMax = 20_000;

/** What the form of a note says about it. */
export interface NoteBody {
  /** Words outside code, embeds, headings and properties. */
  readonly proseWords: number;
  readonly hasView: boolean;
  readonly hasPlaceholders: boolean;
  /** Lines of code and commands, of all lines with text. */
  readonly codeShare: number;
  /** Lines with code inside a sentence, of all lines with text. */
  readonly inlineShare: number;
  /** Lines with a link, of all lines with text. */
  readonly linkShare: number;
}

const embed = /!\[\[[^\]\n]{1,500}\]\]|^%%[^]{0,2000}?%%$/gm;
const placeholder = /\{\{[^{}\n]{1,80}\}\}|<%[^%\n]{1,200}%>|<%\*/;
const view =
  /^(?:`{3,}|~{3,})\s*(?:dataview|dataviewjs|base|tasks|query|tracker|kanban)\b|!\[\[[^\]\n]{1,200}\.base/m;
const commandLine = /^\s*(?:\$ |>>> |#!\/|sudo |npm |pip |apt(?:-get)? |git |docker |curl |cd )/;

export function readBody(text: string): NoteBody {
  const shown = text.slice(0, charsMax);
  const open = Array.from(outsideFences(shown), ({ start, end }) => shown.slice(start, end)).join('\n');
  const lines = open.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const prose = open
    .replace(embed, ' ')
    .split('\n')
    .filter((line) => !/^\s*(?:#{1,6}\s|[-*_]{3,}\s*$|\|?[\s:|-]+\|?$)/.test(line))
    .join('\n');
  const fenced = shown.split('\n').length - open.split('\n').length;
  const count = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length;
  const all = Math.max(lines.length + Math.max(fenced, 0), 1);
  return {
    proseWords: (prose.match(/[\p{Script=Han}]|[\p{L}\p{N}]+/gu) ?? []).length,
    hasView: view.test(shown) || embed.test(shown),
    hasPlaceholders: placeholder.test(shown),
    codeShare: (count(commandLine) + Math.max(fenced, 0)) / all,
    inlineShare: count(/`[^`\n]+`/) / all,
    linkShare: count(/\]\(|https?:\/\//) / all,
  };
}
