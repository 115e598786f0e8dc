import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { accounts, organizations } from '../../identity/index.ts';
import type { WrittenPolicy } from '../permissions/policy.ts';

export type ShareId = Id<'share'>;

export const shareLevels = ['read', 'write', 'manage'] as const;
export type ShareLevel = (typeof shareLevels)[number];

/** Whom something is shared with. */
export type ShareSubject =
  | { readonly kind: 'member'; readonly id: accounts.AccountId; readonly username: string }
  | { readonly kind: 'group'; readonly id: number; readonly name: string }
  /** Somebody who has not joined yet; until then it gives nothing. */
  | { readonly kind: 'invited'; readonly id: organizations.InvitationId; readonly email: string };

/** A policy on one thing, bound to one member or group. What its level comes to is for the thing's domain to say. */
export interface Share {
  readonly id: ShareId;
  readonly organizationId: accounts.OrganizationId;
  /** The path of what is shared. */
  readonly resource: string;
  readonly level: ShareLevel;
  readonly policy: WrittenPolicy;
  readonly subject: ShareSubject;
  readonly maker: { readonly id: accounts.AccountId; readonly username: string };
  readonly createdAt: EpochMicroseconds;
}
