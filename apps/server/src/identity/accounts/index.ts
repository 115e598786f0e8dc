export { findAccountIdOf, findUsernames, lockAccount } from './account-store.ts';
export { isOfLiveKey } from './live-key-store.ts';
export type { Account, AccountId, InvitedRole, OrganizationId, Role } from './account.ts';
