/** For wiring and the commands: encrypted columns, and the keys of withdrawn entries. */
export type { EntryKey } from './land/entry-key-store.ts';
export { entryExists, excludeEntryKeys, readEntryKeys } from './land/entry-key-store.ts';
export { sealedColumns } from './sealed-columns.ts';
