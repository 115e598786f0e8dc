import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { accounts, credentials } from '../../identity/index.ts';
import { memberships } from '../../identity/index.ts';
import { policiesOfRole } from '../core-permissions/role-policies.ts';
import type { Caller, Organization } from '../credentials/caller.ts';
import type { Authority } from '../permissions/authority.ts';
import { compileAuthority } from '../permissions/authority.ts';
import { intersectAuthorities } from '../permissions/intersection.ts';
import type { Policy, WrittenPolicy } from '../permissions/policy.ts';
import { parsePolicy } from '../permissions/policy.ts';
import { resourceOf } from '../permissions/resource.ts';
import {
  readMemberPolicies,
  readMemberVersion,
  readPermissionVersion,
  readTokenPolicies,
} from './authority-store.ts';
import { requireSecondFactor } from './require-second-factor.ts';

/** The subject, and all that determines its authority; the version represents the texts of policies. */
export interface AuthorityBasis {
  readonly organization: Organization;
  readonly subject: string;
  /** When the member was last active here; absent if the caller is not a member. */
  readonly lastSeenAt?: EpochMicroseconds | null;
  /** Equal fingerprints mean equal authorities. */
  readonly fingerprint: string;
  readonly compile: () => Promise<Authority>;
}

/**
 * The effect if the organization requires a second factor and the account has none: the caller is refused, has no
 * authority, or has the authority of an account with one. The last is for comparing members, never for acting.
 */
export type WithoutSecondFactor = 'refuse' | 'nothing' | 'ignore';

/**
 * Null if the caller has no access to the organization, or it does not exist. The version is read before the policies,
 * so the compiled authority is never older than its fingerprint. A token in `token_policies` mode has its own
 * permissions, and needs no second factor.
 */
export async function readAuthorityBasis(
  database: Database,
  caller: Caller,
  named: { readonly key: string } | { readonly id: accounts.OrganizationId },
  withoutSecondFactor: WithoutSecondFactor = 'refuse',
): Promise<AuthorityBasis | null> {
  const { accountId, credential } = caller;
  const standing = await memberships.findStanding(database, accountId, named);
  if (standing === null) return null;
  const organization = { id: standing.organizationId, key: standing.organizationKey };
  if (credential.kind === 'api_key' && credential.organizations?.includes(organization.id) === false)
    return null;
  if (credential.kind === 'api_token') {
    if (credential.organizationId !== organization.id) return null;
    if (credential.mode === 'token_policies') return tokenBasis(database, organization, credential.tokenId);
  }
  if (!standing.superuser && standing.membership === null) return null;
  if (standing.lacksSecondFactor && withoutSecondFactor !== 'ignore') {
    // A visitor who opens a link learns nothing about its creator.
    if (withoutSecondFactor === 'nothing' || credential.kind === 'link') return null;
    requireSecondFactor(standing);
  }
  const basis = await memberBasis(database, organization, accountId, standing);
  const key = keyOf(credential);
  return key === null || key.limit === null ? basis : limitedBasis(basis, key.id, key.limit);
}

/** The API key that limits a credential. */
function keyOf(
  credential: Caller['credential'],
): { readonly id: string; readonly limit: credentials.ApiKeyLimit | null } | null {
  if (credential.kind === 'link') return credential.key;
  return credential.kind === 'api_key' ? { id: credential.keyId, limit: credential.limit } : null;
}

async function memberBasis(
  database: Database,
  organization: Organization,
  accountId: accounts.AccountId,
  { superuser, membership }: memberships.Standing,
): Promise<AuthorityBasis> {
  const version = await readMemberVersion(database, organization.id, accountId);
  const fingerprint = [version, superuser, membership?.role ?? '', membership?.since ?? ''].join(' ');
  return {
    organization,
    subject: accountId,
    ...(membership !== null && { lastSeenAt: membership.lastSeenAt }),
    fingerprint,
    compile: async () => {
      if (membership === null) return compileAuthority([], { superuser });
      const written = await readMemberPolicies(database, organization.id, accountId);
      const policies = [
        ...policiesOfRole(membership.role, organization.key),
        ...storedPolicies(written, organization),
      ];
      return compileAuthority(policies, { superuser });
    },
  };
}

/** The account's permissions that a key names. The limit of a key never changes, so the fingerprint stays the same. */
function limitedBasis(basis: AuthorityBasis, keyId: string, limit: credentials.ApiKeyLimit): AuthorityBasis {
  const { organization } = basis;
  return {
    ...basis,
    subject: `${basis.subject} ${keyId}`,
    compile: async () =>
      intersectAuthorities(
        await basis.compile(),
        compileAuthority(storedPolicies(limitPolicies(limit, organization), organization)),
      ),
  };
}

/** Permissions in other organizations are not policies of this one, and grant nothing here. */
function limitPolicies(limit: credentials.ApiKeyLimit, { key }: Organization): readonly WrittenPolicy[] {
  if (limit !== 'read_only') return limit;
  const { text } = resourceOf(key);
  return [{ actions: ['Daybook.*/*/read'], resources: [text, `${text}/**`] }];
}

/** Independent of its creator: neither role nor superuser applies. */
async function tokenBasis(
  database: Database,
  organization: Organization,
  tokenId: Parameters<typeof readTokenPolicies>[2],
): Promise<AuthorityBasis> {
  const version = await readPermissionVersion(database, organization.id);
  return {
    organization,
    subject: tokenId,
    fingerprint: version,
    compile: async () => {
      const written = await readTokenPolicies(database, organization.id, tokenId);
      return compileAuthority(storedPolicies(written, organization));
    },
  };
}

/** A policy stored under older rules that can no longer be parsed grants nothing until it is edited. */
export function storedPolicies(written: readonly WrittenPolicy[], { key }: Organization): readonly Policy[] {
  return written.flatMap((policy) => {
    const parsed = parsePolicy(policy, key);
    return parsed.ok ? [parsed.value] : [];
  });
}
