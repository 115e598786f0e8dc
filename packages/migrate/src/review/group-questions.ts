import { chooseTarget } from '../cli/choose-target.ts';
import type { Choice, Dialog } from '../cli/dialog.ts';
import type { Migration } from '../cli/migration.ts';
import { percent, plural, printable } from '../cli/terminal.ts';
import { secretIn } from '../notes/secret.ts';
import type { ChunkGroup, GroupedChunk } from '../queue/chunk-group-store.ts';
import { examplesOf, groupsByFolder, readGroups } from '../queue/chunk-group-store.ts';
import { decideChunk, findChunk, markApproved, saveConsent } from '../queue/chunk-store.ts';
import { inTransaction } from '../queue/queue-database.ts';
import type { Target } from '../targets/target.ts';
import { isIdealState, isWholeTarget } from '../targets/target.ts';
import { excerpt } from './excerpt.ts';

type GroupAnswer = 'keep' | 'rest' | 'move' | 'some' | 'except' | 'folders' | 'later' | 'undo' | 'stop';

const secretsShown = 6;
const likelyMax = 3;
/** Of a large group these are asked for the likely targets. */
const likelyFrom = 50;
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
    if ((await review.ask(group, position)) === 'stop') return false;
  }
}

/** An answer about notes that can be taken back until they are committed. */
interface GroupDecision {
  readonly chunks: readonly GroupedChunk[];
  readonly target: Target;
  /** True if it is the first decision of this run about an ideal-state dimension. */
  readonly isNewDimension: boolean;
}

class GroupReview {
  asked = 0;
  readonly #decisions: GroupDecision[] = [];
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

