export {
  archiveBindingOf,
  readArchive,
  readArchivePosition,
  readArchiveQuery,
} from './archive-representation.ts';
export type { ArchivePage, ArchiveQuery } from './archive-representation.ts';
