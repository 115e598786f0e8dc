import type { FastifyRequest } from 'fastify';

import type { CachedAnswer, CachedAnswers } from '../http/fast-path.ts';
import type { Representation } from './representation.ts';

const targetsMax = 5_000;
/** Longer targets are cursors and searches, which are seldom repeated. */
const targetCharsMax = 256;

/** Maps a raw request target to a cached copy, recorded from the router's responses. */
export class CachedTargets implements CachedAnswers {
  readonly #answers = new Map<string, CachedAnswer>();
  readonly #current: (key: string) => Representation | undefined;

  constructor(current: (key: string) => Representation | undefined) {
    this.#current = current;
  }

  readonly find = (target: string): CachedAnswer | undefined => this.#answers.get(target);

  remember({ method, raw, routeOptions }: FastifyRequest, key: string, cacheControl: string): void {
    const target = raw.url ?? '';
    const { surface, corsHeaders = {} } = routeOptions.config;
    if (method !== 'GET' || target.length > targetCharsMax || this.#answers.has(target)) return;
    if (surface === undefined || surface.admit === null || surface.authenticate !== undefined) return;
    const { admit } = surface;
    if (this.#answers.size >= targetsMax) {
      const [oldest] = this.#answers.keys();
      if (oldest !== undefined) this.#answers.delete(oldest);
    }
    this.#answers.set(target, {
      route: routeOptions.url ?? '',
      admit: (client) => void admit(client),
      cacheControl,
      corsHeaders,
      current: () => this.#current(key),
    });
  }
}
