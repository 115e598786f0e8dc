/** What pages use of the audit log. */
export type { ShownEvent } from './read-audit-events.ts';
export { exportAuditEvents, listAuditEventKinds, listAuditEvents } from './read-audit-events.ts';
