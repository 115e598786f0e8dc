import { join } from 'node:path';

import { secretIn } from '../notes/secret.ts';
import {
  decideChunk,
  findChunk,
  hasCommittedDuplicate,
  saveConsent,
  saveRejection,
} from '../queue/chunk-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import type { Consent, QueuedChunk } from '../queue/queued-chunk.ts';
import { destinationOf } from '../queue/queued-chunk.ts';
import type { TargetLayout } from '../targets/target-layout.ts';
import type { Target } from '../targets/target.ts';
import { isIdealState } from '../targets/target.ts';
import type {
  Asker,
  ChunkAnswer,
  ChunkQuestion,
  EditedTarget,
  IdentityAnswer,
  ManyAnswer,
  QuestionPosition,
  RuleAnswer,
  SecretNote,
  WaitingReason,
} from './approval-question.ts';
import { leaveRest } from './approval-question.ts';
import { findDuplicates } from './duplicate-check.ts';
import { changeSinceCommit, replacesCommitted } from './earlier-version.ts';
import { hashOf, readIfThere } from './file-change.ts';
import { CommitRefusedError, safeFilePath } from './safe-path.ts';
import { SourceCheck } from './source-check.ts';
import { keepTargetFile, seenTargetFile } from './target-file-store.ts';
import { placeOf } from './target-file.ts';
import { unifiedDiff } from './unified-diff.ts';

export interface ApprovalDeps {
  readonly queue: QueueHandle;
  readonly layout: TargetLayout;
  readonly ask: Asker;
  /** Ideal-state dimensions that the user has allowed in this run; each needs one answer. */
  readonly allowedDimensions: Set<Target>;
}

export interface Approval {
  readonly waiting: ReadonlyMap<string, WaitingReason>;
  readonly rejected: ReadonlySet<string>;
}

/** Larger sets get one common question first: users do not answer hundreds of questions one by one. */
const singlyMax = 3;

/**
 * Asks all questions about these chunks before any of them is written. Every answer is saved immediately, so that a
 * stopped run resumes there.
 */
export async function askApproval(
  deps: ApprovalDeps,
  chunks: () => Iterable<QueuedChunk>,
): Promise<Approval> {
  const round = new ApprovalRound(deps);
  for (const chunk of chunks()) round.add(chunk);
  await round.askAll(chunks);
  return round;
}

interface ManyQuestion {
  readonly all: (count: number, position: QuestionPosition) => Promise<ManyAnswer>;
  readonly one: (question: ChunkQuestion, position: QuestionPosition) => Promise<ChunkAnswer<boolean>>;
  readonly consent: Consent;
  readonly reason: WaitingReason;
}

class ApprovalRound implements Approval {
  readonly waiting = new Map<string, WaitingReason>();
  readonly rejected = new Set<string>();
  readonly #deps: ApprovalDeps;
  readonly #dimensions = new Map<Target, string[]>();
  readonly #identity: string[] = [];
  readonly #rules: string[] = [];
  readonly #changed: string[] = [];
  readonly #appended = new Map<string, string[]>();
  readonly #sources: SourceCheck;
  readonly #secrets = new Map<string, SecretNote>();
  #asked = 0;
  #known = 0;

  constructor(deps: ApprovalDeps) {
    this.#deps = deps;
    this.#sources = new SourceCheck(deps.queue);
  }

