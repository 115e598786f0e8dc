import type { BlockList } from 'node:net';

import { ProblemError } from '../problem.ts';
import { contains } from './client-address.ts';
import { actorForbidden, methodNotAllowed, rateLimited, temporarilyUnavailable } from './http-problems.ts';
import { rateLimitProblem } from './rate-limit.ts';
import type { Surface } from './surface.ts';

export interface AnonymousSurfaceOptions {
  readonly requestsPerMinute: number;
  /** Seconds to wait, or 0 to pass. */
  readonly takeToken: (key: string) => number;
  readonly deniedAddresses: BlockList;
  /** Fragments, compared without regard to case. */
  readonly deniedUserAgents: readonly string[];
}

/** What anyone may read from anywhere: the same for every caller, so browsers of any origin may have it. */
export function createAnonymousSurface(options: AnonymousSurfaceOptions): Surface {
  const fragments = options.deniedUserAgents.map((fragment) => fragment.toLowerCase());
  // On 429 alone: every other answer is the same for everyone.
  const policy = { name: 'address', admittedMax: options.requestsPerMinute, windowSeconds: 60 };
  const deniesAddresses = options.deniedAddresses.rules.length > 0;
  return {
    name: 'anonymous',
    cors: {
      allowOrigin: '*',
      allowHeaders: ['If-None-Match'],
      exposeHeaders: ['ETag', 'Retry-After', 'X-Request-Id'],
      maxAgeSeconds: 86_400,
    },
    problems: [actorForbidden, methodNotAllowed, rateLimited, temporarilyUnavailable],
    admit: ({ address, key, userAgent }) => {
      const agent = fragments.length > 0 ? userAgent?.toLowerCase() : undefined;
      if (
        (agent !== undefined && fragments.some((fragment) => agent.includes(fragment))) ||
        (deniesAddresses && contains(options.deniedAddresses, address))
      ) {
        throw new ProblemError(actorForbidden, 'The operator has blocked this client.');
      }
      const retryAfterSeconds = options.takeToken(key);
      if (retryAfterSeconds > 0)
        throw rateLimitProblem(policy, 'too many requests from this address', retryAfterSeconds);
    },
  };
}
