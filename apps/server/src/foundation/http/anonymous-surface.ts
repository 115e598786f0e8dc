import type { BlockList } from 'node:net';

import { ProblemError } from '../problem.ts';
import { contains } from './client-address.ts';
import { actorForbidden, methodNotAllowed, rateLimited, temporarilyUnavailable } from './http-problems.ts';
import { rateLimitProblem } from './rate-limit.ts';
import type { Surface } from './surface.ts';

export interface AnonymousSurfaceOptions {
  readonly requestsPerMinute: number;
  /** Seconds to wait, or 0 to admit. */
  readonly takeToken: (key: string) => number;
  readonly deniedAddresses: BlockList;
  /** Substrings, compared case-insensitively. */
  readonly deniedUserAgents: readonly string[];
}

/** Public resources: the same for every caller, so browsers of any origin may read them. */
export function createAnonymousSurface(options: AnonymousSurfaceOptions): Surface {
  const fragments = options.deniedUserAgents.map((fragment) => fragment.toLowerCase());
  // On 429 alone: every other response is the same for all clients.
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
        throw rateLimitProblem(policy, 'Too many requests from this IP address.', retryAfterSeconds);
    },
  };
}
