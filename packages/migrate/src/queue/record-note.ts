import type { DatabaseSync } from 'node:sqlite';

import { identifyChunks, versionId } from '../chunks/chunk-identity.ts';
import type { Chunk } from '../chunks/chunk.ts';
import type { Classification } from '../classify/classification.ts';
import { addChunk, deleteChunk, findChunk, isShared, isSuperseded } from './chunk-store.ts';
import type { MatchedChunk } from './match-chunks.ts';
import { matchChunks } from './match-chunks.ts';
import type { QueuedChunk } from './queued-chunk.ts';
import { destinationOf } from './queued-chunk.ts';
import { chunkIdsOf, saveChunkIds } from './source-store.ts';

/** A note as a scan has cut it. */
export interface ScannedNote {
  readonly file: number;
  /** Null for pasted text, which has no place. */
  readonly origin: string | null;
  readonly source: string;
  readonly kind: string;
  readonly tags: readonly string[];
  readonly chunks: readonly Chunk[];
  readonly route: (chunk: Chunk) => Classification;
}

export interface NoteChanges {
  /** Chunks the queue did not know. */
  readonly added: number;
  /** Of these, newer versions of pending chunks, which they replace. */
  readonly replaced: number;
  /** Of these, newer versions of what is already committed. */
  readonly changedSinceCommit: number;
}

/**
 * Puts the chunks of a note into the queue. A pending chunk that was edited since is replaced; a committed chunk
 * stays, and its newer version waits with a mark: two versions never exist side by side.
 */
export function recordNote(database: DatabaseSync, note: ScannedNote): NoteChanges {
  const known = knownChunks(database, note.file);
  const ids = identifyChunks(note.origin, note.chunks);
  const matched = matchChunks(note.chunks, [...known, ...replacedBy(database, known)]);
  const changes = { added: 0, replaced: 0, changedSinceCommit: 0 };
  const chunkIds: string[] = [];
  for (const [at, match] of matched.entries()) {
    if (match.before?.text === match.chunk.text) {
      chunkIds.push(match.before.id);
      continue;
    }
    const id = freeId(database, ids[at] ?? '', match);
    chunkIds.push(id);
    if (findChunk(database, id) !== null) continue;
    addVersion(database, note, id, match);
    changes.added += 1;
    if (match.before !== null && match.before.state !== 'committed') changes.replaced += 1;
    if (match.before !== null && (match.before.state === 'committed' || match.before.replaces !== null))
      changes.changedSinceCommit += 1;
  }
  saveChunkIds(database, note.file, chunkIds);
  for (const { id, state } of known) {
    if (state !== 'committed' && !chunkIds.includes(id) && !isShared(database, id)) deleteChunk(database, id);
  }
  return changes;
}

/** A note that was edited back to what it was two versions ago is a new version all the same. */
function freeId(database: DatabaseSync, id: string, { before }: MatchedChunk): string {
  return before !== null && isSuperseded(database, id) ? versionId(id, before.id) : id;
}

function knownChunks(database: DatabaseSync, file: number): readonly QueuedChunk[] {
  return chunkIdsOf(database, file).flatMap((id) => {
    const chunk = findChunk(database, id);
    return chunk === null || chunk === 'ambiguous' ? [] : [chunk];
  });
}

/** A note that was edited and edited back is what was committed. */
function replacedBy(database: DatabaseSync, known: readonly QueuedChunk[]): readonly QueuedChunk[] {
  return known.flatMap(({ replaces }) => {
    const chunk = replaces === null ? null : findChunk(database, replaces);
    return chunk === null || chunk === 'ambiguous' || isSuperseded(database, chunk.id) ? [] : [chunk];
  });
}

function addVersion(
  database: DatabaseSync,
  note: ScannedNote,
  id: string,
  { chunk, before }: MatchedChunk,
): void {
  const found = note.route(chunk);
  const replaces = before === null ? null : before.state === 'committed' ? before.id : before.replaces;
  // What the person has decided about an earlier version is proposed for the newer one, to be approved again.
  const isRouted = before !== null && (before.state === 'committed' || before.chosen !== null);
  const target = before !== null && isRouted ? destinationOf(before) : found.target;
  const chosen = target === found.target ? null : target;
  const isRejected = before?.state === 'rejected';
  addChunk(database, {
    id,
    source: note.source,
    kind: note.kind,
    part: chunk.part,
    headings: chunk.headings,
    spans: chunk.spans,
    text: chunk.text,
    tags: note.tags,
    proposed: found.target,
    confidence: found.confidence,
    reasons: found.reasons,
    alternatives: found.alternatives.filter((other) => other.target !== 'UNCLEAR'),
    state: isRejected ? 'rejected' : target === 'UNCLEAR' ? 'unclear' : 'scanned',
    chosen,
    replaces,
    basis: found.basis ?? null,
  });
}
