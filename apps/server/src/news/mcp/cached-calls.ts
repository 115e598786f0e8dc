import type { IncomingHttpHeaders } from 'node:http';

import type { CachedAnswers } from '../../foundation/http/fast-path.ts';
import type { CachedPost } from '../../foundation/http/route.ts';

/** A dependency of a response: an address of this server, and the entity tag of its response. */
export interface RouteRead {
  readonly target: string;
  /** Null if its status was not 200. */
  readonly entityTag: string | null;
}

interface CachedCall {
  readonly reads: readonly RouteRead[];
  /** The response up to the caller's id, as bytes: encoding them takes longer than all other steps. */
  readonly head: Buffer;
}

const callsMax = 500;
const keyCharsMax = 2_000;
const headCharsMax = 200_000;

/**
 * Responses to repeated calls of agents, valid as long as the cached copies they were made of: a withdrawal that purges
 * those copies invalidates them too. Limits count the reads of a cached call as usual.
 */
export class CachedCalls {
  readonly #targets: CachedAnswers;
  readonly #calls = new Map<string, CachedCall>();

  constructor(targets: CachedAnswers) {
    this.#targets = targets;
  }

  /** The cached response, or null if none is valid. */
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

  /** Only responses with reads: a refusal is never cached. */
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

/** All inputs of a response except the record: the message, and the headers that must agree with it. */
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

/** The rest of a cached call was validated before; its id is new each time. */
function isCallId(id: unknown): boolean {
  return (
    Number.isSafeInteger(id) ||
    (typeof id === 'string' && id.length <= idCharsMax && id.isWellFormed() && !id.includes('\0'))
  );
}

/** Null if the body is not a message. */
export function readMessage(body: Buffer): { readonly id?: unknown } | null {
  try {
    const message = JSON.parse(body.toString()) as unknown;
    return typeof message === 'object' ? message : null;
  } catch {
    return null;
  }
}
