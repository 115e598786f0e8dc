import { FoundOnlyCache } from '../../foundation/cache/found-only-cache.ts';
import { isCheckedSecret } from '../../foundation/checked-secret.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import { findAccount } from '../accounts/account-store.ts';
import { findLiveApiKey, noteApiKeyUse } from '../api-keys/api-key-store.ts';
import type { ApiPrincipal } from '../credentials/principal.ts';
import { findSessionAccount } from '../sessions/session-store.ts';
import type { AccessTokens } from '../signing-keys/access-token.ts';

export interface AuthenticatorDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly elapsedMs: () => number;
  readonly accessTokens: AccessTokens;
}

export interface Authenticator {
  /** Checks the token first if both are sent: a valid key does not make up for an invalid token. */
  readonly authenticate: (headers: CredentialHeaders) => MaybeAsync<ApiPrincipal>;
  /** Evicts a credential before its cache entry expires; null evicts everything. */
  readonly forget: (id: string | null) => void;
}

/** Synchronous on a cache hit: most requests use a credential that was checked a moment ago. */
export type MaybeAsync<Principal> = Principal | null | Promise<Principal | null>;

export interface CredentialHeaders {
  readonly authorization?: string | undefined;
  readonly apiKey?: string | undefined;
}

const bearerForm = /^bearer(?: |$)/i;

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const options = { elapsedMs: deps.elapsedMs, idsOf: idsOfPrincipal };
  // Separate caches: a cached key must not authenticate a client that sends it as a token.
  const [tokens, keys] = [
    new FoundOnlyCache<ApiPrincipal>(options),
    new FoundOnlyCache<ApiPrincipal>(options),
  ];
  return {
    authenticate: ({ authorization, apiKey }) => {
      if (authorization !== undefined && bearerForm.test(authorization)) {
        const token = authorization.slice('bearer '.length);
        return tokens.held(token) ?? tokens.get(token, () => principalOfToken(deps, token));
      }
      if (apiKey === undefined) return null;
      const held = keys.held(apiKey);
      if (held !== null) return held;
      return isCheckedSecret(apiKey) ? keys.get(apiKey, () => principalOfKey(deps, apiKey)) : null;
    },
    forget: (id) => {
      tokens.drop(id);
      keys.drop(id);
    },
  };
}

function idsOfPrincipal({ account, credential }: ApiPrincipal): readonly string[] {
  return [account.id, credential.kind === 'jwt' ? credential.sessionId : credential.keyId];
}

async function principalOfToken(deps: AuthenticatorDeps, token: string): Promise<ApiPrincipal | null> {
  const claims = await deps.accessTokens.verify(token);
  if (claims === null) return null;
  const { sessionId } = claims;
  const accountId = await findSessionAccount(deps.database, sessionId, deps.clock.now());
  if (accountId === null || accountId !== claims.accountId) return null;
  const account = await findAccount(deps.database, accountId);
  return account === null ? null : { account, credential: { kind: 'jwt', sessionId } };
}

async function principalOfKey(deps: AuthenticatorDeps, secret: string): Promise<ApiPrincipal | null> {
  const now = deps.clock.now();
  const key = await findLiveApiKey(deps.database, sha256Bytes(secret), now);
  if (key === null) return null;
  const account = await findAccount(deps.database, key.accountId);
  if (account === null) return null;
  await noteApiKeyUse(deps.database, key, now);
  const { id: keyId, name, organizations, limit } = key;
  return { account, credential: { kind: 'api_key', keyId, name, organizations, limit } };
}
