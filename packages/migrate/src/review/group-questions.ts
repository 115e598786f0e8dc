import type { Choice, Dialog } from '../cli/dialog.ts';
import type { Migration } from '../cli/migration.ts';
import { percent, plural, printable } from '../cli/terminal.ts';
import { secretIn } from '../notes/secret.ts';
import type { ChunkGroup, GroupedChunk } from '../queue/chunk-group-store.ts';
import { examplesOf, groupsByFolder, readGroups } from '../queue/chunk-group-store.ts';
import { decideChunk, findChunk, markApproved, saveConsent } from '../queue/chunk-store.ts';
import { inTransaction } from '../queue/queue-database.ts';
import type { Target } from '../targets/target.ts';
import { isIdealState, targets } from '../targets/target.ts';

type GroupAnswer = 'keep' | 'move' | 'some' | 'except' | 'folders' | 'later' | 'stop';

const foldersShown = 6;
const notesOffered = 200;

/**
 * Asks about the pending notes of one target at a time, the most certain first. Every answer may change the proposals
 * of the remaining notes, so that the groups are read again after each. False if the user stops.
 */
export async function askGroups(migration: Migration, dialog: Dialog): Promise<boolean> {
  const review = new GroupReview(migration, dialog);
  for (;;) {
    const groups = review.remaining();
    const [group] = groups;
    if (group === undefined) return true;
    review.asked += 1;
    const position = `${review.asked} of ${review.asked + groups.length - 1}`;
    if (!(await review.ask(group, position))) return false;
  }
}

class GroupReview {
  asked = 0;
  readonly #migration: Migration;
  readonly #dialog: Dialog;
  /** Chunks that were left for later. */
  readonly #left = new Set<string>();

  constructor(migration: Migration, dialog: Dialog) {
    this.#migration = migration;
    this.#dialog = dialog;
  }

  remaining(): readonly ChunkGroup[] {
    return readGroups(this.#migration.queue.database, this.#left);
  }

  async ask(group: ChunkGroup, position: string): Promise<boolean> {
    const secrets = secretsOf(this.#migration, group);
    this.#dialog.note(
      groupLines(group, secrets, examplesThatFit(this.#migration)).join('\n'),
      `${group.target}, ${percent(group.confidence)}`,
    );
    const answer = await this.#dialog.select<GroupAnswer>({
      message: `${position} · ${question(group)}`,
      choices: groupChoices(group),
      initial: 'later',
    });
    if (answer === 'stop') return false;
    if (answer === 'keep') this.#decide(group.chunks, null, secrets);
    if (answer === 'move') await this.#move(group.chunks, group.target, secrets);
    if (answer === 'some') await this.#moveSome(group, secrets);
    if (answer === 'except') await this.#approveExcept(group, secrets);
    if (answer === 'later') this.#leave(group.chunks);
    return answer === 'folders' ? this.#askFolders(group, position) : true;
  }

  /** Notes that an answer about an earlier folder has moved are listed with their new target. */
  async #askFolders(group: ChunkGroup, position: string): Promise<boolean> {
    for (const part of groupsByFolder(group)) {
      const ids = new Set(part.chunks.map(({ id }) => id));
      const now = this.remaining().find(({ target }) => target === group.target)?.chunks ?? [];
      const [left] = groupsByFolder({ ...part, chunks: now.filter(({ id }) => ids.has(id)) });
      if (left !== undefined && !(await this.ask(left, position))) return false;
    }
    return true;
  }

