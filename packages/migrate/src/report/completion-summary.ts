import { join } from 'node:path';

import type { Paint } from '../cli/terminal.ts';
import { plural, printable } from '../cli/terminal.ts';
import type { CommitOutcome } from '../commit/commit-chunks.ts';
import { interviewQuestions } from './interview.ts';
import type { RoutingSummary } from './routing-summary.ts';

const listedMax = 10;
const waitingWords = {
  identity: 'changes your identity file, which requires confirmation each time',
  moved: 'has the target that you chose; run approve to commit it',
  'ideal-state': 'changes an ideal-state dimension, which requires confirmation once per dimension',
  'ai-rule': 'is a rule for agents; choose a rule file, hook, permission or skill',
  duplicate: 'is already in its target',
  secret: 'contains what looks like a key, token, password or card number',
  changed: 'was edited after it was committed; run approve in a terminal to see the changes',
  'changed-source': 'was edited or deleted after the scan; scan again',
  'edited-target': 'belongs to a file that has changed since the scan; scan again or review it',
} as const;

export function totalCommitted(outcome: CommitOutcome): number {
  return [...outcome.committed.values()].reduce((sum, count) => sum + count, 0);
}

/** Phase 6 of a migration: the targets, the remaining chunks and the next steps. */
export function completionSummary(
  outcome: CommitOutcome,
  summary: RoutingSummary,
  options: {
    readonly dryRun: boolean;
    readonly paint: Paint;
    readonly root: string;
    /** Undefined without a terminal. */
    readonly columns: number | undefined;
  },
): string {
  const { paint, dryRun, root, columns } = options;
  const lines: string[] = [];
  const verb = dryRun ? 'Would commit' : 'Committed';
  lines.push(paint('bold', `${verb} ${plural(totalCommitted(outcome), 'chunk')}.`));
  for (const [target, count] of outcome.committed)
    lines.push(`  ${target.padEnd(18)} ${count.toLocaleString('en-US')}`);
  if (outcome.rejected > 0) lines.push(`Rejected ${plural(outcome.rejected, 'chunk')}.`);
  for (const { path, chunks, reason } of outcome.failures.slice(0, listedMax)) {
    lines.push(paint('red', `Not committed: ${plural(chunks, 'chunk')} for ${path}: ${reason}`));
  }
  lines.push(...waitingLines(outcome, paint));
  if (outcome.stopped) {
    lines.push('Stopped. Your answers are saved. Continue with daybook-migrate approve.');
    return lines.join('\n');
  }
  lines.push(`Remaining UNCLEAR: ${summary.unclear.toLocaleString('en-US')}`);
  if (summary.unclear > 0)
    lines.push(
      '  Review each with approve --review, or place one with approve --modify <id> --target <target>',
    );
  if (!dryRun && totalCommitted(outcome) > 0)
    lines.push(
      `Knowledge base: ${root}`,
      `Report: ${join(root, '.migration', 'report.html')}`,
      `Undo with: daybook-migrate undo --run ${outcome.run}`,
    );
  const sparse = interviewQuestions(summary);
  if (!dryRun && summary.states.committed > 0 && sparse.length > 0) {
    lines.push(
      '',
      `Your notes contain little about ${plural(sparse.length, 'area')}. Suggested interview questions:`,
    );
    for (const { target, question } of sparse.slice(0, 5))
      lines.push(`  ${target.padEnd(14)} ${wrapped(question, columns, questionIndent)}`);
    if (sparse.length > 5) lines.push(`  and ${sparse.length - 5} more in the report`);
  }
  return lines.join('\n');
}

const questionIndent = 17;

/** Lines that fit the terminal, each below the first one. */
function wrapped(text: string, columns: number | undefined, indent: number): string {
  if (columns === undefined || columns < 2 * indent) return text;
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (line.length < columns - indent) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

function waitingLines(outcome: CommitOutcome, paint: Paint): readonly string[] {
  if (outcome.waiting.length === 0) return [];
  const lines = [paint('yellow', `${plural(outcome.waiting.length, 'chunk')} waiting for your answer:`)];
  for (const { id, source, reason } of outcome.waiting.slice(0, listedMax)) {
    lines.push(`  ${id.slice(0, 8)}  ${printable(source)}: ${waitingWords[reason]}`);
  }
  if (outcome.waiting.length > listedMax) lines.push(`  and ${outcome.waiting.length - listedMax} more`);
  return [...lines, '  Run daybook-migrate approve to answer.'];
}
