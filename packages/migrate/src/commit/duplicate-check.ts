import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { comparableText } from '../queue/chunk-store.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { destinationOf } from '../queue/queued-chunk.ts';
import type { TargetLayout, TargetPlace } from '../targets/target-layout.ts';
import { isWholeTarget } from '../targets/target.ts';
import { DuplicateFinder } from './duplicate-finder.ts';
import { readIfThere } from './file-change.ts';
import { propertyNote } from './knowledge-note.ts';
import { safeFilePath } from './safe-path.ts';
import { placeOf } from './target-file.ts';

interface PlaceGroup {
  readonly place: TargetPlace;
  /** Each text once, with the first chunk that has it. */
  readonly texts: Map<string, string>;
}

/**
 * Ids of the chunks whose text is already in their target, or in an earlier one of these chunks. Each target is read
 * once, for any number of chunks.
 */
export function findDuplicates(
  root: string,
  layout: TargetLayout,
  chunks: Iterable<QueuedChunk>,
): ReadonlySet<string> {
  const groups = new Map<string, PlaceGroup>();
  const found = new Set<string>();
  for (const chunk of chunks) {
    const place = duplicatePlace(chunk, layout);
    const group = groups.get(place.path) ?? { place, texts: new Map() };
    groups.set(place.path, group);
    const text = comparableText(propertyNote(chunk, chunk.text)?.source ?? chunk.text);
    if (group.texts.has(text)) found.add(chunk.id);
    else group.texts.set(text, chunk.id);
  }
  for (const { place, texts } of groups.values()) {
    const finder = new DuplicateFinder(Array.from(texts, ([text, id]) => ({ id, text })));
    for (const text of placeTexts(root, place)) for (const id of finder.find(text)) found.add(id);
    const order = new Map(Array.from(texts.values(), (id, at) => [id, at]));
    for (const [text, id] of texts) {
      const at = order.get(id) ?? 0;
      for (const inside of finder.find(text)) if ((order.get(inside) ?? 0) > at) found.add(inside);
    }
  }
  return found;
}

/** A whole note is a duplicate only of a note with the same name: empty forms and daily notes are often alike. */
function duplicatePlace(chunk: QueuedChunk, layout: TargetLayout): TargetPlace {
  const place = placeOf(chunk, layout);
  if (!isWholeTarget(destinationOf(chunk))) return place;
  return { kind: 'file', path: join(place.path, chunk.source) };
}

function* placeTexts(root: string, place: TargetPlace): Generator<string> {
  const path = join(root, place.path);
  const names = place.kind === 'file' ? [''] : noteNames(path);
  for (const name of names) {
    const bytes = readQuietly(root, join(place.path, name));
    if (bytes !== null) yield bytes.toString('utf8').replace(/\r\n?/g, '\n');
  }
}

function noteNames(folder: string): readonly string[] {
  if (!(lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false)) return [];
  return readdirSync(folder).filter((name) => !name.startsWith('.'));
}

/** An unreadable file has no duplicate; writing to it reports the error. */
function readQuietly(root: string, path: string): Buffer | null {
  try {
    return readIfThere(join(root, safeFilePath(root, path)));
  } catch {
    return null;
  }
}
