import type { FastifyRequest } from 'fastify';

import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { rateLimited, temporarilyUnavailable } from '../../foundation/http/http-problems.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { findAccount } from '../accounts/account-store.ts';
import { findLiveApiKey, noteApiKeyUse } from '../api-keys/api-key-store.ts';
import { apiKeyHash, isApiKeySecret } from '../api-keys/api-key.ts';
import { jwtRequired, unauthenticated } from '../identity-problems.ts';
import { findSessionAccount } from '../sessions/session-store.ts';
import type { AccessTokens } from '../signing-keys/access-token.ts';
import { CredentialCache } from './credential-cache.ts';
import type { Principal } from './principal.ts';
import { setPrincipal } from './principal.ts';

export interface AuthenticatorDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly elapsedMs: () => number;
  readonly accessTokens: AccessTokens;
}

export interface Authenticator {
  /** The token first where both are sent: a token that is not valid is not saved by a good key beside it. */
  readonly authenticate: (headers: CredentialHeaders) => Promise<Principal | null>;
  /** Hastens what the age of the cache ensures; null drops everything. */
  readonly forget: (id: string | null) => void;
}

export interface CredentialHeaders {
  readonly authorization?: string | undefined;
  readonly apiKey?: string | undefined;
}

const bearerForm = /^bearer(?: |$)/i;

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const options = { elapsedMs: deps.elapsedMs, idsOf: idsOfPrincipal };
  // One each: a key that is held must not be found by who sends it as a token.
  const [tokens, keys] = [new CredentialCache<Principal>(options), new CredentialCache<Principal>(options)];
  return {
    authenticate: async ({ authorization, apiKey }) => {
      if (authorization !== undefined && bearerForm.test(authorization)) {
        const token = authorization.slice('bearer '.length);
        return tokens.get(token, () => principalOfToken(deps, token));
      }
      if (apiKey === undefined || !isApiKeySecret(apiKey)) return null;
      return keys.get(apiKey, () => principalOfKey(deps, apiKey));
    },
    forget: (id) => {
      tokens.drop(id);
      keys.drop(id);
    },
  };
}

function idsOfPrincipal({ account, credential }: Principal): readonly string[] {
  return [account.id, credential.kind === 'jwt' ? credential.sessionId : credential.keyId];
}

async function principalOfToken(deps: AuthenticatorDeps, token: string): Promise<Principal | null> {
  const claims = await deps.accessTokens.verify(token);
  if (claims === null) return null;
  const { sessionId } = claims;
  const accountId = await findSessionAccount(deps.database, sessionId, deps.clock.now());
  if (accountId === null || accountId !== claims.accountId) return null;
  const account = await findAccount(deps.database, accountId);
  return account === null ? null : { account, credential: { kind: 'jwt', sessionId } };
}

async function principalOfKey(deps: AuthenticatorDeps, secret: string): Promise<Principal | null> {
  const now = deps.clock.now();
  const key = await findLiveApiKey(deps.database, apiKeyHash(secret), now);
  if (key === null) return null;
  const account = await findAccount(deps.database, key.accountId);
  if (account === null) return null;
  await noteApiKeyUse(deps.database, key, now);
  const { id: keyId, name, organizations } = key;
  return { account, credential: { kind: 'api_key', keyId, name, organizations } };
}

export interface DataSurfaceOptions {
  readonly authenticator: Authenticator;
  /** Requests of one credential; seconds to wait, or 0 to pass. */
  readonly takeCredentialToken: (credential: string) => number;
  /** Requests of one address that were not authenticated. */
  readonly takeStrangerToken: (address: string) => number;
  /** Where an API key is not enough. */
  readonly jwtOnly?: boolean;
}

/** The guard of every V1 data endpoint: decides who speaks before anything of the body is read. */
export function createDataSurface(options: DataSurfaceOptions): Surface {
  const { authenticator, jwtOnly = false } = options;
  return {
    name: jwtOnly ? 'data-jwt' : 'data',
    cors: null,
    problems: [unauthenticated, ...(jwtOnly ? [jwtRequired] : []), rateLimited, temporarilyUnavailable],
    admit: () => {},
    authenticate: async (request) => {
      const principal = await authenticator.authenticate(credentialHeaders(request));
      if (principal === null) {
        refuseWhenLimited(options.takeStrangerToken(request.caller?.key ?? ''));
        throw new ProblemError(unauthenticated, 'send a valid access token or API key', {
          headers: { 'www-authenticate': 'Bearer' },
        });
      }
      const { credential } = principal;
      refuseWhenLimited(
        options.takeCredentialToken(credential.kind === 'jwt' ? credential.sessionId : credential.keyId),
      );
      if (jwtOnly && credential.kind !== 'jwt')
        throw new ProblemError(jwtRequired, 'this needs an access token; an API key is not enough');
      setPrincipal(request, principal);
    },
  };
}

function credentialHeaders(request: FastifyRequest): CredentialHeaders {
  const { authorization, 'x-api-key': apiKey } = request.raw.headers;
  return { authorization, apiKey: typeof apiKey === 'string' ? apiKey : undefined };
}

function refuseWhenLimited(retryAfterSeconds: number): void {
  if (retryAfterSeconds > 0)
    throw new ProblemError(rateLimited, 'too many requests with this credential', { retryAfterSeconds });
}
