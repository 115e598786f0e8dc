import { setTimeout as delay } from 'node:timers/promises';

import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { FaultyChanges } from './faulty-changes.ts';
import { FaultyRequests } from './faulty-requests.ts';
import type { UploadMethod } from './faulty-uploads.ts';
import { storeUnderFault } from './faulty-uploads.ts';
import type { GeneratedContent } from './generated-content.ts';
import { createContents } from './generated-content.ts';
import type { KnownFile } from './known-file.ts';
import { knownFile, setContent } from './known-file.ts';
import type { LargeFiles } from './large-files.ts';

type Random = () => number;

/** The state that all clients of a run share. */
export interface FaultyWork {
  readonly stage: StorageStage;
  readonly projectId: string;
  readonly methods: readonly UploadMethod[];
  readonly sizeOf: (random: Random) => number;
  readonly large: LargeFiles;
  /** The average pause between two actions. */
  readonly pauseMs: number;
  /** The end of the run. */
  readonly signal: AbortSignal;
}

/** After a failure a client waits, as clients do: else a restarting process is hardly able to start. */
const failedPauseMs = 100;
/** Files beyond this number are deleted, so that reading all of them ends. */
const filesMax = 40;
/** Fewer than a file may have, so that none goes by itself. */
const versionsMax = 15;

/** Changes its own files in every possible way while processes die, and knows the expected state. */
export class FaultyClient {
  readonly files = new Set<KnownFile>();
  readonly purged: KnownFile[] = [];
  readonly requests: FaultyRequests;
  readonly #work: FaultyWork;
  readonly #name: string;
  readonly #random: Random;
  readonly #changes: FaultyChanges;
  readonly #contentOf: (length: number) => GeneratedContent;
  readonly #folders: (string | null)[] = [null];
  #named = 0;

  constructor(work: FaultyWork, name: string, random: Random) {
    this.#work = work;
    this.#name = name;
    this.#random = random;
    this.requests = new FaultyRequests(work.stage, random);
    this.#changes = new FaultyChanges(work.stage, this.requests, random);
    this.#contentOf = createContents(random);
  }

  /** Its own folders, created before the first fault. */
  async makeFolders(count: number): Promise<void> {
    for (let made = 0; made < count; made += 1) {
      const path = `/api/v1/projects/${this.#work.projectId}/folders`;
      const answer = await this.#work.stage.ask('POST', path, { name: `${this.#name} folder ${made}` });
      this.#folders.push(answer.json<{ id: string }>().id);
    }
  }

  async work(): Promise<void> {
    const { signal, pauseMs } = this.#work;
    while (!signal.aborted) {
      const { unanswered } = this.requests;
      await this.#act();
      await delay(this.requests.unanswered > unanswered ? failedPauseMs : 2 * pauseMs * this.#random());
    }
  }

  async #act(): Promise<void> {
    const file = this.#pick([...this.files]);
    const isFull = this.files.size >= filesMax;
    if (file === undefined || (!isFull && this.#random() < 0.2)) await this.#storeNew();
    else if (file.state !== 'live') await this.#settle(file);
    else if (!file.isPlaceKnown) await this.#changes.look(file);
    else if (isFull && this.#random() < 0.5) await this.#changes.delete(file);
    else await this.#change(file);
  }

  async #change(file: KnownFile): Promise<void> {
    const chance = this.#random();
    const isFull = file.versions >= versionsMax;
    if (chance < 0.25 && !isFull) await this.#overwrite(file);
    else if (chance < 0.4) {
      const copy = await this.#changes.copy(file, this.#newPlace());
      if (copy !== null) this.files.add(copy);
    } else if (chance < 0.5) await this.#changes.move(file, this.#newPlace());
    else if (chance < 0.62 || isFull) await this.#changes.read(file);
    else if (chance < 0.75) await this.#changes.restoreVersion(file);
    else if (chance < 0.8) await this.#changes.letVersionsExpire(file);
    else await this.#changes.delete(file);
  }

  /** Once nothing fails any more nothing is left unknown. */
  async settleAll(): Promise<void> {
    for (const file of this.files) if (file.state === 'unknown') await this.#settle(file);
  }

  /** What is in the trash, or may be, is restored or goes for good. */
  async #settle(file: KnownFile): Promise<void> {
    if (!(await this.#isGone(file))) return;
    this.files.delete(file);
    this.purged.push(file);
  }

  async #isGone(file: KnownFile): Promise<boolean> {
    const chance = file.state === 'trashed' ? this.#random() : 1;
    if (chance < 0.4) return this.#changes.purge(file);
    if (chance < 0.7) return this.#changes.letExpire(file);
    return !(await this.#changes.restore(file));
  }

  async #storeNew(): Promise<void> {
    const place = this.#newPlace();
    const { id, sha256 } = await this.#store(place);
    if (id !== null) this.files.add(knownFile(id, place, sha256));
  }

  async #overwrite(file: KnownFile): Promise<void> {
    const { name, folderId } = file;
    file.versions += 1;
    const { id, sha256 } = await this.#store({ name, folderId });
    if (id === null) file.possible.add(sha256);
    else if (id === file.id) setContent(file, sha256);
    else {
      // A request without a response had moved it after all.
      file.isPlaceKnown = false;
      this.files.add(knownFile(id, { name, folderId }, sha256));
    }
  }

  async #store(place: { name: string; folderId: string | null }) {
    const { large, methods, projectId, sizeOf, signal } = this.#work;
    const turn = large.take();
    const content = this.#contentOf(turn === null ? sizeOf(this.#random) : large.bytes);
    const method = turn ?? this.#pick(methods) ?? 'in one request';
    const sha256 = await content.sha256();
    const upload = { place: { ...place, projectId }, content, method };
    const id = await storeUnderFault(this.requests, upload, signal, this.#random);
    if (turn !== null) large.end(id !== null);
    return { id, sha256 };
  }

  #newPlace(): { name: string; folderId: string | null } {
    const folderId = this.#pick(this.#folders) ?? null;
    return { name: `${this.#name} ${(this.#named += 1)}`, folderId };
  }

  #pick<Value>(values: readonly Value[]): Value | undefined {
    return values[Math.floor(this.#random() * values.length)];
  }
}
