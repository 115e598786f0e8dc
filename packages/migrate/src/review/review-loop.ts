import type { Migration } from '../cli/migration.ts';
import { painter, printable } from '../cli/terminal.ts';
import { StoppedError } from '../commit/approval-question.ts';
import { CommitPlanner } from '../commit/commit-plan.ts';
import { findDuplicates } from '../commit/duplicate-check.ts';
import { replacesCommitted } from '../commit/earlier-version.ts';
import { unifiedDiff } from '../commit/unified-diff.ts';
import { secretIn } from '../notes/secret.ts';
import { hasCommittedDuplicate } from '../queue/chunk-store.ts';
import type { Consent, QueuedChunk } from '../queue/queued-chunk.ts';
import { destinationOf } from '../queue/queued-chunk.ts';
import type { Target } from '../targets/target.ts';
import { isIdealState } from '../targets/target.ts';
import type { Key, KeyKind } from './keyboard.ts';
import type { ReviewDevice } from './review-device.ts';
import { askRuleDestination, askTarget, askYes } from './review-question.ts';
import type { AskKey } from './review-question.ts';
import { paneHeight, reviewLines, wrapText } from './review-screen.ts';
import type { ReviewSession } from './review-session.ts';

/** The review on the screen: shows a chunk, reads a key and runs its action, until the end or a stop. */
export class ReviewLoop {
  readonly #migration: Migration;
  readonly #session: ReviewSession;
  readonly #device: ReviewDevice;
  /** A target may be thousands of notes: each chunk is looked for in it once. */
  readonly #duplicates = new Map<string, boolean>();
  #pane: 'text' | 'diff' = 'text';
  #scroll = 0;
  /** Another target than the chunk's own, tried out but not yet approved. */
  #tried: Target | null = null;
  #message: string | null = null;

  constructor(migration: Migration, session: ReviewSession, device: ReviewDevice) {
    this.#migration = migration;
    this.#session = session;
    this.#device = device;
  }