  add(chunk: QueuedChunk): void {
    const target = destinationOf(chunk);
    const { consent, id } = chunk;
    this.#sources.add(chunk);
    const secret = consent.secret === true ? null : secretIn(chunk.text);
    if (secret !== null) this.#secrets.set(id, { source: chunk.source, secret });
    const isChanged = replacesCommitted(this.#deps.queue.database, chunk);
    if (isChanged && consent.replace !== true) this.#changed.push(id);
    if (target === 'PRINCIPAL_IDENTITY' && consent.identity !== true) this.#identity.push(id);
    const isAllowed = consent.dimension === true || this.#deps.allowedDimensions.has(target);
    if (isIdealState(target) && !isAllowed) push(this.#dimensions, target, id);
    if (target === 'AI_RULES' && consent.rule === undefined) this.#rules.push(id);
    else {
      const place = placeOf(chunk, this.#deps.layout);
      if (place.kind === 'file') push(this.#appended, place.path, id);
    }
  }

  async askAll(chunks: () => Iterable<QueuedChunk>): Promise<void> {
    const edited = this.#editedTargets();
    this.#known = edited.length + this.#dimensions.size + this.#identity.length + this.#rules.length;
    await this.#askChangedSources();
    await this.#askSecrets();
    await this.#askChanged();
    for (const { target, ids } of edited) await this.#askEditedTarget(target, ids);
    for (const [target, ids] of this.#dimensions) {
      const isAllowed = await this.#deps.ask.dimension(target, ids.length, this.#next());
      if (isAllowed) {
        this.#deps.allowedDimensions.add(target);
        this.#consent(ids, { dimension: true });
      } else this.#wait(ids, 'ideal-state');
    }
    await this.#askOneByOne(this.#identity, this.#deps.ask.identity, 'identity', (id, answer) =>
      this.#applyIdentityAnswer(id, answer),
    );
    await this.#askOneByOne(this.#rules, this.#deps.ask.rule, 'ai-rule', (id, answer) =>
      this.#applyRuleAnswer([id], answer),
    );
    await this.#askDuplicates(chunks);
  }

  #editedTargets(): readonly { readonly target: EditedTarget; readonly ids: readonly string[] }[] {
    const { database, root } = this.#deps.queue;
    return [...this.#appended].flatMap(([place, ids]) => {
      const path = safeOrNull(root, place);
      if (path === null) return [];
      const seen = seenTargetFile(database, path);
      const now = readIfThere(join(root, path));
      if (seen === null ? now === null : seen.hash === hashOf(now)) return [];
      const before = seen?.content ?? null;
      const diff = unifiedDiff({ before: before === null ? null : Buffer.from(before), after: now }, path);
      return [{ target: { path, diff, chunks: ids.length }, ids }];
    });
  }

  async #askChangedSources(): Promise<void> {
    const changed = this.#sources.changed();
    if (changed === null) return;
    this.#known += 1;
    if (await this.#deps.ask.changedSources(changed, this.#next()))
      this.#consent(changed.ids, { source: true });
    else this.#wait(changed.ids, 'changed-source');
  }

  async #askSecrets(): Promise<void> {
    const { ask } = this.#deps;
    const ids = [...this.#secrets.keys()];
    if (ids.length === 0) return;
    this.#known += 1;
    const answer = await ask.secrets([...this.#secrets.values()], this.#next());
    if (answer === 'yes') this.#consent(ids, { secret: true });
    if (answer === 'later') this.#wait(ids, 'secret');
    if (answer !== 'one by one') return;
    this.#known += ids.length;
    for (const [id, found] of this.#secrets) {
      if (await ask.secret(found, this.#next())) this.#consent([id], { secret: true });
      else this.#wait([id], 'secret');
    }
  }

  async #askEditedTarget(edited: EditedTarget, ids: readonly string[]): Promise<void> {
    const { ask, queue } = this.#deps;
    if (await ask.editedTarget(edited, this.#next()))
      keepTargetFile(queue.database, edited.path, readIfThere(join(queue.root, edited.path)));
    else this.#wait(ids, 'edited-target');
  }

  /** One question for each chunk, until the user leaves the rest pending. */
  async #askOneByOne<T>(
    ids: readonly string[],
    ask: (question: ChunkQuestion, position: QuestionPosition) => Promise<T | typeof leaveRest>,
    reason: WaitingReason,
    onAnswer: (id: string, answer: T) => void,
  ): Promise<void> {
    for (const [at, id] of ids.entries()) {
      const chunk = this.#chunk(id);
      if (chunk === null || this.waiting.has(id)) continue;
      const answer = await ask({ chunk, othersInFile: 0, path: this.#pathOf(chunk) }, this.#next());
      if (answer === leaveRest) {
        this.#wait(ids.slice(at), reason);
        return;
      }
      onAnswer(id, answer);
    }
  }

  #applyIdentityAnswer(id: string, answer: IdentityAnswer): void {
    if (answer === true) this.#consent([id], { identity: true });
    else if (answer === false) this.#wait([id], 'identity');
    else {
      decideChunk(this.#deps.queue.database, id, { state: 'modified', chosen: answer.target, consent: {} });
      this.#wait([id], 'moved');
    }
  }

  #applyRuleAnswer(ids: readonly string[], answer: RuleAnswer): void {
    if (answer === 'later') this.#wait(ids, 'ai-rule');
    else if (answer === 'reject') {
      saveRejection(this.#deps.queue.database, ids);
      for (const id of ids) this.rejected.add(id);
    } else this.#consent(ids, { rule: answer });
  }

  async #askDuplicates(chunks: () => Iterable<QueuedChunk>): Promise<void> {
    const { queue, layout, ask } = this.#deps;
    const found = findDuplicates(queue.root, layout, this.#cleared(chunks()));
    const undecided: string[] = [];
    for (const chunk of this.#cleared(chunks())) {
      if (chunk.replaces !== null) continue;
      const isDuplicate = found.has(chunk.id) || hasCommittedDuplicate(queue.database, chunk);
      if (isDuplicate && chunk.consent.duplicate !== true) undecided.push(chunk.id);
    }
    await this.#askMany(undecided, {
      all: ask.allDuplicates,
      one: ask.duplicate,
      consent: { duplicate: true },
      reason: 'duplicate',
    });
  }

  async #askChanged(): Promise<void> {
    const { ask, queue } = this.#deps;
    await this.#askMany(this.#changed, {
      all: ask.allChanged,
      one: (question, position) =>
        ask.changed({ ...question, diff: changeSinceCommit(queue.database, question.chunk) }, position),
      consent: { replace: true },
      reason: 'changed',
    });
  }

  /** One common question for large sets, then file by file. */
  async #askMany(ids: readonly string[], question: ManyQuestion): Promise<void> {
    if (ids.length === 0) return;
    this.#known += ids.length > singlyMax ? 1 : ids.length;
    if (ids.length > singlyMax) {
      const answer = await question.all(ids.length, this.#next());
      if (answer === 'yes') this.#consent(ids, question.consent);
      if (answer === 'later') this.#wait(ids, question.reason);
      if (answer !== 'one by one') return;
      this.#known += ids.length;
    }
    for (const ofFile of Map.groupBy(ids, (id) => this.#chunk(id)?.source ?? '').values()) {
      await this.#askEach(ofFile, question.one, (answered, isAllowed) => {
        if (isAllowed) this.#consent(answered, question.consent);
        else this.#wait(answered, question.reason);
      });
    }
  }

