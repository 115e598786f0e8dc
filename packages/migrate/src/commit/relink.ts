import { lstatSync } from 'node:fs';
import { join } from 'node:path';

import { linksOf, outdatedChunks, saveLinks } from '../links/link-store.ts';
import type { StoredLink } from '../links/link-store.ts';
import { findLinks } from '../links/note-link.ts';
import { findChunk } from '../queue/chunk-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { TargetLayout } from '../targets/target-layout.ts';
import { applyChanges } from './apply-changes.ts';
import { AttachmentPlanner } from './attachment-planner.ts';
import { DestinationAssigner } from './destination.ts';
import type { FileChange, NewPiece } from './file-change.ts';
import { readIfThere } from './file-change.ts';
import { chunkBody } from './inserted-span.ts';
import type { Piece } from './journal-store.ts';
import { presentPieces } from './journal-store.ts';
import { propertyNote, propertySource, propertyText } from './knowledge-note.ts';
import { LinkRewriter } from './link-rewriter.ts';
import { safeFilePath } from './safe-path.ts';

interface Relinked {
  readonly chunk: QueuedChunk;
  readonly piece: Piece;
  readonly text: string;
  readonly links: readonly StoredLink[];
}

/**
 * Rewrites links whose note was added to the knowledge base since, or removed. It depends only on the current state,
 * so that it can be interrupted and repeated at any time. Does not change a piece that the user has edited.
 */
export function relink(queue: QueueHandle, layout: TargetLayout): void {
  const { database } = queue;
  const destinations = new DestinationAssigner(queue, layout);
  const rewriter = new LinkRewriter(queue, layout, new AttachmentPlanner(queue, destinations), new Map());
  const relinked = outdatedChunks(database).flatMap((id) => relinkedPiece(queue, rewriter, id));
  for (const [path, pieces] of Map.groupBy(relinked, ({ piece }) => piece.path)) {
    const change = changeOf(queue, path, pieces);
    if (change === null) continue;
    applyChanges(queue, pieces[0]?.piece.run ?? '', [change], (failures) => {
      if (failures.size > 0) return;
      const written = pieces.filter(({ piece }) => change.remove.includes(piece.ordinal));
      for (const { chunk, links } of written) saveLinks(database, chunk.id, links);
    });
  }
}

function relinkedPiece(queue: QueueHandle, rewriter: LinkRewriter, id: string): readonly Relinked[] {
  const chunk = findChunk(queue.database, id);
  const piece = presentPieces(queue.database, { chunks: [id] }).find(({ kind }) => kind === 'text');
  if (chunk === null || chunk === 'ambiguous' || piece === undefined) return [];
  const { text, links } = rewriter.render(chunk, piece.path);
  const eol = piece.text.includes('\r\n') ? '\r\n' : '\n';
  const earlier = asWritten(chunk.text, linksOf(queue.database, id));
  for (const written of writtenForms(chunk)) {
    const before = written(earlier).replace(/\n/g, eol);
    const at = piece.text.lastIndexOf(before);
    if (before === '' || at === -1) continue;
    const now = written(text).replace(/\n/g, eol);
    const after = piece.text.slice(0, at) + now + piece.text.slice(at + before.length);
    return [{ chunk, piece, text: after, links }];
  }
  return [];
}

/** The forms in which a commit writes the text of a chunk. */
function writtenForms(chunk: QueuedChunk): readonly ((text: string) => string)[] {
  const asText = (text: string): string => withoutHeading(chunkBody(text));
  if (propertyNote(chunk, chunk.text) === null) return [asText];
  const asSource = (text: string): string => propertySource(propertyNote(chunk, text));
  const asList = (text: string): string => {
    const properties = propertyNote(chunk, text);
    return properties === null ? '' : propertyText(properties);
  };
  return [asSource, asList, asText];
}

/** The text with its links as they were written last. */
function asWritten(text: string, links: readonly StoredLink[]): string {
  let out = '';
  let at = 0;
  for (const [ordinal, link] of Array.from(findLinks(text)).entries()) {
    out += text.slice(at, link.start) + (links[ordinal]?.rendered ?? text.slice(link.start, link.end));
    at = link.end;
  }
  return out + text.slice(at);
}

/** Between the heading and the text the properties of the note may have been put. */
function withoutHeading(body: string): string {
  return /^#{1,6}[ \t]/.test(body) ? body.slice(body.indexOf('\n') + 1).replace(/^\n+/, '') : body;
}

function changeOf(queue: QueueHandle, path: string, pieces: readonly Relinked[]): FileChange | null {
  const file = join(queue.root, path);
  if (safeFilePath(queue.root, path) !== path) return null;
  const before = readIfThere(file);
  if (before === null) return null;
  let text = before.toString('utf8');
  const add: NewPiece[] = [];
  const remove: number[] = [];
  for (const { chunk, piece, text: after } of pieces) {
    const at = text.lastIndexOf(piece.text);
    if (at === -1) continue;
    text = text.slice(0, at) + after + text.slice(at + piece.text.length);
    add.push({ chunk: chunk.id, kind: 'text', text: after, before: null, run: piece.run });
    remove.push(piece.ordinal);
  }
  if (add.length === 0) return null;
  // A link to a new place is no edit of the note.
  const modifiedMs = lstatSync(file).mtimeMs;
  return { path, before, after: Buffer.from(text), add, remove, heading: '', modifiedMs };
}
