import type { Choice, Dialog } from '../cli/dialog.ts';
import type { Migration } from '../cli/migration.ts';
import { percent, plural, printable } from '../cli/terminal.ts';
import { secretIn } from '../notes/secret.ts';
import type { ChunkGroup, GroupedChunk } from '../queue/chunk-group-store.ts';
import { examplesOf, groupsByFolder, readGroups } from '../queue/chunk-group-store.ts';
import { decideChunk, findChunk, markApproved, saveConsent } from '../queue/chunk-store.ts';
import { inTransaction } from '../queue/queue-database.ts';
import type { Target } from '../targets/target.ts';
import { targets } from '../targets/target.ts';

type GroupAnswer = 'keep' | 'move' | 'except' | 'folders' | 'later' | 'stop';

const foldersShown = 6;
const notesOffered = 200;

/** Asks about the pending notes of one target at a time, the most certain first. False if the user stops. */
export async function askGroups(migration: Migration, dialog: Dialog): Promise<boolean> {
  const groups = readGroups(migration.queue.database);
  for (const [at, group] of groups.entries()) {
    if (!(await askGroup(migration, dialog, group, `${at + 1} of ${groups.length}`))) return false;
  }
  return true;
}

async function askGroup(
  migration: Migration,
  dialog: Dialog,
  group: ChunkGroup,
  position: string,
): Promise<boolean> {
  const secrets = secretsOf(migration, group);
  dialog.note(groupLines(group, secrets).join('\n'), `${group.target}, ${percent(group.confidence)}`);
  const answer = await dialog.select<GroupAnswer>({
    message: `${position} · Approve ${plural(group.chunks.length, 'note')} for ${group.target}?`,
    choices: groupChoices(group),
    initial: 'later',
  });
  if (answer === 'stop') return false;
  if (answer === 'keep') approve(migration, group.chunks, null, secrets);
  if (answer === 'move')
    approve(migration, group.chunks, await askOtherTarget(dialog, group.target), secrets);
  if (answer === 'except') await askExceptions(migration, dialog, group, secrets);
  if (answer === 'folders') {
    for (const part of groupsByFolder(group))
      if (!(await askGroup(migration, dialog, part, position))) return false;
  }
  return true;
}

function groupChoices(group: ChunkGroup): readonly Choice<GroupAnswer>[] {
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

/** What looks like a secret in the notes of a group, by chunk. */
type Secrets = ReadonlyMap<string, string>;

function secretsOf({ queue }: Migration, group: ChunkGroup): Secrets {
  const found = new Map<string, string>();
  for (const { id } of group.chunks) {
    const chunk = findChunk(queue.database, id);
    const secret = chunk === null || chunk === 'ambiguous' ? null : secretIn(chunk.text);
    if (secret !== null) found.set(id, secret);
  }
  return found;
}

function groupLines(group: ChunkGroup, found: Secrets): readonly string[] {
  const folders = [...group.folders]
    .slice(0, foldersShown)
    .map(([name, count]) => `${printable(name)} (${count})`);
  const more = group.folders.size - folders.length;
  const lines = [`From ${folders.join(', ')}${more > 0 ? ` and ${plural(more, 'other folder')}` : ''}`, ''];
  for (const { source, reason, opening } of examplesOf(group)) {
    lines.push(printable(source), `  because ${printable(reason)}`, `  ${firstWords(opening)}`);
  }
  const secrets = group.chunks.flatMap(({ id, source }) => {
    const secret = found.get(id);
    return secret === undefined ? [] : [`${printable(source)} contains ${secret}`];
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

function askOtherTarget(dialog: Dialog, proposed: Target): Promise<Target> {
  const names = targets.filter((target) => target !== proposed && target !== 'UNCLEAR');
  return dialog.select<Target>({
    message: 'Which target?',
    choices: names.map((value) => ({ value, label: value })),
  });
}

/** The marked notes stay pending, the others are approved. */
async function askExceptions(
  migration: Migration,
  dialog: Dialog,
  group: ChunkGroup,
  secrets: Secrets,
): Promise<void> {
  const offered = group.chunks.slice(0, notesOffered);
  const marked = await dialog.mark<string>({
    message: 'Mark the notes that stay pending',
    choices: offered.map(({ id, source }) => ({ value: id, label: printable(source) })),
  });
  const left = new Set(marked);
  const kept = group.chunks.filter(({ id }) => !left.has(id));
  approve(migration, kept, null, secrets);
}

/** The question has listed the secrets, so that the commit does not ask about them again. */
function approve(
  { queue }: Migration,
  chunks: readonly GroupedChunk[],
  target: Target | null,
  secrets: Secrets,
): void {
  const ids = chunks.map(({ id }) => id);
  inTransaction(queue.database, () => {
    if (target === null) markApproved(queue.database, ids);
    else
      for (const id of ids)
        decideChunk(queue.database, id, { state: 'modified', chosen: target, consent: {} });
    saveConsent(
      queue.database,
      ids.filter((id) => secrets.has(id)),
      { secret: true },
    );
  });
}
