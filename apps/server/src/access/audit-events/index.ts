/** The exports that pages use. */
export type { ShownEvent } from './read-audit-events.ts';
export { exportAuditEvents, listAuditEventKinds, listAuditEvents } from './read-audit-events.ts';
