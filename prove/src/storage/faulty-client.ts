import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { StageAnswer } from '../../../apps/server/test/accounts-stage.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { sendBytes } from '../../../apps/server/test/storage-stage.ts';
import { FaultyTus } from './faulty-tus.ts';

/** A file as its client was last told; `null` where no answer came and either may be true. */
export interface KnownFile {
  readonly id: string;
  readonly name: string;
  sha256: string | null;
  trashed: boolean | null;
}

type Random = () => number;
type StoreAnswer = { readonly status: number; readonly body: Buffer };

const triesMax = 40;
/** After a failure a client waits, as clients do: else a process that starts anew hardly gets to. */
const pauseMs = 100;

/** Stores, overwrites, moves, deletes and restores its own files while processes die under it. */
export class FaultyClient {
  readonly files: KnownFile[] = [];
  unexpected = 0;
  answered = 0;
  unanswered = 0;
  readonly #stage: StorageStage;
  readonly #projectId: string;
  readonly #name: string;
  readonly #random: Random;
  readonly #tus: FaultyTus;
  readonly #sizes: readonly number[];
  #named = 0;

  constructor(
    stage: StorageStage,
    project: { readonly id: string; readonly sizes: readonly number[] },
    name: string,
    random: Random,
  ) {
    this.#stage = stage;
    this.#projectId = project.id;
    this.#sizes = project.sizes;
    this.#name = name;
    this.#random = random;
    this.#tus = new FaultyTus(stage, random);
  }

  async act(): Promise<void> {
    const { unanswered } = this;
    await this.#actOnce();
    if (this.unanswered > unanswered) await delay(pauseMs);
  }

  async #actOnce(): Promise<void> {
    const file = this.files[Math.floor(this.#random() * this.files.length)];
    const chance = this.#random();
    if (file === undefined || chance < 0.3) await this.#storeInOne();
    else if (chance < 0.55) await this.#storeInSteps(`${this.#name} ${(this.#named += 1)}`);
    else if (file.trashed !== false) await this.#mark(file, 'restore');
    else if (chance < 0.75) await this.#storeInSteps(file.name, file);
    else await this.#mark(file, 'delete');
  }

  #bytes(): Buffer {
    return randomBytes(this.#sizes[Math.floor(this.#random() * this.#sizes.length)] ?? 0);
  }

  /** Not repeated: where no answer came, nothing is known about it. */
  async #storeInOne(): Promise<void> {
    const bytes = this.#bytes();
    const name = `${this.#name} ${(this.#named += 1)}`;
    const path = `/api/v1/projects/${this.#projectId}/files?name=${encodeURIComponent(name)}`;
    const answer = await this.#send('POST', path, bytes);
    if (answer?.status === 201) this.#know(name, bytes, answer.body);
    else this.#count(answer?.status ?? null, 201);
  }

  /** Repeated until it is answered, as the guide says. */
  async #storeInSteps(name: string, file?: KnownFile): Promise<void> {
    const bytes = this.#bytes();
    const attempt = await this.#begin(name, bytes);
    if (attempt === null) return;
    for (let tries = 0; tries < triesMax; tries += 1) {
      const answer = await attempt();
      if (answer?.status === 200) {
        if (file === undefined) this.#know(name, bytes, answer.body);
        else {
          file.sha256 = hashOf(bytes);
          this.answered += 1;
        }
        return;
      }
      // 409: it lay in the trash by then, as an earlier request without an answer had wished.
      if (answer !== null && answer.status < 500) break;
    }
    if (file !== undefined) file.sha256 = null;
    this.unanswered += 1;
  }

  /** Takes the room, and answers how the bytes are sent, by one of the methods there are. */
  async #begin(name: string, bytes: Buffer): Promise<(() => Promise<StoreAnswer | null>) | null> {
    const method = this.#random();
    if (method < 0.4) {
      const fields = { projectId: this.#projectId, filename: name, ifTaken: 'version' };
      const created = await this.#tus.create(fields, bytes.length);
      const { location = '' } = created?.headers ?? {};
      if (!this.#count(created?.status ?? null, 201)) return null;
      return () => this.#tus.send(location, bytes);
    }
    const body = { projectId: this.#projectId, name, size: bytes.length, ifTaken: 'version' };
    const reserved = await this.#ask('POST', '/api/v1/uploads', body);
    if (!this.#count(reserved?.status ?? null, 201) || reserved === null) return null;
    const { id } = reserved.json<{ id: string }>();
    const isDirect = this.#stage.bucket.direct !== null && method < 0.7;
    return isDirect
      ? () => this.#sendPart(id, bytes)
      : () => this.#send('PUT', `/api/v1/uploads/${id}/content`, bytes);
  }

  /** To the bucket itself, whatever has arrived before; answers as the upload in one request does. */
  async #sendPart(id: string, bytes: Buffer): Promise<StoreAnswer | null> {
    const signed = await this.#ask('POST', `/api/v1/uploads/${id}/parts`, { parts: [{ number: 1 }] });
    // 409: it is completed, or being completed, since an answer was lost.
    if (signed === null || (signed.status !== 200 && signed.status !== 409)) return statusAlone(signed);
    if (signed.status === 200) {
      const url = signed.json<{ parts: { url: string }[] }>().parts[0]?.url ?? '';
      const body = new Uint8Array(bytes);
      const put = await fetch(url, { method: 'PUT', body }).catch(() => null);
      if (put?.ok !== true) return null;
    }
    const done = await this.#ask('POST', `/api/v1/uploads/${id}/complete`, {});
    if (done?.status !== 200) return statusAlone(done);
    const { fileId } = done.json<{ fileId: string | null }>();
    return fileId === null ? null : { status: 200, body: Buffer.from(JSON.stringify({ id: fileId })) };
  }

  async #mark(file: KnownFile, verb: 'delete' | 'restore'): Promise<void> {
    const path = `/api/v1/files/${file.id}`;
    const answer =
      verb === 'delete'
        ? await this.#ask('DELETE', path)
        : await this.#ask('POST', `${path}/restore`, { ifTaken: 'rename' });
    if (answer === null || answer.status >= 500) file.trashed = null;
    // What is deleted twice is not found the second time.
    else if (answer.status < 300 || answer.status === 404) file.trashed = verb === 'delete';
    this.#count(answer?.status === 404 ? 204 : (answer?.status ?? null), verb === 'delete' ? 204 : 200);
  }

  #know(name: string, bytes: Buffer, body: Buffer): void {
    const { id } = JSON.parse(body.toString()) as { id: string };
    this.files.push({ id, name, sha256: hashOf(bytes), trashed: false });
    this.answered += 1;
  }

  #count(status: number | null, done: number): boolean {
    if (status === null || status >= 500) this.unanswered += 1;
    else if (status === done) this.answered += 1;
    else this.unexpected += 1;
    return status === done;
  }

  async #ask(method: string, path: string, json?: unknown): Promise<StageAnswer | null> {
    return this.#stage.ask(method, path, json).catch(() => null);
  }

  async #send(method: string, path: string, bytes: Buffer) {
    const { processes, headers } = this.#stage;
    const { port = 0 } = processes[Math.floor(this.#random() * processes.length)] ?? {};
    return sendBytes(port, { method, path, headers }, bytes);
  }
}

/** 202 is no end: it is asked again, as after no answer. */
function statusAlone(answer: StageAnswer | null): StoreAnswer | null {
  return answer === null || answer.status === 202 ? null : { status: answer.status, body: Buffer.alloc(0) };
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
