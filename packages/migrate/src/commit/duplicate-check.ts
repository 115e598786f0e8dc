import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { TargetLayout, TargetPlace } from '../targets/target-layout.ts';
import { DuplicateFinder } from './duplicate-finder.ts';
import { readIfThere } from './file-change.ts';
import { safeFilePath } from './safe-path.ts';
import { placeOf } from './target-file.ts';

/** Ids of the chunks whose text already stands in their target, or stands in one of these that goes before them. */
export function findDuplicates(
  root: string,
  layout: TargetLayout,
  chunks: readonly QueuedChunk[],
): ReadonlySet<string> {
  const places = Map.groupBy(chunks, (chunk) => placeOf(chunk, layout).path);
  const found = new Set<string>();
  for (const group of places.values()) {
    const first = group[0];
    if (first === undefined) continue;
    const finder = new DuplicateFinder(
      group.map((chunk) => ({ id: chunk.id, text: comparable(chunk.text) })),
    );
    for (const text of placeTexts(root, placeOf(first, layout)))
      for (const id of finder.find(text)) found.add(id);
    const order = new Map(group.map((chunk, at) => [chunk.id, at]));
    for (const [at, chunk] of group.entries()) {
      for (const id of finder.find(comparable(chunk.text))) if ((order.get(id) ?? 0) > at) found.add(id);
    }
  }
  return found;
}

function comparable(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim();
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

/** What cannot be read holds no duplicate; writing to it will say what is wrong. */
function readQuietly(root: string, path: string): Buffer | null {
  try {
    return readIfThere(safeFilePath(root, path));
  } catch {
    return null;
  }
}
