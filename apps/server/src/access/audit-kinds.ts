import type { AuditKind } from '../audit/index.ts';
import { auditLogExported } from './audit-events/read-audit-events.ts';
import { groupCreated, groupDeleted, groupUpdated } from './groups/group-resource.ts';
import { invitationCancelled } from './members/cancel-invitation.ts';
import { memberRoleChanged } from './members/change-role.ts';
import { memberInvited } from './members/invite-member.ts';
import { accountJoined } from './members/open-invitation.ts';
import { memberLeft, memberRemoved } from './members/remove-member.ts';
import { organizationCreated, organizationRenamed } from './organizations/change-organizations.ts';
import {
  organizationDeletionCancelled,
  organizationDeletionRequested,
} from './organizations/delete-organization.ts';
import { secondFactorNotRequired, secondFactorRequired } from './organizations/second-factor-requirement.ts';
import { platformTokenDeleted, platformTokenUpdated } from './platform-tokens/change-platform-token.ts';
import { platformTokenCreated } from './platform-tokens/create-platform-token.ts';
import { policyCreated, policyDeleted, policyUpdated } from './policies/policy-resource.ts';

/** Every kind of event that this domain raises. */
export const auditKinds: readonly AuditKind[] = [
  auditLogExported,
  accountJoined,
  groupCreated,
  groupDeleted,
  groupUpdated,
  invitationCancelled,
  memberInvited,
  memberLeft,
  memberRemoved,
  memberRoleChanged,
  organizationCreated,
  organizationDeletionCancelled,
  organizationDeletionRequested,
  organizationRenamed,
  platformTokenCreated,
  platformTokenDeleted,
  platformTokenUpdated,
  policyCreated,
  policyDeleted,
  policyUpdated,
  secondFactorNotRequired,
  secondFactorRequired,
];
