import { multiselect, note, select } from '@clack/prompts';

import { parseTarget } from '../cli/command-line.ts';
import type { Migration } from '../cli/migration.ts';
import { unlessStopped } from '../cli/terminal-asker.ts';
import { percent, plural, printable } from '../cli/terminal.ts';
import { secretIn } from '../notes/secret.ts';
import type { ChunkGroup, GroupedChunk } from '../queue/chunk-group-store.ts';
import { examplesOf, groupsByFolder, readGroups } from '../queue/chunk-group-store.ts';
import { decideChunk, findChunk, markApproved } from '../queue/chunk-store.ts';
import { inTransaction } from '../queue/queue-database.ts';
import type { Target } from '../targets/target.ts';
import { targets } from '../targets/target.ts';

type GroupAnswer = 'keep' | 'move' | 'except' | 'folders' | 'later' | 'stop';

const foldersShown = 6;
const notesOffered = 200;

/** Asks about the pending notes of one target at a time, the most certain first. False if the user stops. */
export async function askGroups(migration: Migration): Promise<boolean> {
  const groups = readGroups(migration.queue.database);
  for (const [at, group] of groups.entries()) {
    if (!(await askGroup(migration, group, `${at + 1} of ${groups.length}`))) return false;
  }
  return true;
}

async function askGroup(migration: Migration, group: ChunkGroup, position: string): Promise<boolean> {
  note(groupLines(migration, group).join('\n'), `${group.target}, ${percent(group.confidence)}`);
  const answer = unlessStopped(
    await select<GroupAnswer>({
      message: `${position} · Approve ${plural(group.chunks.length, 'note')} for ${group.target}?`,
      options: groupOptions(group),
      initialValue: 'later',
    }),
  );
  if (answer === 'stop') return false;
  if (answer === 'keep') approve(migration, group.chunks, null);
  if (answer === 'move') approve(migration, group.chunks, await askOtherTarget(group.target));
  if (answer === 'except') await askExceptions(migration, group);
  if (answer === 'folders') {
    for (const part of groupsByFolder(group)) if (!(await askGroup(migration, part, position))) return false;
  }
  return true;
}

function groupOptions(group: ChunkGroup): { value: GroupAnswer; label: string }[] {
  const count = group.chunks.length;
  return [
    { value: 'keep', label: count === 1 ? 'Yes' : 'Yes, all' },
    { value: 'move', label: 'Another target' },
    ...(count > 1 ? [{ value: 'except' as const, label: 'Yes, except some' }] : []),
    ...(group.folders.size > 1 ? [{ value: 'folders' as const, label: 'Ask folder by folder' }] : []),
    { value: 'later', label: 'Later' },
    { value: 'stop', label: 'Stop here' },
  ];
}

function groupLines({ queue }: Migration, group: ChunkGroup): readonly string[] {
  const folders = [...group.folders]
    .slice(0, foldersShown)
    .map(([name, count]) => `${printable(name)} (${count})`);
  const more = group.folders.size - folders.length;
  const lines = [`From ${folders.join(', ')}${more > 0 ? ` and ${plural(more, 'other folder')}` : ''}`, ''];
  for (const { source, reason, opening } of examplesOf(group)) {
    lines.push(printable(source), `  because ${printable(reason)}`, `  ${firstWords(opening)}`);
  }
  const secrets = group.chunks.flatMap(({ id, source }) => {
    const chunk = findChunk(queue.database, id);
    const secret = chunk === null || chunk === 'ambiguous' ? null : secretIn(chunk.text);
    return secret === null ? [] : [`${printable(source)} contains ${secret}`];
  });
  if (secrets.length > 0) lines.push('', 'Check before you approve:', ...secrets.slice(0, foldersShown));
  if (secrets.length > foldersShown) lines.push(`and ${secrets.length - foldersShown} more`);
  return lines;
}

function firstWords(opening: string): string {
  return printable(
    opening
      .replace(/^---\n[^]*?\n---\n/, '')
      .replace(/\s+/g, ' ')
      .trim(),
  ).slice(0, 70);
}

async function askOtherTarget(proposed: Target): Promise<Target> {
  const names = targets.filter((target) => target !== proposed && target !== 'UNCLEAR');
  const chosen = await select<string>({
    message: 'Which target?',
    maxItems: 12,
    options: names.map((name) => ({ value: name, label: name })),
  });
  return parseTarget(unlessStopped(chosen));
}

/** The marked notes stay pending, the others are approved. */
async function askExceptions(migration: Migration, group: ChunkGroup): Promise<void> {
  const offered = group.chunks.slice(0, notesOffered);
  const marked = unlessStopped(
    await multiselect<string>({
      message: 'Mark the notes that stay pending (space marks, Enter confirms)',
      maxItems: 12,
      required: false,
      options: offered.map(({ id, source }) => ({ value: id, label: printable(source) })),
    }),
  );
  const left = new Set(marked);
  approve(
    migration,
    group.chunks.filter(({ id }) => !left.has(id)),
    null,
  );
}

function approve({ queue }: Migration, chunks: readonly GroupedChunk[], target: Target | null): void {
  inTransaction(queue.database, () => {
    if (target === null) {
      markApproved(
        queue.database,
        chunks.map(({ id }) => id),
      );
      return;
    }
    for (const { id } of chunks)
      decideChunk(queue.database, id, { state: 'modified', chosen: target, consent: {} });
  });
}
