export { findAccountIdOf, findUsernames, lockAccount } from './account-store.ts';
export type { Account, AccountId, InvitedRole, OrganizationId, Role } from './account.ts';
