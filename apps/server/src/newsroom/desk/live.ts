/** What happens while a page of the desk is open, as its pages use it. */
export { readPresentStart } from './desk-event-store.ts';
export { eventId, readStart, startPattern } from './desk-event.ts';
export type { DeskEvent } from './desk-event.ts';
export { createDeskEvents } from './desk-events.ts';
export { endEditing, markEditing, readEditing } from './presence-store.ts';
