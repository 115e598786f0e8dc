export { changeEntry, createFolder, deleteEntry, restoreEntry } from './change-entries.ts';
export { entriesAllowing, viewContainer, viewFile } from './entry-view.ts';
export type { EntryView } from './entry-view.ts';
export type { Entry } from './entry.ts';
export { listMadeEntries } from './list-made-entries.ts';
export { listChildren, readEntry, searchByName } from './read-entries.ts';
