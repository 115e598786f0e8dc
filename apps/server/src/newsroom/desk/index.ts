export { authorizeDesk, isStillAdmitted, personDecider, requireDesk } from './authorize-desk.ts';
export { deskActions, deskCapabilities, deskPresets } from './desk-actions.ts';
export { fetchLimit } from './desk-deps.ts';
export type { DeskDeps } from './desk-deps.ts';
/** The reports that are published within the next hour. */
export * as drafts from './drafts.ts';
/** Items and stories as the desk shows them. */
export * as deskReading from './desk-reading-store.ts';
/** The health of sources. */
export * as deskSources from './sources.ts';
/** What needs a person. */
export * as deskQueue from './queue.ts';
/** The entries of the journal, and what can be undone. */
export * as deskJournal from './journals.ts';
/** What happens while a page is open. */
export * as deskLive from './live.ts';
