import { createHash } from 'node:crypto';

import type { StageAnswer } from '../../../apps/server/test/accounts-stage.ts';
import type { FlowingBytes, SentAnswer, StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { sendBytes } from '../../../apps/server/test/storage-stage.ts';

type Headers = Readonly<Record<string, string>>;

/** Requests to any process, null without a complete response; and counts of the responses. */
export class FaultyRequests {
  answered = 0;
  unanswered = 0;
  /** Responses that no fault explains. */
  readonly unexpected: string[] = [];
  /** The number of each action. */
  readonly done: Record<string, number> = {};
  readonly #stage: StorageStage;
  readonly #random: () => number;

  constructor(stage: StorageStage, random: () => number) {
    this.#stage = stage;
    this.#random = random;
  }

  /** True if it was done; otherwise it is counted as without a response, or as unexpected. */
  count(what: string, status: number | null, expected: number): boolean {
    if (status === null || status >= 500) this.unanswered += 1;
    else if (status === expected) {
      this.answered += 1;
      this.done[what] = (this.done[what] ?? 0) + 1;
    } else this.unexpected.push(`${what}: ${status}`);
    return status === expected;
  }

  async ask(method: string, path: string, json?: unknown): Promise<StageAnswer | null> {
    return this.#stage.ask(method, path, json).catch(() => null);
  }

  async send(
    method: string,
    path: string,
    bytes: Buffer | FlowingBytes = Buffer.alloc(0),
    own: Headers = {},
  ): Promise<SentAnswer | null> {
    const headers = { ...this.#stage.headers, ...own };
    return sendBytes(this.#port(), { method, path, headers }, bytes);
  }

  /** Of a content that is read to its end. */
  async readHash(path: string): Promise<{ readonly status: number; readonly sha256: string } | null> {
    try {
      const { headers } = this.#stage;
      const { status, body } = await fetch(`http://127.0.0.1:${this.#port()}${path}`, { headers });
      const hash = createHash('sha256');
      for await (const chunk of body ?? []) hash.update(chunk);
      return { status, sha256: hash.digest('hex') };
    } catch {
      return null;
    }
  }

  #port(): number {
    const { processes } = this.#stage;
    return processes[Math.floor(this.#random() * processes.length)]?.port ?? 0;
  }
}
