import type { Id } from '../../foundation/ids.ts';

export type ApiKeyId = Id<'api key'>;

/** Each of the actions on each of the resources; `access` says what the texts mean. */
export interface KeyPermission {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

export const keyPermissionsMax = 10;
/** Of either list of a permission. */
export const permissionEntriesMax = 20;

/** Narrows what a key may do to what it names; never gives what its account does not have. */
export type ApiKeyLimit = 'read_only' | readonly KeyPermission[];

export function limitWords(limit: ApiKeyLimit | null): string {
  if (limit === null) return 'all your permissions';
  return limit === 'read_only' ? 'read only' : 'named permissions only';
}

/** What is wrong with a permission of an organization; `name` is its place, as in `actions.3`. */
export type CheckPermission = (
  permission: KeyPermission,
  organizationKey: string,
) => readonly { readonly name: string; readonly message: string }[];
