export { emptyProjectTrash, purgeEntry, purgeProject } from './purge-entries.ts';
export { listTrash, readTrashSize, readTrashed } from './read-trash.ts';
export type { TrashSize } from './read-trash.ts';
