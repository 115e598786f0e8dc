import { randomUUID } from 'node:crypto';

import type { CalendarClock } from '../../../apps/server/src/foundation/clock.ts';
import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import type { DraftChange } from '../../../apps/server/src/newsroom/desk/decide-drafts.ts';
import { deskJournal, drafts } from '../../../apps/server/src/newsroom/desk/index.ts';
import { createEditorDesk } from '../../../apps/server/src/newsroom/index.ts';
import type { editions, Publisher } from '../../../apps/server/src/record/index.ts';

const settings = { language: 'en', aliases: [] } as const;

export interface SavedEdit {
  readonly operationId: string;
  readonly change: DraftChange;
}

/** All responses that editors received about a draft. */
export interface DraftLog {
  readonly saved: SavedEdit[];
  readonly undone: Set<string>;
  refused: number;
  /** Saved in the last moment, while the clock reached the hour. */
  late: number;
  /** Of two editors with the same version, rounds in which not exactly one was accepted. */
  unfair: number;
}

/** A note without a fact: the check of typed text finds nothing in it. */
function noteOf(count: number): string {
  const letters = Array.from(count.toString(26), (digit) =>
    String.fromCodePoint(97 + Number.parseInt(digit, 26)),
  );
  return `edited as ${letters.join('')}.`;
}

/** Two editors who draw edits at random and send some requests twice, as a lost response makes browsers do. */
export class DraftEditors {
  readonly #database: Database;
  readonly #desk: ReturnType<typeof createEditorDesk>;
  readonly #random: () => number;
  #count = 0;

  constructor(
    database: Database,
    deps: { readonly clock: CalendarClock; readonly publisher: Publisher; readonly random: () => number },
  ) {
    this.#database = database;
    this.#desk = createEditorDesk({ database, ...deps, ...settings });
    this.#random = deps.random;
  }

