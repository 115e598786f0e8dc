import { PositiveCache } from '../../foundation/cache/positive-cache.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Actor, Caller } from '../callers/caller.ts';
import type { Authority } from '../permissions/authority.ts';
import type { AuthorityBasis } from './work-out-authority.ts';
import { readAuthorityBasis } from './work-out-authority.ts';

export interface AuthorityCache {
  /** What the caller may do in an organization; at most 900 ms old. Null where they have no business there. */
  readonly actorIn: (caller: Caller, organizationKey: string) => Promise<Actor | null>;
  /** Hastens what the age of the cache ensures; null drops everything. */
  readonly forget: (organizationId: string | null) => void;
}

type Held = Pick<Actor, 'organization' | 'authority'>;

const compiledMax = 2_000;

/** The basis is read again and again, which is cheap; what follows from it is compiled once per change. */
export function createAuthorityCache(deps: {
  readonly database: Database;
  readonly elapsedMs: () => number;
}): AuthorityCache {
  const held = new PositiveCache<Held>({
    elapsedMs: deps.elapsedMs,
    idsOf: ({ organization }) => [organization.id],
  });
  const compiled = new Map<string, { readonly edition: string; readonly authority: Authority }>();
  const authorityOf = async (basis: AuthorityBasis): Promise<Authority> => {
    const key = `${basis.organization.id} ${basis.subject}`;
    const known = compiled.get(key);
    if (known?.edition === basis.edition) return known.authority;
    const authority = await basis.compile();
    compiled.delete(key);
    const [oldest] = compiled.keys();
    if (compiled.size >= compiledMax && oldest !== undefined) compiled.delete(oldest);
    compiled.set(key, { edition: basis.edition, authority });
    return authority;
  };
  return {
    actorIn: async (caller, organizationKey) => {
      const found = await held.get(`${speakerOf(caller)} ${organizationKey}`, async () => {
        const basis = await readAuthorityBasis(deps.database, caller, { key: organizationKey });
        if (basis === null) return null;
        return { organization: basis.organization, authority: await authorityOf(basis) };
      });
      return found === null ? null : { ...found, caller };
    },
    forget: (organizationId) => held.drop(organizationId),
  };
}

/** Not the credential: a token in owner mode speaks with its creator's authority, and in its own organization alone. */
function speakerOf({ accountId, credential }: Caller): string {
  if (credential.kind === 'session') return accountId;
  return `${credential.tokenId} ${credential.mode}`;
}
