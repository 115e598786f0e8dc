import type { Host } from '../cli/host.ts';
import type { LineInput } from '../cli/line-dialog.ts';
import type { Key, KeyKind } from './keyboard.ts';
import { openKeyboard } from './keyboard.ts';

/** Where a review is shown and where its keys come from. */
export interface ReviewDevice {
  readonly columns: () => number;
  readonly rows: () => number;
  /** The list of keys at the foot. */
  readonly keys: readonly string[];
  readonly ask: (lines: readonly string[], kind: KeyKind) => Promise<Key>;
  readonly close: () => void;
}

/** The alternate screen, so that the person's own scroll-back is left as it was. */
export function screenDevice({ stdin, stdout }: Host): ReviewDevice {
  const keyboard = openKeyboard(stdin);
  stdout.write('\u001b[?1049h\u001b[?25l\u001b[2J');
  return {
    columns: () => stdout.columns,
    rows: () => stdout.rows,
    keys: [
      'a approve   1-9 other target   m choose target   r reject   s skip   b back',
      'A R rest of the file   d diff/text   ↑ ↓ PgUp PgDn scroll   u undo   q stop',
    ],
    ask: (lines) => {
      stdout.write(`\u001b[H${lines.map((line) => `${line}\u001b[K`).join('\r\n')}\u001b[J`);
      return keyboard.next();
    },
    close: () => {
      stdout.write('\u001b[?25h\u001b[?1049l');
      keyboard.close();
    },
  };
}

const lineColumns = 100;
const lineRows = 60;

/** One line of standard input is one key; where the answer is a text, the line is the text. */
export function lineDevice({ stdout }: Host, input: LineInput): ReviewDevice {
  let typed: Key[] = [];
  return {
    columns: () => lineColumns,
    rows: () => lineRows,
    keys: [
      'a approve, 1-9 other target, m choose target, r reject, s skip, b back, A R the same for the rest of',
      'this file, d diff or text, + - next and previous page, u undo, q stop',
    ],
    ask: async (lines, kind) => {
      if (kind === 'key') typed = [];
      const pending = typed.shift();
      if (pending !== undefined) return pending;
      stdout.write(`\n${withoutGaps(lines).join('\n')}\n`);
      const line = await input.next('> ');
      // Enter alone approves nothing: a script may send blank lines.
      if (kind === 'key') return { name: line === '' ? 'blank' : keyName(line), text: line };
      const characters = Array.from(line, (text) => ({ name: text, text }));
      typed = [...(line === '' ? [] : [{ name: 'clear', text: '' }]), ...characters];
      typed.push({ name: 'return', text: '' });
      return typed.shift() ?? { name: 'return', text: '' };
    },
    close: () => undefined,
  };
}

function keyName(line: string): string {
  return /^yes$/i.test(line) ? 'y' : line.toLowerCase();
}

function withoutGaps(lines: readonly string[]): readonly string[] {
  return lines.filter((line, at) => line.trim() !== '' || (lines[at - 1] ?? '').trim() !== '');
}
