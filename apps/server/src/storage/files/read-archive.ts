import { ProblemError } from '../../foundation/problem.ts';
import { authorizeContainer } from '../folders/authorize-entry.ts';
import { selectTree } from '../folders/entry-tree-store.ts';
import { readEntry } from '../folders/read-entries.ts';
import { readableBelow } from '../folders/readable-below.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { archiveBytesMax, archiveEntriesMax } from '../storage-deps.ts';
import { archiveTooLarge } from '../storage-problems.ts';
import { archivePaths } from './archive-paths.ts';
import { isReadableBy, readerOf } from './require-readable.ts';
import type { ZipEntry } from './zip-archive.ts';
import { writeZip, zipSize } from './zip-archive.ts';

/** The source of an archive: a folder with everything below it, or a whole project. */
export type ArchivedPlace = { readonly folderId: string } | { readonly projectId: string };

export interface Archive {
  readonly name: string;
  readonly size: number;
  /** Opens a file of the bucket when its turn comes, and none once the signal is aborted. */
  readonly open: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

/** Everything that the caller may read now, without content that the scanner withholds. */
export async function readArchive(
  deps: StorageDeps,
  request: StorageRequest & { readonly place: ArchivedPlace },
): Promise<Archive> {
  const { place } = request;
  const folder =
    'folderId' in place
      ? await readEntry(deps, { ...request, entry: { id: place.folderId, kind: 'folder' } })
      : null;
  const projectId = 'projectId' in place ? place.projectId : (folder?.projectId ?? '');
  const where = { projectId, folderId: folder?.id ?? null };
  const { actor, project, folderId, lineage } = await authorizeContainer(deps, request.caller, where, {
    read: true,
  });
  const { folders } = lineage;
  const tree = { projectId: project.id, folderId, folders, readable: readableBelow(actor, project) };
  const found = await selectTree(deps.database, tree, archiveEntriesMax + 1);
  const reader = readerOf(request.caller);
  const entries = found.filter(
    ({ content }) => content === null || isReadableBy(content, reader, deps.settings),
  );
  const bytes = entries.reduce((sum, { content }) => sum + (content?.size ?? 0), 0);
  if (found.length > archiveEntriesMax || bytes > archiveBytesMax)
    throw new ProblemError(
      archiveTooLarge,
      `An archive can contain at most ${archiveEntriesMax} folders and files and ${archiveBytesMax} bytes.`,
    );
  const name = folder?.name ?? project.name;
  const placed = archivePaths(name, folderId, entries);
  const zipEntries = (signal: AbortSignal): readonly ZipEntry[] =>
    placed.map(({ path, entry: { content, updatedAt } }) => ({
      path,
      changedAt: updatedAt,
      content: content && {
        size: content.size,
        open: async () => (content.size === 0 ? nothing() : deps.bucket.open(content.blobKey, null, signal)),
      },
    }));
  return {
    name: `${name}.zip`,
    size: zipSize(zipEntries(AbortSignal.abort())),
    open: (signal) => writeZip(zipEntries(signal)),
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
