import type { Id } from '../../foundation/ids.ts';

export type ApiKeyId = Id<'api key'>;

/** Each of the actions on each of the resources; `access` interprets the texts. */
export interface KeyPermission {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

export const keyPermissionsMax = 10;
/** The limit for each list of a permission. */
export const permissionEntriesMax = 20;

/** Limits a key to the permissions that it names; never grants more than its account has. */
export type ApiKeyLimit = 'read_only' | readonly KeyPermission[];

export function limitWords(limit: ApiKeyLimit | null): string {
  if (limit === null) return 'all your permissions';
  return limit === 'read_only' ? 'read only' : 'named permissions only';
}

/** An error in a permission of an organization; `name` is its place, as in `actions.3`. */
export type CheckPermission = (
  permission: KeyPermission,
  organizationKey: string,
) => readonly { readonly name: string; readonly message: string }[];