  async run(): Promise<void> {
    for (let chunk = this.#session.current(); chunk !== null; chunk = this.#session.current()) {
      const target = this.#tried ?? destinationOf(chunk);
      const key = await this.#ask(
        chunk,
        target,
        this.#message === null ? null : [this.#message, 'press any key to continue'],
      );
      this.#message = null;
      if (key.name === 'q') return;
      await this.#handle(chunk, target, key);
    }
  }

  async #handle(chunk: QueuedChunk, target: Target, key: Key): Promise<void> {
    const ask: AskKey = (footer, kind = 'key') => this.#ask(chunk, target, footer, kind);
    const page = paneHeight(this.#device.rows());
    if (key.text === 'A' || key.text === 'R') await this.#decideFile(chunk, target, key.text, ask);
    else if (key.name === 'a' || key.name === 'return') await this.#approve(chunk, target, ask);
    else if (key.name === 'r') this.#move(() => this.#session.reject());
    else if (key.name === 's' || key.name === 'right') this.#move(() => this.#session.skip(1));
    else if (key.name === 'b' || key.name === 'left') this.#move(() => this.#session.skip(-1));
    else if (key.name === 'u') this.#takeBack();
    else if (key.name === 'm') this.#tried = (await askTarget(ask)) ?? this.#tried;
    else if (/^[1-9]$/.test(key.name)) {
      this.#tried = chunk.alternatives[Number(key.name) - 1]?.target ?? this.#tried;
    } else if (key.name === 'd' || key.name === 'f') this.#turnPane();
    else if (key.name === 'up') this.#scroll -= 1;
    else if (key.name === 'down') this.#scroll += 1;
    else if (key.name === 'pageup' || key.name === '-') this.#scroll -= page;
    else if (['pagedown', 'space', '+'].includes(key.name)) this.#scroll += page;
  }

  async #approve(chunk: QueuedChunk, target: Target, ask: AskKey): Promise<void> {
    if (target === 'UNCLEAR') {
      this.#message = 'An UNCLEAR chunk needs a target first: m or 1-9.';
      return;
    }
    let consent: Consent = {};
    if (target === 'AI_RULES') {
      const rule = await askRuleDestination(ask, chunk);
      if (rule === null) return;
      consent = { rule };
    }
    if (target === 'PRINCIPAL_IDENTITY') {
      if (!(await askYes(ask, 'Write this to your identity file?'))) return;
      consent = { identity: true };
    }
    if (isIdealState(target)) {
      const { allowedDimensions } = this.#migration;
      const isAllowed =
        allowedDimensions.has(target) || (await askYes(ask, `Add notes to your ideal state for ${target}?`));
      if (!isAllowed) return;
      allowedDimensions.add(target);
      consent = { dimension: true };
    }
    if (replacesCommitted(this.#migration.queue.database, chunk)) {
      if (!(await askYes(ask, 'Replace the committed text?'))) return;
      consent = { ...consent, replace: true };
    } else if (this.#isDuplicate({ ...asIf(chunk, target), consent })) {
      if (!(await askYes(ask, 'This text is already in its target. Add it again?'))) return;
      consent = { ...consent, duplicate: true };
    }
    if (secretIn(chunk.text) !== null) consent = { ...consent, secret: true };
    this.#move(() => this.#session.approve(target, consent));
  }

  /** Questions about the other chunks follow at the commit, all together. */
  async #decideFile(chunk: QueuedChunk, target: Target, key: 'A' | 'R', ask: AskKey): Promise<void> {
    const others = this.#session.othersInFile();
    const chosen = this.#tried;
    const isUnclear = target === 'UNCLEAR';
    if (key === 'A' && isUnclear) {
      this.#message = 'An UNCLEAR chunk needs a target first: m or 1-9.';
      return;
    }
    const verb = key === 'R' ? 'Reject' : 'Approve';
    const where = key === 'R' ? '' : chosen === null ? ', each as proposed' : ` to ${chosen}`;
    const count = others === 0 ? 'this one' : `this and the ${others} after it`;
    if (!(await askYes(ask, `${verb} ${count} of ${printable(chunk.source)}${where}?`))) return;
    for (let left = others + 1; left > 0; left -= 1) {
      const next = this.#session.current();
      if (next === null) break;
      const place = chosen ?? destinationOf(next);
      if (key === 'R') this.#session.reject();
      else if (place === 'UNCLEAR') this.#session.skip(1);
      else this.#session.approve(place, {});
    }
    this.#move(() => undefined);
  }

  #move(step: () => void): void {
    step();
    this.#session.learn();
    this.#tried = null;
    this.#scroll = 0;
  }

  #takeBack(): void {
    this.#move(() => {
      if (!this.#session.undo()) this.#message = 'Nothing to undo in this review.';
    });
  }

  #turnPane(): void {
    this.#pane = this.#pane === 'text' ? 'diff' : 'text';
    this.#scroll = 0;
  }

  /** Ctrl-C stops the walk wherever it is pressed. */
  async #ask(
    chunk: QueuedChunk,
    target: Target,
    footer: readonly string[] | null,
    kind: KeyKind = 'key',
  ): Promise<Key> {
    const [columns, rows] = [this.#device.columns(), this.#device.rows()];
    const lines = this.#paneLines(chunk, target, columns);
    this.#scroll = Math.min(Math.max(this.#scroll, 0), Math.max(0, lines.length - paneHeight(rows)));
    const shown = asIf(chunk, target);
    const view = {
      chunk,
      target,
      place: this.#place(shown),
      notice: this.#notice(chunk, shown),
      position: this.#session.position,
      counts: this.#session.counts,
      pane: this.#pane,
      paneLines: lines,
      scroll: this.#scroll,
      footer: footer ?? this.#device.keys,
    };
    const screen = reviewLines(view, columns, rows, painter(this.#migration.host.stdout));
    const key = await this.#device.ask(screen, kind);
    if (key.name === 'interrupt') throw new StoppedError();
    return key;
  }

  #paneLines(chunk: QueuedChunk, target: Target, columns: number): readonly string[] {
    if (this.#pane === 'text') return wrapText(chunk.text, columns);
    if (target === 'UNCLEAR') return ['Choose a target to see what would change.'];
    const { queue, layout, stamp } = this.#migration;
    const planner = new CommitPlanner({ queue, layout, stamp });
    planner.assign([asIf(chunk, target)]);
    const plan = planner.plan([asIf(chunk, target)]);
    const refused = plan.refused.map(({ reason }) => reason);
    const changes = plan.changes.flatMap((change) => unifiedDiff(change, change.path));
    return [...refused, ...changes.flatMap((line) => printable(line).split('\n'))];
  }

  #place(chunk: QueuedChunk): string {
    const target = destinationOf(chunk);
    if (target === 'UNCLEAR') return '';
    if (target === 'AI_RULES') return 'chosen when you approve';
    const place = this.#migration.layout.place(target);
    return place.kind === 'folder' ? `a new note in ${place.path}` : place.path;
  }

  #notice(chunk: QueuedChunk, shown: QueuedChunk): string {
    if (replacesCommitted(this.#migration.queue.database, chunk))
      return 'Edited after it was committed. Press d to see the changes.';
    const isDuplicate = destinationOf(shown) !== 'UNCLEAR' && this.#isDuplicate(shown);
    const secret = secretIn(chunk.text);
    return [
      isDuplicate ? 'This text is already in its target.' : '',
      secret === null ? '' : `It contains ${secret}.`,
      this.#session.lesson,
    ]
      .join(' ')
      .trim();
  }

  #isDuplicate(chunk: QueuedChunk): boolean {
    const key = `${chunk.id} ${destinationOf(chunk)} ${JSON.stringify(chunk.consent.rule)}`;
    const known = this.#duplicates.get(key);
    if (known !== undefined) return known;
    const { queue, layout } = this.#migration;
    const isDuplicate =
      hasCommittedDuplicate(queue.database, chunk) || findDuplicates(queue.root, layout, [chunk]).size > 0;
    this.#duplicates.set(key, isDuplicate);
    return isDuplicate;
  }
}

/** The chunk as it would be committed; a rule for agents as if to the rule file until it has a place. */
function asIf(chunk: QueuedChunk, target: Target): QueuedChunk {
  const consent: Consent = target === 'AI_RULES' ? { rule: { kind: 'rule-file' } } : {};
  return { ...chunk, chosen: target, consent };
}
