import type { FastifyReply, FastifyRequest } from 'fastify';

import { internal, rateLimited, temporarilyUnavailable } from '../../foundation/http/http-problems.ts';
import type { RateLimitPolicy, RateLimitState } from '../../foundation/http/rate-limit.ts';
import {
  rateLimitHeaderSchemas,
  rateLimitHeaders,
  rateLimitProblem,
} from '../../foundation/http/rate-limit.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { createLocalLimiter } from '../../foundation/limits/local-limiter.ts';
import type { ProblemDefinition } from '../../foundation/problem.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { unauthenticated } from '../identity-problems.ts';
import type { MaybeAsync } from './authenticate.ts';

/** Limiters return the seconds to wait, or 0 to pass. Shared by all surfaces of a process, so requests count once. */
export interface CredentialLimits {
  readonly policy: RateLimitPolicy;
  readonly takeCredentialToken: (credentialId: string) => number;
  readonly credentialState: (credentialId: string) => RateLimitState;
  /** Unauthenticated requests of one address. */
  readonly takeStrangerToken: (address: string) => number;
}

export function createCredentialLimits(requestsPerMinute: number, elapsedMs: () => number): CredentialLimits {
  const limit = { requestsPerMinute, burst: requestsPerMinute };
  const [credentials, strangers] = [createLocalLimiter(limit), createLocalLimiter(limit)];
  return {
    policy: { name: 'credential', admittedMax: requestsPerMinute, windowSeconds: 60 },
    credentialState: (credentialId) => credentials.stateOf(credentialId, elapsedMs()),
    takeCredentialToken: (credentialId) => credentials.take(credentialId, elapsedMs()),
    takeStrangerToken: (address) => strangers.take(address, elapsedMs()),
  };
}

export interface CredentialSurfaceOptions<Principal> {
  readonly name: string;
  readonly limits: CredentialLimits;
  /** Null if the request has no valid credential. */
  readonly identify: (request: FastifyRequest) => MaybeAsync<Principal>;
  readonly credentialIdOf: (principal: Principal) => string;
  /** Passes the principal to the handlers; may raise the errors in `problems`. */
  readonly accept: (request: FastifyRequest, principal: Principal) => void;
  readonly problems: readonly ProblemDefinition[];
  /** The error for requests without a credential, and its WWW-Authenticate header. */
  readonly invitation: { readonly detail: string; readonly wwwAuthenticate: string };
}

/** A guard that authenticates before the body is read, and rate-limits each credential. */
export function createCredentialSurface<Principal>(options: CredentialSurfaceOptions<Principal>): Surface {
  return {
    name: options.name,
    cors: null,
    problems: [unauthenticated, ...options.problems, internal, rateLimited, temporarilyUnavailable],
    admit: () => {},
    answerHeaders: rateLimitHeaderSchemas,
    authenticate: (request, reply) => {
      const identified = options.identify(request);
      if (identified instanceof Promise)
        return identified.then((principal) => admitPrincipal(options, principal, request, reply));
      admitPrincipal(options, identified, request, reply);
      return undefined;
    },
  };
}

function admitPrincipal<Principal>(
  options: CredentialSurfaceOptions<Principal>,
  principal: Principal | null,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { limits, invitation } = options;
  if (principal === null) {
    refuseWhenLimited(limits, limits.takeStrangerToken(request.client?.key ?? ''));
    throw new ProblemError(unauthenticated, invitation.detail, {
      headers: { 'www-authenticate': invitation.wwwAuthenticate },
    });
  }
  const credentialId = options.credentialIdOf(principal);
  refuseWhenLimited(limits, limits.takeCredentialToken(credentialId));
  reply.headers(rateLimitHeaders(limits.policy, limits.credentialState(credentialId)));
  options.accept(request, principal);
}

function refuseWhenLimited({ policy }: CredentialLimits, retryAfterSeconds: number): void {
  if (retryAfterSeconds > 0)
    throw rateLimitProblem(policy, 'Too many requests with this credential.', retryAfterSeconds);
}
