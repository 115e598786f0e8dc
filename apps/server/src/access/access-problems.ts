import type { ProblemDefinition } from '../foundation/problem.ts';

export const permissionEscalation: ProblemDefinition = {
  code: 'permission_escalation',
  kind: 'forbidden',
  title: 'Permission escalation',
  explanation:
    'You can grant only permissions that you have. `errors` lists each action and resource that you do not have. Remove them from the request, or ask a member with these permissions.',
};
export const organizationSecondFactorRequired: ProblemDefinition = {
  code: 'organization_second_factor_required',
  kind: 'forbidden',
  title: 'Second factor required',
  explanation:
    'The organization requires its members to use a second factor, and the account has none. Sign in to the website and turn on one-time codes (`/account/second-factor`), or add a passkey and remove the password (`/account/passkeys`). Until then, requests with sessions, access tokens, API keys and platform tokens in `owner` mode are refused.',
};
