import type { ProblemDefinition } from '../foundation/problem.ts';

export const permissionEscalation: ProblemDefinition = {
  code: 'permission_escalation',
  kind: 'forbidden',
  title: 'More than you may give',
  explanation:
    'Whoever gives a permission must hold it. `errors` names each pair of action and resource that you would give and do not hold. Leave those out, or ask someone who holds them.',
};
export const organizationSecondFactorRequired: ProblemDefinition = {
  code: 'organization_second_factor_required',
  kind: 'forbidden',
  title: 'This organization requires a second factor',
  explanation:
    'An owner of the organization requires a second factor of its members, and the account has none. Sign in on the pages and turn on one-time codes (`/account/second-factor`), or add a passkey and switch the password off (`/account/passkeys`); access returns at once. Sessions, access tokens, API keys and platform tokens in `owner` mode are refused until then.',
};
