export { editionCalendar } from './edition-calendar.ts';
export { contentsHash, readKeptEdition } from './edition-material-store.ts';
export type { EditionMaterial, KeptEdition } from './edition-material-store.ts';
export { editionPeriod } from './edition.ts';
