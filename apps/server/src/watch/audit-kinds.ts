import type { AuditKind } from '../audit/index.ts';
import { feedAddressCreated, feedAddressDeleted } from './feeds/change-feed-address.ts';
import { webhookCreated, webhookDeleted } from './webhooks/change-webhooks.ts';

/** Every event kind of this domain. */
export const auditKinds: readonly AuditKind[] = [
  feedAddressCreated,
  feedAddressDeleted,
  webhookCreated,
  webhookDeleted,
];
