import type { FastifyRequest } from 'fastify';

import type { Account, OrganizationId, Role } from '../accounts/account.ts';
import { roleIn } from '../accounts/account.ts';
import type { ApiKeyId, ApiKeyLimit } from './api-key.ts';
import type { SessionId } from './session.ts';

/** What a request carries. */
export type Credential =
  | { readonly kind: 'jwt'; readonly sessionId: SessionId }
  | {
      readonly kind: 'api_key';
      readonly keyId: ApiKeyId;
      readonly name: string;
      /** Null: all organizations of the account. */
      readonly organizations: readonly OrganizationId[] | null;
      /** Null: everything that the account may do. */
      readonly limit: ApiKeyLimit | null;
    };

/** A person at our pages. */
export interface BrowserCredential {
  readonly kind: 'browser';
  readonly sessionId: SessionId;
}

/** Who speaks and with what. Read from the database less than a second ago; claims in a token never enter here. */
export interface Principal<Held = Credential | BrowserCredential> {
  readonly account: Account;
  readonly credential: Held;
}

/** Who sent a request to an API, with a token or key. */
export type ApiPrincipal = Principal<Credential>;

/** What the caller is in an organization; null outside it and outside the key's scopes, which callers answer with 404. */
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

/** For handlers of routes on a surface that authenticates. */
export function principalOf(request: FastifyRequest): ApiPrincipal {
  const principal = principals.get(request);
  if (principal === undefined) throw new Error('this route is not on a surface that authenticates');
  return principal;
}
