import type { IncomingHttpHeaders } from 'node:http';

import type { CachedAnswers } from '../../foundation/http/fast-path.ts';
import type { CachedPost } from '../../foundation/http/route.ts';

/** What an answer was made of: an address of this server, and the tag of what it said. */
export interface RouteRead {
  readonly target: string;
  /** Null where it said anything but 200. */
  readonly entityTag: string | null;
}

interface CachedCall {
  readonly reads: readonly RouteRead[];
  /** All of the answer up to the caller's id, as bytes: to encode them takes longer than all the rest. */
  readonly head: Buffer;
}

const callsMax = 500;
const keyCharsMax = 2_000;
const headCharsMax = 200_000;

/**
 * Answers to the calls that agents make again and again, good for as long as the cached copies they were made of are: a
 * withdrawal that purges those ends them too. Limits count the reads as if they were made.
 */
export class CachedCalls {
  readonly #targets: CachedAnswers;
  readonly #calls = new Map<string, CachedCall>();

  constructor(targets: CachedAnswers) {
    this.#targets = targets;
  }

  /** The answer, or null where it must be made. */
  find(key: string, id: unknown): CachedPost | null {
    const call = this.#calls.get(key);
    if (call === undefined || !isCallId(id)) return null;
    const answers = call.reads.map(({ target }) => this.#targets.find(target));
    const isGood = call.reads.every(({ entityTag }, at) => answers[at]?.current()?.entityTag === entityTag);
    if (!isGood) {
      this.#calls.delete(key);
      return null;
    }
    return {
      contentType: 'application/json',
      admit: (client) => {
        for (const answer of answers) answer?.admit(client);
      },
      pieces: () => [call.head, Buffer.from(`${JSON.stringify(id)}}`)],
    };
  }

  /** Only what was made of something: a refusal is never cached. */
  store(key: string, id: unknown, reads: readonly RouteRead[], text: string): void {
    if (reads.length === 0) return;
    const tail = `${JSON.stringify(id)}}`;
    const isCacheable =
      text.endsWith(`"id":${tail}`) && text.length <= headCharsMax && key.length <= keyCharsMax;
    if (!isCacheable || reads.some(({ entityTag }) => entityTag === null)) return;
    this.#calls.set(key, { reads, head: Buffer.from(text.slice(0, -tail.length)) });
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > callsMax && oldest !== undefined) this.#calls.delete(oldest);
  }
}

/** Everything an answer depends on but the record: what is said, and the headers that must agree with it. */
export function callKey(headers: IncomingHttpHeaders, message: object): string {
  const said = JSON.stringify({ ...message, id: undefined });
  const fields = [
    headers['mcp-protocol-version'],
    headers['mcp-method'],
    headers['mcp-name'],
    headers.accept,
  ];
  return `${fields.join('\n')}\n${said}`;
}

const idCharsMax = 100;

/** The rest of a cached call was accepted before; its id is new each time. */
function isCallId(id: unknown): boolean {
  return (
    Number.isSafeInteger(id) ||
    (typeof id === 'string' && id.length <= idCharsMax && id.isWellFormed() && !id.includes('\0'))
  );
}

/** Null for what is no message. */
export function readMessage(body: Buffer): { readonly id?: unknown } | null {
  try {
    const message = JSON.parse(body.toString()) as unknown;
    return typeof message === 'object' ? message : null;
  } catch {
    return null;
  }
}