  /** `others` are the further folders of the same group. */
  async ask(group: ChunkGroup, position: string, others = 0): Promise<GroupAnswer> {
    const secrets = secretsOf(this.#migration, group.chunks);
    this.#dialog.note(
      groupLines(group, secrets, roomFor(this.#migration)).join('\n'),
      `${group.target}, ${percent(group.confidence)}: ${placeWords(this.#migration, group.target)}`,
    );
    const answer = await this.#dialog.select<GroupAnswer>({
      message: `${position} · ${question(group)}`,
      choices: groupChoices(group, others, this.#decisions.at(-1)),
      initial: 'later',
    });
    if (answer === 'undo') this.#undo();
    if (answer === 'keep' || answer === 'rest') this.#decide(group.chunks, null, secrets);
    if (answer === 'move') await this.#move(group.chunks, group.target, secrets);
    if (answer === 'some') await this.#moveSome(group, secrets);
    if (answer === 'except') await this.#approveExcept(group, secrets);
    if (answer === 'later') this.#leave(group.chunks);
    return answer === 'folders' ? this.#askFolders(group, position) : answer;
  }

  /** Notes that an answer about an earlier folder has moved are listed with their new target. */
  async #askFolders(group: ChunkGroup, position: string): Promise<GroupAnswer> {
    const parts = groupsByFolder(group);
    for (const [at, part] of parts.entries()) {
      const left = this.#pending(group.target, part.chunks);
      const [folder] = groupsByFolder({ ...part, chunks: left });
      if (folder === undefined) continue;
      const others = parts.length - at - 1;
      const answer = await this.ask(folder, `${position}, folder ${at + 1} of ${parts.length}`, others);
      if (answer === 'stop' || answer === 'undo') return answer;
      if (answer !== 'rest') continue;
      const rest = this.#pending(
        group.target,
        parts.slice(at + 1).flatMap(({ chunks }) => chunks),
      );
      if (rest.length > 0) this.#decide(rest, null, secretsOf(this.#migration, rest));
      return answer;
    }
    return 'folders';
  }

  /** Those of the notes that are still proposed for the target. */
  #pending(target: Target, chunks: readonly GroupedChunk[]): readonly GroupedChunk[] {
    const ids = new Set(chunks.map(({ id }) => id));
    const now = this.remaining().find((group) => group.target === target)?.chunks ?? [];
    return now.filter(({ id }) => ids.has(id));
  }

  /** The way back repeats the question about the group. */
  async #move(chunks: readonly GroupedChunk[], proposed: Target, secrets: Secrets): Promise<void> {
    const likely = likelyTargets(this.#migration, chunks, proposed);
    const target = await chooseTarget(this.#dialog, { except: [proposed], likely });
    if (target === null) this.asked -= 1;
    else this.#decide(chunks, target, secrets);
  }

  /** Repeats the question about the group, without the notes that are like the moved ones. */
  async #moveSome(group: ChunkGroup, secrets: Secrets): Promise<void> {
    const marked = await this.#mark(group, 'Select the notes for another target');
    if (marked.size === 0) return;
    const chosen = group.chunks.filter(({ id }) => marked.has(id));
    await this.#move(chosen, group.target, secrets);
  }

  /** The marked notes stay pending, the others are approved. */
  async #approveExcept(group: ChunkGroup, secrets: Secrets): Promise<void> {
    const left = await this.#mark(group, 'Select the notes that stay pending');
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

  /** The notes of the last answer are pending again, and what it taught is forgotten. */
  #undo(): void {
    const last = this.#decisions.pop();
    if (last === undefined) return;
    const { queue, allowedDimensions, learner } = this.#migration;
    inTransaction(queue.database, () => {
      for (const { id, chosen } of last.chunks)
        decideChunk(queue.database, id, { state: 'scanned', chosen, consent: {} });
    });
    if (last.isNewDimension) allowedDimensions.delete(last.target);
    learner.refresh();
    this.asked = Math.max(0, this.asked - 2);
  }

  #decide(chunks: readonly GroupedChunk[], target: Target | null, secrets: Secrets): void {
    const [first] = chunks;
    if (first === undefined) return;
    const isNewDimension = !this.#migration.allowedDimensions.has(first.target);
    this.#decisions.push({ chunks, target: target ?? first.target, isNewDimension });
    approve(this.#migration, chunks, target, secrets);
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

function groupChoices(
  group: ChunkGroup,
  others: number,
  last: GroupDecision | undefined,
): readonly Choice<GroupAnswer>[] {
  const count = group.chunks.length;
  return [
    { value: 'keep', label: count === 1 ? 'Yes' : 'Yes, all' },
    ...(others > 0
      ? [
          {
            value: 'rest' as const,
            label: `Also ${others === 1 ? 'the other folder' : `the other ${others} folders`} of the group`,
          },
        ]
      : []),
    { value: 'move', label: 'Another target' },
    ...(count > 1
      ? [
          { value: 'some' as const, label: 'Move some to another target' },
          { value: 'except' as const, label: 'All except some' },
        ]
      : []),
    ...(group.folders.size > 1 ? [{ value: 'folders' as const, label: 'Ask folder by folder' }] : []),
    { value: 'later', label: 'Later' },
    ...(last === undefined
      ? []
      : [
          {
            value: 'undo' as const,
            label: 'Undo the last answer',
            hint: `${plural(last.chunks.length, 'note')} for ${last.target}`,
          },
        ]),
    { value: 'stop', label: 'Stop here' },
  ];
}

/** What looks like a secret in the notes of a group, by chunk. */
type Secrets = ReadonlyMap<string, string>;

function secretsOf({ queue }: Migration, chunks: readonly GroupedChunk[]): Secrets {
  const found = new Map<string, string>();
  for (const { id } of chunks) {
    const chunk = findChunk(queue.database, id);
    const secret = chunk === null || chunk === 'ambiguous' ? null : secretIn(chunk.text);
    if (secret !== null) found.set(id, secret);
  }
  return found;
}

/** The alternatives of the notes, the likeliest first. */
function likelyTargets(
  { queue }: Migration,
  chunks: readonly GroupedChunk[],
  proposed: Target,
): readonly Target[] {
  const sums = new Map<Target, number>();
  for (const { id } of chunks.slice(0, likelyFrom)) {
    const chunk = findChunk(queue.database, id);
    if (chunk === null || chunk === 'ambiguous') continue;
    for (const { target, confidence } of chunk.alternatives)
      if (target !== proposed) sums.set(target, (sums.get(target) ?? 0) + confidence);
  }
  const sorted = [...sums].sort(([, one], [, other]) => other - one);
  return sorted.slice(0, likelyMax).map(([target]) => target);
}

function placeWords({ layout }: Migration, target: Target): string {
  if (target === 'UNCLEAR' || target === 'AI_RULES') return 'decided one by one';
  const { kind, path } = layout.place(target);
  if (kind === 'file') return `added to ${path}`;
  return isWholeTarget(target) ? `whole notes in ${path}` : `new notes in ${path}`;
}

interface Room {
  readonly examples: number;
  readonly folders: number;
  readonly columns: number;
}

/** On a screen of 24 lines, two examples and the question fit; a box takes ten columns. */
function roomFor({ host, lines }: Migration): Room {
  const columns = lines === null ? Math.min(Math.max(host.stdout.columns - 10, 40), 100) : 76;
  const isSmall = lines === null && host.stdout.rows < 30;
  return { examples: isSmall ? 2 : 3, folders: isSmall ? 3 : 6, columns };
}

function groupLines(group: ChunkGroup, found: Secrets, room: Room): readonly string[] {
  const folders = [...group.folders]
    .slice(0, room.folders)
    .map(([name, count]) => `${printable(name)} (${count})`);
  const more = group.folders.size - folders.length;
  const lines = [`From ${folders.join(', ')}${more > 0 ? ` and ${plural(more, 'other folder')}` : ''}`, ''];
  for (const { source, reason, opening } of examplesOf(group).slice(0, room.examples)) {
    lines.push(printable(source), `  because ${printable(reason)}`, `  ${excerpt(opening, room.columns)}`);
  }
  const secrets = group.chunks.flatMap(({ id, source }) => {
    const secret = found.get(id);
    return secret === undefined ? [] : [`${printable(source)} contains ${secret}`];
  });
  if (secrets.length > 0) lines.push('', 'Check before you approve:', ...secrets.slice(0, secretsShown));
  if (secrets.length > secretsShown) lines.push(`and ${secrets.length - secretsShown} more`);
  return lines;
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
