import { rateLimited, temporarilyUnavailable } from '../../foundation/http/http-problems.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { requireAdmission } from '../../foundation/limits/strict-admission.ts';
import type { StrictLimiter } from '../../foundation/limits/strict-limiter.ts';

export const signInsPerMinute = 10;

/**
 * Shared by the token endpoints and the sign-in form, with one rate limit per address across all processes. Every
 * request counts, whatever its result.
 */
export function createSignInSurface(limiter: StrictLimiter): Surface {
  return {
    name: 'sign-in',
    cors: null,
    unreadableBodyIsInvalid: true,
    problems: [rateLimited, temporarilyUnavailable],
    admit: ({ key }) => requireAdmission(limiter, key, 'Too many sign-in requests from this IP address.'),
  };
}
