import { stripVTControlCharacters } from 'node:util';

/** The output: a terminal with its width, or a file or pipe, which has none. */
export interface Screen {
  readonly columns: number;
  readonly isTerminal: boolean;
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const joining = /\p{Mn}|\p{Me}|\u200d/u;
/** Breaks lines, moves the cursor or changes the direction of the surrounding text. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Third-party text in one line, without control sequences for the terminal. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/gu, ' ').replace(unprintable, '').trim();
}

/** What a terminal interprets, except line breaks and tabs. */
const interpreted = /(?![\t\n])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The last step before an output: messages and names of a server must not control the terminal. Only the colours of
 * `painter` stay. A document for a program stays as it is: of these, its strings contain no characters below the blank.
 */
export function withoutControls(text: string, { isTerminal }: Pick<Screen, 'isTerminal'>): string {
  return text.replace(interpreted, (character, at: number) => {
    const isKept = isTerminal ? ownColours.some((one) => text.startsWith(one, at)) : character >= ' ';
    return isKept ? character : '';
  });
}

/** How many cells of a terminal a text takes up. */
export function cellsOf(text: string): number {
  let cells = 0;
  for (const character of text) if (!joining.test(character)) cells += wide.test(character) ? 2 : 1;
  return cells;
}

/** A column: exactly as many cells, cut with an ellipsis or filled with blanks. */
export function column(text: string, cells: number): string {
  const fitted = cellsOf(text) <= cells ? text : cut(text, cells);
  return fitted + ' '.repeat(Math.max(0, cells - cellsOf(fitted)));
}

function cut(text: string, cells: number): string {
  let out = '';
  let used = 1;
  for (const character of text) {
    used += cellsOf(character);
    if (used > cells) break;
    out += character;
  }
  return `${out}…`;
}

/** Lines that fit, broken between words, and between any two characters of Chinese. */
export function wrapped(text: string, cells: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of text.match(
    /\p{Script=Han}|[\u3000-\u303f\uff00-\uff60]|\s+|[^\s\p{Script=Han}\u3000-\u303f\uff00-\uff60]+/gu,
  ) ?? []) {
    if (line !== '' && cellsOf(line) + cellsOf(piece.trimEnd()) > cells) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += line === '' ? piece.trimStart() : piece;
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()];
}

interface Output {
  readonly screen: Screen;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Paint = (style: 'bold' | 'dim' | 'cyan', text: string) => string;

const codes = { bold: [1, 22], dim: [2, 22], cyan: [36, 39] } as const;
const ownColours = Object.values(codes)
  .flat()
  .map((code) => `\u001b[${code}m`);

/** Colours only at a terminal, and not where NO_COLOR is set (https://no-color.org). */
export function painter({ screen, env }: Output): Paint {
  if (!screen.isTerminal || (env['NO_COLOR'] ?? '') !== '') return (_style, text) => text;
  return (style, text) => `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m`;
}
