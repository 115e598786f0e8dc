/** For the commands that copy events out of the database and restore them. */
export { findMissingEvents, readEventsSince, restoreAuditEvent } from './audit-event-store.ts';
