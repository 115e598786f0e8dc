import type { FastifyRequest } from 'fastify';

import type { Surface } from '../../foundation/http/surface.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { setPrincipal } from '../credentials/principal.ts';
import { jwtRequired } from '../identity-problems.ts';
import type { Authenticator, CredentialHeaders } from './authenticate.ts';
import type { CredentialLimits } from './credential-surface.ts';
import { createCredentialSurface } from './credential-surface.ts';

export interface DataSurfaceOptions {
  readonly authenticator: Authenticator;
  readonly limits: CredentialLimits;
  /** For endpoints that do not accept an API key. */
  readonly jwtOnly: boolean;
}

/** The guard of every V1 data endpoint. */
export function createDataSurface({ authenticator, limits, jwtOnly }: DataSurfaceOptions): Surface {
  return createCredentialSurface({
    name: jwtOnly ? 'data-jwt' : 'data',
    limits,
    identify: (request) => authenticator.authenticate(credentialHeaders(request)),
    credentialIdOf: ({ credential }) => (credential.kind === 'jwt' ? credential.sessionId : credential.keyId),
    accept: (request, principal) => {
      if (jwtOnly && principal.credential.kind !== 'jwt')
        throw new ProblemError(jwtRequired, 'This requires an access token. API keys are not accepted.');
      setPrincipal(request, principal);
    },
    problems: jwtOnly ? [jwtRequired] : [],
    invitation: { detail: 'Send a valid access token or API key.', wwwAuthenticate: 'Bearer' },
  });
}

function credentialHeaders(request: FastifyRequest): CredentialHeaders {
  const { authorization, 'x-api-key': apiKey } = request.raw.headers;
  return { authorization, apiKey: typeof apiKey === 'string' ? apiKey : undefined };
}
