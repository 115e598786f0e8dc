import { Type } from 'typebox';

import { ProblemError } from '../problem.ts';
import { rateLimited } from './http-problems.ts';
import type { HeaderDeclarations } from './surface.ts';

/** The limit shown to a client: this many requests in this many seconds. */
export interface RateLimitPolicy {
  readonly name: string;
  readonly admittedMax: number;
  readonly windowSeconds: number;
}

export interface RateLimitState {
  readonly remaining: number;
  /** Until the full allowance is available again. */
  readonly resetSeconds: number;
}

/** As draft-ietf-httpapi-ratelimit-headers-10 writes them. */
export function rateLimitHeaders(
  { name, admittedMax, windowSeconds }: RateLimitPolicy,
  { remaining, resetSeconds }: RateLimitState,
): Readonly<Record<'ratelimit' | 'ratelimit-policy', string>> {
  return {
    'ratelimit-policy': `"${name}";q=${admittedMax};w=${windowSeconds}`,
    ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  };
}

/** Raises 429. */
export function rateLimitProblem(
  policy: RateLimitPolicy,
  detail: string,
  retryAfterSeconds: number,
): ProblemError {
  const headers = rateLimitHeaders(policy, { remaining: 0, resetSeconds: retryAfterSeconds });
  return new ProblemError(rateLimited, detail, { retryAfterSeconds, headers });
}

/** For descriptions of responses that have them. */
export const rateLimitHeaderSchemas: HeaderDeclarations = {
  RateLimit: {
    description: 'Remaining requests (r), and seconds until the limit is fully restored (t).',
    schema: Type.String({ examples: ['"credential";r=599;t=1'] }),
  },
  'RateLimit-Policy': {
    description: 'The limit: requests (q) in seconds (w).',
    schema: Type.String({ examples: ['"credential";q=600;w=60'] }),
  },
};
