import { openFenceAtEnd } from '../chunks/markdown-block.ts';
import { outsideFences } from '../links/note-link.ts';

/** The text of a chunk in a target: without surrounding blank lines and with all blocks closed. */
export function chunkBody(text: string): string {
  const body = text
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  return body + unclosedMarkup(body);
}

/**
 * A fence or comment that the note never closed would swallow everything that is appended later. A fence inside a list
 * item or a quotation ends with it, closed or not.
 */
function unclosedMarkup(body: string): string {
  const fence = openFenceAtEnd(body);
  if (fence !== null) return `\n${fence}`;
  let isOpen = false;
  for (const { start, end } of outsideFences(body)) {
    const text = body.slice(start, end);
    const opened = text.lastIndexOf('<!--');
    if (opened !== -1) isOpen = text.indexOf('-->', opened) === -1;
    else if (text.includes('-->')) isOpen = false;
  }
  return isOpen ? '\n-->' : '';
}

/** What the next piece must know of the file it is appended to. */
export interface FileEnd {
  readonly eol: '\n' | '\r\n';
  /** The last few characters; empty where the file is. */
  readonly tail: string;
}

export function fileEnd(text: string): FileEnd {
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', tail: text.slice(-4) };
}

/** The separator between the end of a file and an appended piece. */
export function insertedSpan({ eol, tail }: FileEnd, pieces: readonly string[]): string {
  const gap = tail === '' || /(?:\n|\r\n)\r?\n$/.test(tail) ? '' : tail.endsWith('\n') ? eol : eol + eol;
  return gap + pieces.join('\n').replace(/\n/g, eol) + eol;
}
