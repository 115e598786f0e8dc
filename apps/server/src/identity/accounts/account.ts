import type { Brand } from '../../foundation/brand.ts';
import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';

export type AccountId = Id<'account'>;
export type OrganizationId = Id<'organization'>;
export type WorkspaceId = Id<'workspace'>;
export type Role = 'owner' | 'admin' | 'member' | 'viewer';
/** What one can be asked to join as: an organization has owners from its beginning or by a change of role. */
export type InvitedRole = Exclude<Role, 'owner'>;
export const invitedRoles: readonly InvitedRole[] = ['member', 'viewer', 'admin'];

/** The name in addresses, of accounts and of organizations alike. */
export type Username = Brand<string, 'Username'>;

const usernameForm = /^[a-z0-9][a-z0-9_-]{2,31}$/;

export function parseUsername(text: string): Result<Username, 'malformed'> {
  return usernameForm.test(text) ? accepted(text as Username) : refused('malformed');
}

export interface Membership {
  readonly organizationId: OrganizationId;
  readonly role: Role;
}

export interface WorkspaceMembership {
  readonly workspaceId: WorkspaceId;
  readonly workspaceName: string;
  readonly organizationId: OrganizationId;
  readonly role: Role;
}

/** An account with everything it belongs to, as it is at this moment. */
export interface Account {
  readonly id: AccountId;
  readonly username: Username;
  readonly email: string;
  readonly name: string;
  readonly imageUrl: string | null;
  /** The organization it works in now. */
  readonly organizationId: OrganizationId;
  readonly superuser: boolean;
  readonly memberships: readonly Membership[];
  readonly workspaces: readonly WorkspaceMembership[];
}

export function roleIn(account: Account, organizationId: OrganizationId): Role | null {
  return account.memberships.find((one) => one.organizationId === organizationId)?.role ?? null;
}

const nameCharsMax = 100;

export function codePoints(text: string): number {
  return text.length - (text.match(/[\u{10000}-\u{10FFFF}]/gu)?.length ?? 0);
}

/** A name for people to read: no control characters, which could end a mail header or hide text. */
export function parseDisplayName(text: string): Result<string, 'malformed'> {
  const name = text.normalize('NFC').trim();
  const fits = name.length > 0 && codePoints(name) <= nameCharsMax;
  return fits && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) ? accepted(name) : refused('malformed');
}
