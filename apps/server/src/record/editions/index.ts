export { editionCalendar } from './edition-calendar.ts';
export { contentsHash, readKeptEdition } from './edition-material-store.ts';
export type { KeptEdition } from './edition-material-store.ts';
export { readEdition, readEditionEntries } from './edition-reading-store.ts';
export type { CitedItem, EditionEntry, RecordedEdition } from './edition-reading-store.ts';
export { editionPeriod } from './edition.ts';
export * as words from './word-edition.ts';
export type { EditionContents, EditionKey, EditionKind, RewriteEdition } from './edition.ts';
