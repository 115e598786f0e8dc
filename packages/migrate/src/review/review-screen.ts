import type { Paint } from '../cli/terminal.ts';
import { clip, percent, printable } from '../cli/terminal.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { trustOf } from '../queue/queued-chunk.ts';
import type { Target } from '../targets/target.ts';
import type { ReviewCounts } from './review-session.ts';

export interface ReviewView {
  readonly chunk: QueuedChunk;
  readonly target: Target;
  /** Where it would be written, relative to the root. */
  readonly place: string;
  /** Additional information in one line. */
  readonly notice: string;
  readonly position: { readonly at: number; readonly of: number };
  readonly counts: ReviewCounts;
  readonly pane: 'text' | 'diff';
  readonly paneLines: readonly string[];
  readonly scroll: number;
  /** The list of keys, or a question or a message instead. */
  readonly footer: readonly string[];
}

const keyLines = 2;
const headLines = 8;

/** How many lines of the note fit on a screen of this height. */
export function paneHeight(rows: number): number {
  return Math.max(3, rows - headLines - keyLines - 2);
}

/** The whole screen as lines that fit it. */
export function reviewLines(
  view: ReviewView,
  columns: number,
  rows: number,
  paint: Paint,
): readonly string[] {
  const { chunk, target, position, counts } = view;
  const height = paneHeight(rows);
  const trust = trustOf(chunk.confidence);
  const color = trust === 'trusted' ? 'green' : trust === 'medium' ? 'yellow' : 'red';
  const rule = '─'.repeat(Math.max(10, columns - 2));
  const isProposed = target === chunk.proposed;
  const sure = isProposed
    ? target === 'UNCLEAR'
      ? 'choose a target with m or 1-9'
      : `${percent(chunk.confidence)}, ${trust}`
    : 'your choice; press a to approve';
  const decided = `${counts.approved} approved, ${counts.modified} moved, ${counts.rejected} rejected`;
  const shown = view.paneLines.slice(view.scroll, view.scroll + height);
  const more = view.paneLines.length - view.scroll - shown.length;
  const pane = shown.map((line) => ` ${paintDiff(view.pane, clip(line, columns - 2), paint)}`);
  const lines = [
    ` ${paint('bold', `Review ${position.at} of ${position.of}`)}   ${decided}`,
    ` ${rule}`,
    ` ${clip(printable([chunk.source, ...chunk.headings].join(' › ')), columns - 2)}`,
    ` ${paint('bold', `→ ${target}`)}  ${paint(isProposed ? color : 'cyan', sure)}  ${clip(view.place, columns - 40)}`,
    ` ${clip(`because ${chunk.reasons.slice(0, 3).map(printable).join('; ') || 'no evidence for any target'}`, columns - 2)}`,
    ` ${clip(alternativesLine(chunk, columns - 4), columns - 2)}`,
    view.notice === '' ? '' : ` ${paint('yellow', view.notice)}`,
    ` ${view.pane === 'diff' ? '─ changes ' : '─ text '}${more > 0 ? `(${more} more lines) ` : ''}`,
    ...pane,
    ...Array.from({ length: height - pane.length }, () => ''),
    ` ${rule}`,
    ...view.footer.map((line) => ` ${clip(line, columns - 2)}`),
  ];
  return lines.slice(0, rows);
}

/** Alternatives are in the order of their confidence; less than this says nothing. */
const shownFrom = 0.02;
const otherTarget = '   m any other';

/** As many as fit; each has the key of its place. */
function alternativesLine(chunk: QueuedChunk, columns: number): string {
  if (chunk.alternatives.length === 0) return 'or m for any other target';
  const others = chunk.alternatives
    .slice(0, 9)
    .filter(({ confidence }, at) => at === 0 || confidence >= shownFrom)
    .map(({ target, confidence }, at) => `${at + 1} ${target} ${percent(confidence)}`);
  const shown = others.filter((_, at) => {
    const line = `or ${others.slice(0, at + 1).join('   ')}${otherTarget}`;
    return at === 0 || line.length <= columns;
  });
  return `or ${shown.join('   ')}${otherTarget}`;
}

function paintDiff(pane: 'text' | 'diff', line: string, paint: Paint): string {
  if (pane === 'text') return line;
  if (line.startsWith('+')) return paint('green', line);
  return line.startsWith('-') ? paint('red', line) : line;
}

/** A note's text broken into lines that fit, without hiding any of it. */
export function wrapText(text: string, columns: number): readonly string[] {
  const width = Math.max(20, columns - 4);
  return printable(text.replace(/\r\n?/g, '\n').trimEnd())
    .split('\n')
    .flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): readonly string[] {
  const out: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const at = space > width / 2 ? space + 1 : width;
    out.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...out, rest];
}
