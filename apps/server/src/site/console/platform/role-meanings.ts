import type { accounts } from '../../../identity/index.ts';
import type { Text } from '../../shell/words/say.ts';

/** The meaning of each role, as in `role-policies.ts`. */
export const roleMeanings: Readonly<Record<accounts.Role, Text>> = {
  owner: 'owner: full access, including managing other owners',
  admin:
    'admin: manages members, tokens, policies, groups and agents, and renames the organization; cannot manage owners or their tokens',
  member: 'member: uses agents and files, creates own tokens, sees members',
  viewer: 'viewer: read-only access to agents, files and members',
  guest: 'guest: access only to shared resources and group permissions',
};
