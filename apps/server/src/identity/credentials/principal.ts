import type { FastifyRequest } from 'fastify';

import type { Account, OrganizationId, Role } from '../accounts/account.ts';
import { roleIn } from '../accounts/account.ts';
import type { ApiKeyId, ApiKeyLimit } from './api-key.ts';
import type { SessionId } from './session.ts';

/** The credential of a request. */
export type Credential =
  | { readonly kind: 'jwt'; readonly sessionId: SessionId }
  | {
      readonly kind: 'api_key';
      readonly keyId: ApiKeyId;
      readonly name: string;
      /** Null for all organizations of the account. */
      readonly organizations: readonly OrganizationId[] | null;
      /** Null for every permission of the account. */
      readonly limit: ApiKeyLimit | null;
    };

/** A person using the site. */
export interface BrowserCredential {
  readonly kind: 'browser';
  readonly sessionId: SessionId;
}

/** The authenticated account and its credential. Read from the database under a second ago, not from the token. */
export interface Principal<Held = Credential | BrowserCredential> {
  readonly account: Account;
  readonly credential: Held;
}

/** The sender of an API request, with a token or key. */
export type ApiPrincipal = Principal<Credential>;

/** The caller's role in an organization; null outside it and outside the key's scopes, which callers answer with 404. */
export function principalRole(
  { account, credential }: Principal,
  organizationId: OrganizationId,
): Role | null {
  const scopes = credential.kind === 'api_key' ? credential.organizations : null;
  if (scopes !== null && !scopes.includes(organizationId)) return null;
  return roleIn(account, organizationId);
}

const principals = new WeakMap<FastifyRequest, ApiPrincipal>();

export function setPrincipal(request: FastifyRequest, principal: ApiPrincipal): void {
  principals.set(request, principal);
}

/** For route handlers on a surface that authenticates. */
export function principalOf(request: FastifyRequest): ApiPrincipal {
  const principal = principals.get(request);
  if (principal === undefined) throw new Error('this route is not on a surface that authenticates');
  return principal;
}
