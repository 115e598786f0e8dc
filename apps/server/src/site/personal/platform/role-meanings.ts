import type { accounts } from '../../../identity/index.ts';

/** What each role can really do, as `role-policies.ts` has it. */
export const roleMeanings: Readonly<Record<accounts.Role, string>> = {
  owner: 'owner: does everything, also with other owners',
  admin:
    'admin: invites, changes and removes members, manages tokens, policies, groups and agents, renames the organization; cannot change owners, their tokens or anything in their name',
  member: 'member: works with agents and files, creates tokens of their own, sees who is here',
  viewer: 'viewer: reads agents and files, sees who is here, changes nothing',
  guest: 'guest: sees nothing but what is shared with them or what groups give them',
};
