import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { Surface } from '../foundation/http/surface.ts';
import type { CursorKeys } from '../foundation/pagination/cursor-keys.ts';
import type { Identity } from '../identity/index.ts';
import { auditEventRoutes } from './audit-events/audit-event-routes.ts';
import type { AuthorityCache } from './authorities/authority-cache.ts';
import { createAuthorityCache } from './authorities/authority-cache.ts';
import type { Change } from './changes/change-organization.ts';
import { createPlatformSurface } from './credentials/platform-surface.ts';
import { groupRoutes } from './groups/group-routes.ts';
import { invitationRoutes } from './members/invitation-routes.ts';
import { memberRoutes } from './members/member-routes.ts';
import { organizationRoutes } from './organizations/organization-routes.ts';
import { platformTokenRoutes } from './platform-tokens/platform-token-routes.ts';
import { policyRoutes } from './policies/policy-routes.ts';

/** What other domains use through this one. */
type SharedTools =
  | 'database'
  | 'clock'
  | 'ids'
  | 'recipientLimiter'
  | 'invitationLimiter'
  | 'linkPasswordLimiter'
  | 'hasher'
  | 'secretBox';

export interface AccessOptions {
  readonly identity: Pick<Identity, SharedTools | 'authenticator' | 'limits'>;
  readonly cursorKeys: CursorKeys;
  /** For other domains: follows a change of permissions in its transaction. */
  readonly permissionsChanged: (change: Change) => Promise<void>;
  /** The maximum of one account: each has storage of its own. */
  readonly ownedOrganizationsMax?: number;
  /** For tests that move the clock; otherwise the process's. */
  readonly elapsedMs?: () => number;
}

/** Dependencies of the use cases of this domain; each names its part. Pages and JSON endpoints pass the same object. */
export interface Access extends Pick<Identity, SharedTools> {
  readonly cursorKeys: CursorKeys;
  readonly authorities: AuthorityCache;
  readonly permissionsChanged: AccessOptions['permissionsChanged'];
  readonly ownedOrganizationsMax: number;
  /** For every endpoint under `/dm/api`. */
  readonly surface: Surface;
  /** A change in an organization or of an account; null if it is unknown which. */
  readonly forget: (id: string | null) => void;
}

export function createAccess({
  identity,
  cursorKeys,
  permissionsChanged,
  ownedOrganizationsMax = 50,
  elapsedMs,
}: AccessOptions): Access {
  const { database, clock, ids, authenticator, limits, recipientLimiter, invitationLimiter } = identity;
  const { linkPasswordLimiter, hasher, secretBox } = identity;
  const elapsed = elapsedMs ?? (() => performance.now());
  const authorities = createAuthorityCache({ database, clock, elapsedMs: elapsed });
  const guard = createPlatformSurface({ database, clock, elapsedMs: elapsed, authenticator, limits });
  return {
    database,
    clock,
    ids,
    recipientLimiter,
    invitationLimiter,
    linkPasswordLimiter,
    hasher,
    secretBox,
    cursorKeys,
    permissionsChanged,
    ownedOrganizationsMax,
    authorities,
    surface: guard.surface,
    forget: (id) => {
      authorities.forget(id);
      guard.forget(id);
    },
  };
}

/** The JSON endpoints of this domain. */
export function accessRoutes(access: Access): readonly RouteDeclaration[] {
  return [
    ...platformTokenRoutes(access),
    ...policyRoutes(access),
    ...groupRoutes(access),
    ...organizationRoutes(access),
    ...memberRoutes(access),
    ...invitationRoutes(access),
    ...auditEventRoutes(access),
  ];
}
