export { apiTokenFieldAction } from './api-token-privilege.ts';
export {
  apiTokenActions,
  groupActions,
  memberActions,
  organizationActions,
  policyActions,
  readAuditEvents,
} from './core-actions.ts';
export { policiesOfRole, roles } from './role-policies.ts';
