import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { accounts, invitations } from '../../identity/index.ts';
import type { WrittenPolicy } from '../permissions/policy.ts';

export type ShareId = Id<'share'>;

export const shareLevels = ['read', 'write', 'manage'] as const;
export type ShareLevel = (typeof shareLevels)[number];

/** The recipient of a share. */
export type ShareSubject =
  | { readonly kind: 'member'; readonly id: accounts.AccountId; readonly username: string }
  | { readonly kind: 'group'; readonly id: number; readonly name: string }
  /** An invited person; the share grants nothing until they join. */
  | { readonly kind: 'invited'; readonly id: invitations.InvitationId; readonly email: string };

/** A policy on one resource, bound to one member or group. The resource's domain defines its levels. */
export interface Share {
  readonly id: ShareId;
  readonly organizationId: accounts.OrganizationId;
  /** The path of the shared resource. */
  readonly resource: string;
  readonly level: ShareLevel;
  readonly policy: WrittenPolicy;
  readonly subject: ShareSubject;
  readonly maker: { readonly id: accounts.AccountId; readonly username: string };
  /** The API key that created it, with which it ends. */
  readonly viaKeyId: string | null;
  readonly createdAt: EpochMicroseconds;
}
