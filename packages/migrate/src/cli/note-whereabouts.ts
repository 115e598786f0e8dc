import { presentPieces } from '../commit/journal-store.ts';
import { findChunk } from '../queue/chunk-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { destinationOf } from '../queue/queued-chunk.ts';
import type { StoredFile } from '../queue/source-store.ts';
import { chunkIdsOf, filesNamed } from '../queue/source-store.ts';
import type { StatusOptions } from './command-line.ts';
import { UsageError } from './command-line.ts';
import type { Host } from './host.ts';
import { printable } from './terminal.ts';

interface ChunkPlace {
  readonly id: string;
  readonly headings: readonly string[];
  readonly state: QueuedChunk['state'];
  readonly target: string;
  /** The files of the knowledge base that contain it. */
  readonly files: readonly string[];
}

/** A chunk by its id or the beginning of it; a usage error where that is not one. */
export function requireChunk({ database }: QueueHandle, id: string): QueuedChunk {
  const chunk = findChunk(database, id);
  if (chunk === null) throw new UsageError(`chunk not found: ${id}; list chunks with status --list`);
  if (chunk === 'ambiguous')
    throw new UsageError(`several chunks start with ${id}; use more characters of the id`);
  return chunk;
}

/** Answers where a note went. */
export function showWhereabouts(options: StatusOptions, host: Host, queue: QueueHandle, given: string): void {
  const files = filesNamed(queue.database, given);
  if (files.length === 0) throw new UsageError(`no scanned note is named ${given}`);
  for (const file of files) {
    const chunks = chunkPlaces(queue, file);
    if (options.json) {
      const { root, name, status, detail } = file;
      host.stdout.write(`${JSON.stringify({ root, name, status, detail, chunks })}\n`);
      continue;
    }
    const what = file.status === 'read' ? '' : `: ${file.detail === '' ? file.status : file.detail}`;
    const lines = chunks.map(
      ({ id, headings, state, target, files }) =>
        `  ${id.slice(0, 10)}  ${headings.join(' › ') || 'the note'}: ${files.length > 0 ? `in ${files.join(', ')}` : `${state}, for ${target}`}`,
    );
    host.stdout.write(`${printable([`${file.name}${what}`, ...lines].join('\n'))}\n`);
  }
}

function chunkPlaces({ database }: QueueHandle, file: StoredFile): readonly ChunkPlace[] {
  return chunkIdsOf(database, file.id).flatMap((id) => {
    const chunk = findChunk(database, id);
    if (chunk === null || chunk === 'ambiguous') return [];
    const pieces = [id, ...(chunk.replaces === null ? [] : [chunk.replaces])].flatMap((one) =>
      presentPieces(database, { chunks: [one] }),
    );
    const files = [...new Set(pieces.filter(({ kind }) => kind !== 'copy').map(({ path }) => path))];
    const { headings, state } = chunk;
    return [{ id, headings, state, target: destinationOf(chunk), files }];
  });
}
