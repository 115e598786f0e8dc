import { FoundOnlyCache } from '../../foundation/cache/found-only-cache.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { credentials, memberships } from '../../identity/index.ts';
import type { OrganizationActor, Caller } from '../credentials/caller.ts';
import type { Authority } from '../permissions/authority.ts';
import type { AuthorityBasis } from './work-out-authority.ts';
import { readAuthorityBasis } from './work-out-authority.ts';

export interface AuthorityCache {
  /** The caller's permissions in an organization; at most 900 ms old. Null if the caller has no access. */
  readonly actorIn: (caller: Caller, organizationKey: string) => Promise<OrganizationActor | null>;
  /** The same, read now; null also if the session of the caller has ended. For connections that stay open. */
  readonly presentActorIn: (caller: Caller, organizationKey: string) => Promise<OrganizationActor | null>;
  /** For an organization or account. Evicts entries before they expire; null evicts everything. */
  readonly forget: (id: string | null) => void;
}

type Held = Pick<OrganizationActor, 'organization' | 'authority'> & Pick<Caller, 'accountId'>;

const compiledMax = 2_000;

/** The basis is read often, which is cheap; the authority is compiled once per change. */
export function createAuthorityCache(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly elapsedMs: () => number;
}): AuthorityCache {
  const held = new FoundOnlyCache<Held>({
    elapsedMs: deps.elapsedMs,
    idsOf: ({ organization, accountId }) => [organization.id, accountId],
  });
  const compiled = new Map<string, { readonly fingerprint: string; readonly authority: Authority }>();
  const authorityOf = async (basis: AuthorityBasis): Promise<Authority> => {
    const key = `${basis.organization.id} ${basis.subject}`;
    const known = compiled.get(key);
    if (known?.fingerprint === basis.fingerprint) return known.authority;
    const authority = await basis.compile();
    compiled.delete(key);
    const [oldest] = compiled.keys();
    if (compiled.size >= compiledMax && oldest !== undefined) compiled.delete(oldest);
    compiled.set(key, { fingerprint: basis.fingerprint, authority });
    return authority;
  };
  // A token acts for its creator, who may be absent.
  const noteSeen = async ({ accountId, credential }: Caller, basis: AuthorityBasis): Promise<void> => {
    const { lastSeenAt } = basis;
    if (credential.kind !== 'session' || lastSeenAt === undefined) return;
    const seen = { lastSeenAt, now: deps.clock.now() };
    await memberships.markMemberSeen(deps.database, basis.organization.id, accountId, seen);
  };
  return {
    actorIn: async (caller, organizationKey) => {
      const found = await held.get(`${speakerOf(caller)} ${organizationKey}`, async () => {
        const basis = await readAuthorityBasis(deps.database, caller, { key: organizationKey });
        if (basis === null) return null;
        await noteSeen(caller, basis);
        const { organization } = basis;
        return { organization, authority: await authorityOf(basis), accountId: caller.accountId };
      });
      if (found === null) return null;
      const { organization, authority } = found;
      return { organization, authority, caller };
    },
    presentActorIn: async (caller, organizationKey) => {
      const { accountId, credential } = caller;
      if (credential.kind === 'session') {
        const held = { accountId, credential };
        if (!(await credentials.isLiveCredential(deps.database, held, deps.clock.now()))) return null;
      }
      const basis = await readAuthorityBasis(deps.database, caller, { key: organizationKey });
      if (basis === null) return null;
      return { organization: basis.organization, authority: await authorityOf(basis), caller };
    },
    forget: (id) => held.drop(id),
  };
}

/** Not the credential: a token in owner mode has its creator's authority, in its own organization only. */
function speakerOf({ accountId, credential }: Caller): string {
  if (credential.kind === 'session') return accountId;
  // Opening a shared link does not count as activity of the member who shared it.
  if (credential.kind === 'link') return `${accountId} link ${credential.key?.id ?? ''}`;
  if (credential.kind === 'schedule') return `${accountId} schedule`;
  if (credential.kind === 'api_key') return `${accountId} ${credential.keyId}`;
  return `${credential.tokenId} ${credential.mode}`;
}