  /** Only the way back is preselected; it repeats the question about the group. */
  async #move(chunks: readonly GroupedChunk[], proposed: Target, secrets: Secrets): Promise<void> {
    const names = targets.filter((target) => target !== proposed && target !== 'UNCLEAR');
    const target = await this.#dialog.select<Target | null>({
      message: 'Which target?',
      choices: [
        { value: null, label: 'Back', hint: 'move nothing' },
        ...names.map((value) => ({ value, label: value })),
      ],
      initial: null,
    });
    if (target === null) this.asked -= 1;
    else this.#decide(chunks, target, secrets);
  }

  /** Repeats the question about the group, without the notes that are like the moved ones. */
  async #moveSome(group: ChunkGroup, secrets: Secrets): Promise<void> {
    const marked = await this.#mark(group, 'Mark the notes that go elsewhere');
    if (marked.size === 0) return;
    const chosen = group.chunks.filter(({ id }) => marked.has(id));
    await this.#move(chosen, group.target, secrets);
  }

  /** The marked notes stay pending, the others are approved. */
  async #approveExcept(group: ChunkGroup, secrets: Secrets): Promise<void> {
    const left = await this.#mark(group, 'Mark the notes that stay pending');
    const kept = group.chunks.filter(({ id }) => !left.has(id));
    this.#leave(group.chunks.filter(({ id }) => left.has(id)));
    if (kept.length > 0) this.#decide(kept, null, secrets);
  }

  async #mark(group: ChunkGroup, message: string): Promise<ReadonlySet<string>> {
    const offered = group.chunks.slice(0, notesOffered);
    const choices = offered.map(({ id, source }) => ({ value: id, label: printable(source) }));
    return new Set(await this.#dialog.mark<string>({ message, choices }));
  }

  #leave(chunks: readonly GroupedChunk[]): void {
    for (const { id } of chunks) this.#left.add(id);
  }

  #decide(chunks: readonly GroupedChunk[], target: Target | null, secrets: Secrets): void {
    approve(this.#migration, chunks, target, secrets);
    const [first] = chunks;
    if (first === undefined) return;
    const ids = chunks.map(({ id }) => id);
    const kind = target === null ? 'approval' : 'correction';
    const { sentence } = this.#migration.learner.learn(ids, target ?? first.target, kind);
    if (sentence !== '') this.#migration.host.stdout.write(`\n${sentence}\n`);
  }
}

/** For an ideal-state dimension this is the user's decision about it, so that the commit does not ask again. */
function question({ chunks, target }: ChunkGroup): string {
  const notes = plural(chunks.length, 'note');
  return isIdealState(target)
    ? `Add ${notes} to your ideal state for ${target}?`
    : `Approve ${notes} for ${target}?`;
}

function groupChoices(group: ChunkGroup): readonly Choice<GroupAnswer>[] {
  const count = group.chunks.length;
  return [
    { value: 'keep', label: count === 1 ? 'Yes' : 'Yes, all' },
    { value: 'move', label: 'Another target' },
    ...(count > 1
      ? [
          { value: 'some' as const, label: 'Move some to another target' },
          { value: 'except' as const, label: 'Yes, except some' },
        ]
      : []),
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

/** On a screen of 24 lines, two examples and the question fit. */
function examplesThatFit({ host, lines }: Migration): number {
  return lines === null && host.stdout.rows < 30 ? 2 : 3;
}

function groupLines(group: ChunkGroup, found: Secrets, examples: number): readonly string[] {
  const folders = [...group.folders]
    .slice(0, foldersShown)
    .map(([name, count]) => `${printable(name)} (${count})`);
  const more = group.folders.size - folders.length;
  const lines = [`From ${folders.join(', ')}${more > 0 ? ` and ${plural(more, 'other folder')}` : ''}`, ''];
  for (const { source, reason, opening } of examplesOf(group).slice(0, examples)) {
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

/** The question has named the secrets and the dimension, so that the commit does not ask about them again. */
function approve(
  { queue, allowedDimensions }: Migration,
  chunks: readonly GroupedChunk[],
  target: Target | null,
  secrets: Secrets,
): void {
  const ids = chunks.map(({ id }) => id);
  const proposed = chunks[0]?.target;
  const isDimension = target === null && proposed !== undefined && isIdealState(proposed);
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
    if (isDimension) saveConsent(queue.database, ids, { dimension: true });
  });
  if (isDimension) allowedDimensions.add(proposed);
}
