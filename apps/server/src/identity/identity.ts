import { randomBytes } from 'node:crypto';

import type { Clock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { Surface } from '../foundation/http/surface.ts';
import type { IdSource } from '../foundation/ids.ts';
import { createIdSource } from '../foundation/ids.ts';
import type { StrictLimiter, StrictLimiterOptions } from '../foundation/limits/strict-limiter.ts';
import { createStrictLimiter } from '../foundation/limits/strict-limiter.ts';
import { createMailSurface, mailFormLimit, recipientLimit } from '../foundation/mail/mail-limits.ts';
import type { SecretBox } from '../foundation/secret-box.ts';
import { createSecretBox } from '../foundation/secret-box.ts';
import { avatarRoutes } from './accounts/avatar-routes.ts';
import { apiKeyRoutes } from './api-keys/api-key-routes.ts';
import type { Authenticator } from './authentication/authenticate.ts';
import { createAuthenticator } from './authentication/authenticate.ts';
import type { CredentialLimits } from './authentication/credential-surface.ts';
import { createCredentialLimits } from './authentication/credential-surface.ts';
import { createDataSurface } from './authentication/data-surface.ts';
import { meRoutes } from './authentication/me-routes.ts';
import type { CheckPermission } from './credentials/api-key.ts';
import type { CredentialKind } from './credentials/credential-kind.ts';
import { cancelAccountDeletion, cancelRequestedDeletion } from './deletion/cancel-account-deletion.ts';
import type { OpenInvitation } from './invitations/accept-invitation.ts';
import { invitationLimit } from './invitations/send-invitation.ts';
import { accountsDescriptionRoute } from './openapi-accounts.ts';
import type { OpenIdIssuer, OpenIdSettings } from './openid/openid-issuer.ts';
import { createOpenIdIssuer } from './openid/openid-issuer.ts';
import type { PasswordHasher } from './passwords/password-hasher.ts';
import { createPasswordHasher } from './passwords/password-hasher.ts';
import type { SessionListener } from './sessions/open-session.ts';
import { createSignInSurface, signInsPerMinute } from './sign-in/sign-in-surface.ts';
import { tokenRoutes } from './sign-in/token-routes.ts';
import type { AccessTokens } from './signing-keys/access-token.ts';
import { createAccessTokens } from './signing-keys/access-token.ts';
import { jwksRoutes } from './signing-keys/jwks-routes.ts';
import type { SigningKeyRing } from './signing-keys/signing-key-ring.ts';
import { createSigningKeyRing } from './signing-keys/signing-key-ring.ts';

export interface IdentityOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly openInvitation: OpenInvitation;
  readonly checkPermission: CheckPermission;
  /** Of all domains. */
  readonly credentialKinds: readonly CredentialKind[];
  readonly settings: IdentitySettings;
  /** For tests that move the clock; otherwise the database's clock and the process's. */
  readonly createLimiter?: (options: StrictLimiterOptions) => StrictLimiter;
  readonly elapsedMs?: () => number;
}

/** Right and wrong ones, of everyone who has the link. */
const linkPasswordLimit = { name: 'link-passwords', admittedMax: 20, windowMs: 900_000 };

/** Concurrent password hashes of a process, running and including waiting; beyond these, sign-ins get 503. */
const hashingBounds = { runningMax: 1, placesMax: 100 };

export interface IdentitySettings {
  /** Issuer of tokens and base URL of the links in mail. */
  readonly authUrl: string;
  /** Audience of tokens, and base URL of pictures. */
  readonly baseUrl: string;
  readonly secretKeys: readonly string[];
  /** In place of `hashingBounds`, for tests. */
  readonly hashing?: Partial<typeof hashingBounds>;
  readonly credentialRequestsPerMinute: number;
  readonly openId: OpenIdSettings | null;
}

/** Dependencies of the use cases of this domain; each names its part. Pages and JSON endpoints pass the same object. */
export interface Identity {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly openInvitation: OpenInvitation;
  readonly checkPermission: CheckPermission;
  readonly credentialKinds: readonly CredentialKind[];
  readonly sessionListener: SessionListener;
  readonly hasher: PasswordHasher;
  readonly accessTokens: AccessTokens;
  readonly secretBox: SecretBox;
  readonly ring: SigningKeyRing;
  readonly authenticator: Authenticator;
  /** Null without a sign-in provider. */
  readonly openId: OpenIdIssuer | null;
  readonly limits: CredentialLimits;
  readonly authUrl: string;
  readonly baseUrl: string;
  /** For the token endpoints and the sign-in form. */
  readonly signInSurface: Surface;
  /** For the forms that send mail or use a mailed link. */
  readonly mailSurface: Surface;
  /** Mail to one address that unauthenticated clients can request. */
  readonly recipientLimiter: StrictLimiter;
  /** Invitations that one organization sends. */
  readonly invitationLimiter: StrictLimiter;
  /** Attempts to enter the password of one link. */
  readonly linkPasswordLimiter: StrictLimiter;
  /** For V1 data endpoints, and for those that do not accept an API key. */
  readonly dataSurface: Surface;
  readonly jwtSurface: Surface;
}

export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { database, clock, openInvitation, checkPermission, credentialKinds, settings } = options;
  const { authUrl, baseUrl } = settings;
  const elapsedMs = options.elapsedMs ?? (() => performance.now());
  const ids = createIdSource({ clock, randomBytes });
  const secretBox = createSecretBox(settings.secretKeys);
  const ring = createSigningKeyRing({ database, clock, ids, secretBox });
  const accessTokens = createAccessTokens({ ring, clock, issuer: authUrl, audience: baseUrl });
  const authenticator = createAuthenticator({ database, clock, elapsedMs, accessTokens });
  const limiter = (limit: Omit<StrictLimiterOptions, 'database'>): StrictLimiter =>
    (options.createLimiter ?? createStrictLimiter)({ database, ...limit });
  const limits = createCredentialLimits(settings.credentialRequestsPerMinute, elapsedMs);
  const surface = (jwtOnly: boolean): Surface => createDataSurface({ authenticator, limits, jwtOnly });
  const hasher = await createPasswordHasher({
    ...hashingBounds,
    ...settings.hashing,
  });
  return {
    database,
    clock,
    ids,
    openInvitation,
    checkPermission,
    credentialKinds,
    sessionListener: { opening: cancelAccountDeletion, opened: cancelRequestedDeletion },
    hasher,
    accessTokens,
    secretBox,
    ring,
    authenticator,
    openId: settings.openId === null ? null : createOpenIdIssuer(settings.openId, elapsedMs),
    limits,
    authUrl,
    baseUrl,
    signInSurface: createSignInSurface(
      limiter({ name: 'sign-in', admittedMax: signInsPerMinute, windowMs: 60_000 }),
    ),
    mailSurface: createMailSurface(limiter(mailFormLimit)),
    recipientLimiter: limiter(recipientLimit),
    invitationLimiter: limiter(invitationLimit),
    linkPasswordLimiter: limiter(linkPasswordLimit),
    dataSurface: surface(false),
    jwtSurface: surface(true),
  };
}

/** The JSON endpoints for accounts, as `docs/openapi-accounts.json` describes them. */
export function identityRoutes(identity: Identity, anonymous: Surface): readonly RouteDeclaration[] {
  const routes = [
    ...tokenRoutes({ ...identity, anonymous }),
    ...apiKeyRoutes(identity),
    ...meRoutes(identity),
    ...jwksRoutes({ anonymous, ring: identity.ring }),
    ...avatarRoutes(anonymous),
  ];
  return [...routes, accountsDescriptionRoute(anonymous, routes, identity.baseUrl)];
}
