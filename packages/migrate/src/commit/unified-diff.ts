import type { FileChange, FileContent, FileCopy } from './file-change.ts';

const contextLines = 3;

/** What a change does to its file, in the form that `patch` reads. */
export function unifiedDiff(change: Pick<FileChange, 'before' | 'after'>, name: string): readonly string[] {
  if (isCopy(change.before) || isCopy(change.after)) return [`Binary file ${name} is copied`];
  const before = splitLines(change.before?.toString('utf8') ?? '');
  const after = splitLines(change.after?.toString('utf8') ?? '');
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - start;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const from = Math.max(0, start - contextLines);
  const end = Math.min(contextLines, tail);
  const removed = before.slice(start, before.length - tail);
  const added = after.slice(start, after.length - tail);
  const following = after.slice(after.length - tail, after.length - tail + end);
  const range = (lines: number): string => `${lines === 0 ? from : from + 1},${lines}`;
  const context = start - from + end;
  return [
    `--- ${change.before === null ? '/dev/null' : `a/${name}`}`,
    `+++ ${change.after === null ? '/dev/null' : `b/${name}`}`,
    `@@ -${range(context + removed.length)} +${range(context + added.length)} @@`,
    ...before.slice(from, start).map((line) => shown(' ', line)),
    ...removed.map((line) => shown('-', line)),
    ...added.map((line) => shown('+', line)),
    ...following.map((line) => shown(' ', line)),
  ];
}

function isCopy(content: FileContent): content is FileCopy {
  return content !== null && !Buffer.isBuffer(content);
}

/** Lines with their endings, so that a last line without one differs from the same line with one. */
function splitLines(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function shown(mark: string, line: string): string {
  return line.endsWith('\n') ? mark + line.slice(0, -1) : `${mark}${line}\n\\ No newline at end of file`;
}
