/** The journal as the pages of the desk read it. */
export { listJournal } from './journal-store.ts';
export { versionOf } from './journal.ts';
export type { JournalEntry } from './journal.ts';
export { readSubjectTitles } from './subject-title-store.ts';
export { readStoryStates } from './subject-state-store.ts';
export { readUndoable } from './undoable.ts';
