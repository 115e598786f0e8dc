import { rateLimited, temporarilyUnavailable } from '../../foundation/http/http-problems.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import type { StrictLimiter } from '../../foundation/limits/strict-limiter.ts';
import { ProblemError } from '../../foundation/problem.ts';

export const signInsPerMinute = 10;

/**
 * The token endpoints and the sign-in form share this one, and with it one window per address over all processes. Every
 * request counts, whatever becomes of it.
 */
export function createSignInSurface(limiter: StrictLimiter): Surface {
  return {
    name: 'sign-in',
    cors: null,
    unreadableBodyIsInvalid: true,
    problems: [rateLimited, temporarilyUnavailable],
    admit: async ({ key }) => {
      const admission = await limiter.admit(key);
      if (admission.admitted) return;
      throw new ProblemError(rateLimited, 'too many sign-in requests from this address', admission);
    },
  };
}