  /** One question for each chunk of a file, until an answer is meant for the rest of it. */
  async #askEach<T>(
    ids: readonly string[],
    ask: (question: ChunkQuestion, position: QuestionPosition) => Promise<ChunkAnswer<T>>,
    onAnswer: (answered: readonly string[], answer: T) => void,
  ): Promise<void> {
    for (const [at, id] of ids.entries()) {
      const chunk = this.#chunk(id);
      if (chunk === null) continue;
      const rest = ids.slice(at + 1);
      const question = { chunk, othersInFile: rest.length, path: this.#pathOf(chunk) };
      const { answer, forFile } = await ask(question, this.#next());
      onAnswer(forFile ? [id, ...rest] : [id], answer);
      if (!forFile) continue;
      this.#known -= rest.length;
      return;
    }
  }

  #pathOf(chunk: QueuedChunk): string {
    const isUnplaced = destinationOf(chunk) === 'AI_RULES' && chunk.consent.rule === undefined;
    return isUnplaced ? '' : placeOf(chunk, this.#deps.layout).path;
  }

  *#cleared(chunks: Iterable<QueuedChunk>): Generator<QueuedChunk> {
    for (const chunk of chunks) {
      const isPlaced = destinationOf(chunk) !== 'AI_RULES' || chunk.consent.rule !== undefined;
      if (isPlaced && !this.waiting.has(chunk.id) && !this.rejected.has(chunk.id)) yield chunk;
    }
  }

  #chunk(id: string | undefined): QueuedChunk | null {
    const chunk = id === undefined ? null : findChunk(this.#deps.queue.database, id);
    return chunk === 'ambiguous' ? null : chunk;
  }

  #next(): QuestionPosition {
    this.#asked += 1;
    this.#known = Math.max(this.#known, this.#asked);
    return { at: this.#asked, of: this.#known };
  }

  #consent(ids: readonly string[], consent: Consent): void {
    saveConsent(this.#deps.queue.database, ids, consent);
  }

  #wait(ids: readonly string[], reason: WaitingReason): void {
    for (const id of ids) this.waiting.set(id, reason);
  }
}

/** Null for a target that must not be written: the write reports the error. */
function safeOrNull(root: string, path: string): string | null {
  try {
    return safeFilePath(root, path);
  } catch (error) {
    if (error instanceof CommitRefusedError) return null;
    throw error;
  }
}

function push<K>(map: Map<K, string[]>, key: K, id: string): void {
  const ids = map.get(key);
  if (ids === undefined) map.set(key, [id]);
  else ids.push(id);
}
