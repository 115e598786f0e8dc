export { newestMatches } from './match-store.ts';
export { readMatchedItems } from './matched-items.ts';
export { changeSearch, createSearch, removeSearch, requireSearch, selectSearches } from './save-search.ts';
export type { MailFrequency, SavedSearch } from './saved-search.ts';
export { mailFrequencies } from './saved-search.ts';
export { nameOf, presentSearch, readQuery } from './search-schema.ts';
