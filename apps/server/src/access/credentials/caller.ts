import type { FastifyRequest } from 'fastify';

import type { accounts, credentials } from '../../identity/index.ts';
import type { Authority } from '../permissions/authority.ts';
import type { PlatformTokenId, TokenMode } from './platform-token.ts';

export type CallerCredential =
  /** Of an access token, or of a browser. */
  | { readonly kind: 'session'; readonly sessionId: string }
  /** Of an account, for all its organizations (null) or some; on the data endpoints alone. */
  | {
      readonly kind: 'api_key';
      readonly keyId: string;
      readonly organizations: readonly accounts.OrganizationId[] | null;
      /** Null for every permission of the account. */
      readonly limit: credentials.ApiKeyLimit | null;
    }
  | {
      readonly kind: 'api_token';
      readonly tokenId: PlatformTokenId;
      readonly organizationId: accounts.OrganizationId;
      readonly mode: TokenMode;
    }
  /** A visitor with a shared link: has the permissions of its creator, without being the creator. */
  | {
      readonly kind: 'link';
      readonly linkId: string;
      /** The API key that created it, whose limit applies to its visitors too. */
      readonly key: { readonly id: string; readonly limit: credentials.ApiKeyLimit | null } | null;
    }
  /** Work that a member scheduled: has the permissions that the member has when it runs. */
  | { readonly kind: 'schedule'; readonly scheduleId: string };

/** The caller and the credential. A token belongs to the account that created it. */
export interface Caller {
  readonly accountId: accounts.AccountId;
  readonly username: string;
  readonly credential: CallerCredential;
}

export interface Organization {
  readonly id: accounts.OrganizationId;
  /** `platform_key`, or `{org}` in paths. */
  readonly key: string;
}

/** A caller in one organization, with the permissions there. */
export interface OrganizationActor {
  readonly caller: Caller;
  readonly organization: Organization;
  readonly authority: Authority;
}

/** For pages, which authenticate an account by its cookie. */
export function callerOfAccount(
  account: { readonly id: accounts.AccountId; readonly username: string },
  sessionId: string,
): Caller {
  return { accountId: account.id, username: account.username, credential: { kind: 'session', sessionId } };
}

/** For data endpoints, where an account uses an access token or an API key. */
export function callerOfPrincipal({ account, credential }: credentials.ApiPrincipal): Caller {
  if (credential.kind === 'jwt') return callerOfAccount(account, credential.sessionId);
  const { keyId, organizations, limit } = credential;
  return {
    accountId: account.id,
    username: account.username,
    credential: { kind: 'api_key', keyId, organizations, limit },
  };
}

/** For resources that an account has shared by link. */
export function callerOfLink(
  maker: Pick<Caller, 'accountId' | 'username'>,
  link: Omit<Extract<CallerCredential, { readonly kind: 'link' }>, 'kind'>,
): Caller {
  return { ...maker, credential: { kind: 'link', ...link } };
}

/** For work that a member scheduled, in the absence of the member. */
export function callerOfSchedule(
  member: { readonly id: accounts.AccountId; readonly username: string },
  scheduleId: string,
): Caller {
  return { accountId: member.id, username: member.username, credential: { kind: 'schedule', scheduleId } };
}

/** Whether the credential has fewer permissions than its account. */
export function isLimited({ credential }: Caller): boolean {
  return credential.kind === 'api_key' && credential.limit !== null;
}

/** Whether the caller is this person: a token of theirs is not, and needs permission like any other. */
export function isPerson({ username, credential }: Caller, name: string): boolean {
  return credential.kind === 'session' && username === name;
}

const callers = new WeakMap<FastifyRequest, Caller>();

export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

/** For route handlers on the platform's surface. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error("this route is not on the platform's surface");
  return caller;
}