  async editOneByOne(key: editions.EditionKey, log: DraftLog, count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      const draft = await drafts.readDraft(settings, this.#database, key);
      await this.#send(key, log, this.#draw(draft), drafts.versionOfDraft(draft));
      if (this.#random() < 0.15) await this.#undoOne(key, log);
    }
  }

  /** Both editors opened the same form. */
  async editAtOnce(key: editions.EditionKey, log: DraftLog): Promise<void> {
    const draft = await drafts.readDraft(settings, this.#database, key);
    const version = drafts.versionOfDraft(draft);
    const note = (): DraftChange => ({ op: 'note', language: 'en', note: noteOf((this.#count += 1)) });
    const results = await Promise.all([
      this.#send(key, log, note(), version),
      this.#send(key, log, note(), version),
    ]);
    if (results.filter((one) => one === 'saved').length !== 1) log.unfair += 1;
  }

  /** Without a version, as many as one can send; the clock may reach the hour meanwhile. */
  async editUntilTheHour(key: editions.EditionKey, log: DraftLog, count: number): Promise<void> {
    const draft = await drafts.readDraft(settings, this.#database, key);
    const results = await Promise.all(
      Array.from({ length: count }, () => this.#send(key, log, this.#draw(draft))),
    );
    log.late += results.filter((one) => one === 'saved').length;
  }

  #draw(draft: drafts.Draft): DraftChange {
    const shown = [...draft.entries, ...draft.flashes];
    const pick = <Member>(from: readonly Member[]): Member | undefined =>
      from[Math.floor(this.#random() * from.length)];
    const language = this.#random() < 0.5 ? 'en' : 'zh';
    this.#count += 1;
    const item = pick(shown)?.id;
    const drawn = this.#random();
    if (item === undefined || drawn < 0.2) {
      const text = language === 'en' ? `edition ${this.#count} of the day.` : `第 ${this.#count} 版。`;
      const words = { headline: `Headline ${text}`, overview: `Overview ${text}`, unverified: 'Simulated.' };
      return { op: 'rewrite', language, ...words };
    }
    if (drawn < 0.3) return { op: 'note', language, note: noteOf(this.#count) };
    if (drawn < 0.5) return { op: 'drop', itemId: item };
    if (drawn < 0.65) return { op: 'pin', itemId: item };
    const other = pick(draft.others)?.id;
    if (drawn < 0.8 && other !== undefined) return { op: 'add', itemId: other };
    return { op: 'move', itemId: item, beforeId: pick(shown)?.id ?? null };
  }

  async #send(
    key: editions.EditionKey,
    log: DraftLog,
    change: DraftChange,
    version?: string,
  ): Promise<'saved' | 'refused'> {
    const form = { requestId: randomUUID(), ...(version !== undefined && { version }) };
    const send = () => this.#desk.editDraft({ ...key, change, ...form });
    const results = this.#random() < 0.3 ? await Promise.all([send(), send()]) : [await send()];
    const accepted = results.flatMap((result) => (result.ok ? [result.value] : []));
    for (const { operationId } of accepted) log.saved.push({ operationId, change });
    if (accepted.length > 0) return 'saved';
    log.refused += 1;
    return 'refused';
  }

  async #undoOne({ kind, period }: editions.EditionKey, log: DraftLog): Promise<void> {
    const open = log.saved.filter(({ operationId }) => !log.undone.has(operationId));
    const chosen = open[Math.floor(this.#random() * open.length)];
    if (chosen === undefined) return;
    const journal = await deskJournal.listJournal(this.#database, { subject: period, countMax: 1_000 });
    const entry = journal.find(
      ({ detail, action, subject }) =>
        subject.kind === kind && action !== 'draft-undo' && detail['operation'] === chosen.operationId,
    );
    const undone = await this.#desk.undo({ id: entry?.id ?? '0', reason: 'Not now.' });
    if (undone.ok) log.undone.add(chosen.operationId);
  }
}

/** By the order in which the database saved them. */
export function activeEdits({ saved, undone }: DraftLog): readonly SavedEdit[] {
  return saved
    .filter(({ operationId }) => !undone.has(operationId))
    .sort((one, other) => Number(BigInt(one.operationId) - BigInt(other.operationId)));
}

/** What the published edition shows otherwise than the saved edits say; edits that fell back say nothing. */
export function contradictions(
  edition: editions.RecordedEdition,
  edits: readonly SavedEdit[],
  {
    fallen,
    eventOf,
  }: { readonly fallen: ReadonlySet<string>; readonly eventOf: ReadonlyMap<string, string> },
): readonly string[] {
  const applied = edits.filter(({ operationId }) => !fallen.has(operationId));
  const shown = new Set(
    [...edition.sections.flatMap(({ items }) => items), ...edition.flashes].map(({ id }) => id),
  );
  // By story: the last edit of a story is the one that counts.
  const last = new Map<string, { readonly id: Id<'item'>; readonly op: 'drop' | 'add' | 'pin' }>();
  const texts = new Map<string, string>();
  for (const { operationId, change } of applied) {
    if (change.op === 'drop' || change.op === 'add' || change.op === 'pin')
      last.set(eventOf.get(operationId) ?? operationId, { id: change.itemId, op: change.op });
    if (change.op === 'note') texts.set(`note ${change.language}`, change.note);
    if (change.op !== 'rewrite') continue;
    texts.set(`headline ${change.language}`, change.headline);
    texts.set(`overview ${change.language}`, change.overview);
  }
  const words = [edition, ...edition.versions];
  const found = (name: string): readonly string[] => {
    const [text = '', language = ''] = name.split(' ');
    if (text === 'note')
      return edition.notes.filter((one) => one.language === language).map((one) => one.text);
    const own = words.filter((one) => one.language === language);
    return own.map((one) => (text === 'headline' ? one.headline : one.overview));
  };
  return [
    ...[...last.values()]
      .filter(({ id, op }) => shown.has(id) === (op === 'drop'))
      .map(({ id, op }) => `${op} ${id}`),
    ...[...texts].filter(([name, text]) => !found(name).includes(text)).map(([name]) => name),
  ];
}
