import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { AccountId, OrganizationId } from '../accounts/account.ts';
import type { Client } from '../client.ts';

export type AuditKind =
  | 'account_created'
  | 'account_joined_organization'
  | 'account_unlocked'
  | 'agent_changed'
  | 'agent_created'
  | 'api_key_created'
  | 'api_key_revoked'
  | 'exchange_code_created'
  | 'exchange_code_reused'
  | 'external_identity_linked'
  | 'external_identity_refused'
  | 'external_identity_unlinked'
  | 'group_created'
  | 'group_deleted'
  | 'group_updated'
  | 'member_invited'
  | 'member_role_changed'
  | 'password_changed'
  | 'password_reset_requested'
  | 'platform_token_created'
  | 'platform_token_deleted'
  | 'platform_token_updated'
  | 'policy_created'
  | 'policy_deleted'
  | 'policy_updated'
  | 'refresh_token_reused'
  | 'session_opened'
  | 'session_revoked'
  | 'sign_in_failed'
  | 'sign_in_locked'
  | 'sign_up_requested'
  | 'signing_key_rotated';

export interface AuditEvent {
  readonly kind: AuditKind;
  readonly at: EpochMicroseconds;
  readonly accountId: AccountId | null;
  readonly organizationId?: OrganizationId;
  readonly client: Client | null;
  /** Ids and reasons; never a secret. */
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>;
}
