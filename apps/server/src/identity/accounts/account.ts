import type { Brand } from '../../foundation/brand.ts';
import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { isReservedKey } from './reserved-name.ts';

export type AccountId = Id<'account'>;
export type OrganizationId = Id<'organization'>;
export type WorkspaceId = Id<'workspace'>;
export type Role = 'owner' | 'admin' | 'member' | 'viewer' | 'guest';
/** Roles of invitations: owners are created with the organization or by a change of role. */
export type InvitedRole = Exclude<Role, 'owner'>;

/** How long the deletion of an account or an organization can be cancelled. */
export const deletionGraceDays = 30;

/** The name in URLs, of accounts and of organizations. */
export type Username = Brand<string, 'Username'>;

const usernameForm = /^[a-z0-9][a-z0-9_-]{2,31}$/;

export function parseUsername(text: string): Result<Username, 'malformed'> {
  return usernameForm.test(text) ? accepted(text as Username) : refused('malformed');
}

export type UsernameFault = 'malformed' | 'reserved';

/** For usernames and organization keys; each message continues the name of its field. */
export const usernameFaultMessages: Readonly<Record<UsernameFault, string>> = {
  malformed: 'must have 3 to 32 lowercase letters, digits, - or _, and start with a letter or digit',
  reserved: 'is reserved; choose another',
};

/** A name that a new account or organization may take. */
export function parseNewUsername(text: string): Result<Username, UsernameFault> {
  const username = parseUsername(text);
  return username.ok && isReservedKey(text) ? refused('reserved') : username;
}

/** For a name that is taken: appends six random base-36 digits. */
export function usernameVariant(username: Username, randomBytes: (size: number) => Buffer): Username {
  const digits = (randomBytes(6).readUIntBE(0, 6) % 36 ** 6).toString(36).padStart(6, '0');
  return `${username.slice(0, 25)}-${digits}` as Username;
}

export interface Membership {
  readonly organizationId: OrganizationId;
  /** `platform_key` on the platform. */
  readonly organizationKey: Username;
  readonly organizationName: string;
  readonly role: Role;
}

export interface WorkspaceMembership {
  readonly workspaceId: WorkspaceId;
  readonly workspaceName: string;
  readonly organizationId: OrganizationId;
  readonly role: Role;
}

/** An account with all its memberships, as they are now. */
export interface Account {
  readonly id: AccountId;
  readonly username: Username;
  readonly email: string;
  readonly name: string;
  readonly imageUrl: string | null;
  /** The current organization. */
  readonly organizationId: OrganizationId;
  readonly superuser: boolean;
  readonly memberships: readonly Membership[];
  readonly workspaces: readonly WorkspaceMembership[];
}

export function roleIn(account: Account, organizationId: OrganizationId): Role | null {
  return account.memberships.find((one) => one.organizationId === organizationId)?.role ?? null;
}
