export { editionCalendar } from './edition-calendar.ts';
/** What an edition was compiled from. */
export * as material from './edition-material-store.ts';
export { readDraftEdition, readEdition, readEditionEntries } from './edition-reading-store.ts';
export type { CitedItem, EditionEntry, RecordedEdition } from './edition-reading-store.ts';
export { editionPeriod } from './edition.ts';
export * as words from './word-edition.ts';
export type { EditionContents, EditionKey, EditionKind, RewriteEdition } from './edition.ts';
