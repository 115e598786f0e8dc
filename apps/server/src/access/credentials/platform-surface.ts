import { FoundOnlyCache } from '../../foundation/cache/found-only-cache.ts';
import { isCheckedSecret } from '../../foundation/checked-secret.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { credentials } from '../../identity/index.ts';
import { organizationSecondFactorRequired } from '../access-problems.ts';
import type { Caller } from './caller.ts';
import { callerOfAccount, setCaller } from './caller.ts';
import { findTokenBySecret, noteTokenUse } from './platform-token-store.ts';
import type { PlatformToken } from './platform-token.ts';
import { isExpired } from './platform-token.ts';

export interface PlatformSurfaceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly elapsedMs: () => number;
  readonly authenticator: Pick<credentials.Authenticator, 'authenticate'>;
  readonly limits: credentials.CredentialLimits;
}

const tokenForm = /^api-token /i;

/** The guard of `/dm/api`: a platform token or a member's access token. API keys are for the data endpoints. */
export function createPlatformSurface(deps: PlatformSurfaceDeps): {
  readonly surface: Surface;
  readonly forget: (id: string | null) => void;
} {
  const tokens = new FoundOnlyCache<PlatformToken>({
    elapsedMs: deps.elapsedMs,
    idsOf: ({ organizationId }) => [organizationId],
  });
  const identify = async (authorization: string | undefined): Promise<Caller | null> => {
    if (authorization === undefined) return null;
    if (tokenForm.test(authorization)) {
      const secret = authorization.slice('api-token '.length);
      if (!isCheckedSecret(secret)) return null;
      const token = await tokens.get(secret, () => findUsedToken(deps, secret));
      return token === null || isExpired(token, deps.clock.now()) ? null : callerOfToken(token);
    }
    const principal = await deps.authenticator.authenticate({ authorization });
    return principal?.credential.kind === 'jwt'
      ? callerOfAccount(principal.account, principal.credential.sessionId)
      : null;
  };
  const surface = credentials.createCredentialSurface<Caller>({
    name: 'platform',
    limits: deps.limits,
    identify: (request) => identify(request.raw.headers.authorization),
    credentialIdOf: ({ credential }) => credentialIdOf(credential),
    accept: setCaller,
    problems: [organizationSecondFactorRequired],
    invitation: {
      detail: 'Send a valid platform token or access token.',
      wwwAuthenticate: 'Api-Token, Bearer',
    },
  });
  return { surface, forget: (id) => tokens.drop(id) };
}

/** Records the use when the database is read: a cache hit costs nothing more. */
async function findUsedToken(
  { database, clock }: PlatformSurfaceDeps,
  secret: string,
): Promise<PlatformToken | null> {
  const token = await findTokenBySecret(database, sha256Bytes(secret));
  const now = clock.now();
  if (token !== null && !isExpired(token, now)) await noteTokenUse(database, token, now);
  return token;
}

function credentialIdOf(credential: Caller['credential']): string {
  if (credential.kind === 'session') return credential.sessionId;
  if (credential.kind === 'link') return credential.linkId;
  if (credential.kind === 'schedule') return credential.scheduleId;
  return credential.kind === 'api_key' ? credential.keyId : credential.tokenId;
}

export function callerOfToken(token: PlatformToken): Caller {
  const { id: tokenId, organizationId, mode, creator } = token;
  return {
    accountId: creator.id,
    username: creator.username,
    credential: { kind: 'api_token', tokenId, organizationId, mode },
  };
}
