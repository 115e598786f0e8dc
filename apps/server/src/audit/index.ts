export type { AuditEvent, AuditEventId, AuditFilter, AuditRecord } from './audit-event-store.ts';
export {
  auditEventOfFound,
  countOrganizationEvents,
  listEventKinds,
  listOrganizationEvents,
  findOrigins,
  readAccountEvents,
  recordAuditEvent,
} from './audit-event-store.ts';
export type { AuditKind } from './audit-kind.ts';
export { createEventSentences, defineAuditKind } from './audit-kind.ts';
export { createAuditRetention } from './audit-retention.ts';
