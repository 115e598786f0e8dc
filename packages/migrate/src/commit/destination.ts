import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path/posix';

import type { QueueHandle } from '../queue/queue-database.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { TargetLayout } from '../targets/target-layout.ts';
import { isGenericHeading, noteFileName, noteTitle, scriptName } from './note-title.ts';
import { CommitRefusedError, refuseReadOnly, safeFilePath } from './safe-path.ts';
import { placeOf, refuseHarnessMemory } from './target-file.ts';
import { wholeNoteFolder, wholeNoteTitle } from './whole-note.ts';

/** The current or future place of a chunk in the knowledge base. */
export interface Destination {
  /** Relative to the root, without links. */
  readonly path: string;
  /** In a file of many chunks: its heading there. Null for a separate note. */
  readonly heading: string | null;
}

/** Gives chunks their places; a name once given is not given again. */
export class DestinationAssigner {
  readonly #queue: QueueHandle;
  readonly #root: string;
  readonly #layout: TargetLayout;
  readonly #takenNames = new Map<string, Set<string>>();

  constructor(queue: QueueHandle, layout: TargetLayout) {
    this.#queue = queue;
    this.#root = queue.root;
    this.#layout = layout;
  }

  /** Throws CommitRefusedError where the chunk must not be written. A newer version replaces the earlier one. */
  assign(chunk: QueuedChunk, earlierPath: string | null): Destination {
    const place = placeOf(chunk, this.#layout);
    const folder = join(place.path, wholeNoteFolder(this.#queue.database, chunk));
    if (earlierPath !== null) {
      const isFile = place.kind === 'file';
      const path = this.check(chunk, isFile ? place.path : join(folder, basename(earlierPath)));
      if (path === earlierPath) return { path, heading: isFile ? chunkHeading(chunk) : null };
      throw new CommitRefusedError(
        `its earlier version is in ${earlierPath}; to move it, first run undo --chunk ${chunk.replaces}`,
      );
    }
    if (place.kind === 'file') return { path: this.check(chunk, place.path), heading: chunkHeading(chunk) };
    const extension = place.path === this.#layout.hooks ? '.sh' : '.md';
    return { path: this.#freePath(chunk, folder, extension), heading: null };
  }

  /** The real path of a place, if it may be written to. */
  check(chunk: QueuedChunk, place: string): string {
    const path = safeFilePath(this.#root, place);
    refuseHarnessMemory(chunk, `/${path}`);
    refuseReadOnly(join(this.#root, path));
    return path;
  }

  /** The first of these names that no file of the folder has; null if all are used. */
  freeName(folder: string, names: readonly string[]): string | null {
    const taken = this.#takenNames.get(folder) ?? namesIn(join(this.#root, folder));
    this.#takenNames.set(folder, taken);
    const name = names.find((candidate) => !taken.has(candidate.toLowerCase())) ?? null;
    // Names differ in more than case, because not every file system is case-sensitive.
    if (name !== null) taken.add(name.toLowerCase());
    return name;
  }

  #freePath(chunk: QueuedChunk, folder: string, extension: string): string {
    const title = wholeNoteTitle(chunk) ?? noteTitle(chunk);
    const around = chunk.source.split('/').slice(0, -1).reverse();
    const titles = [
      title,
      ...around.map(
        (_, at) =>
          `${title} (${around
            .slice(0, at + 1)
            .reverse()
            .join(', ')})`,
      ),
      ...Array.from({ length: 8 }, (_, at) => `${title} (${at + 2})`),
      `${title} (${chunk.id})`,
    ];
    const name = this.freeName(
      folder,
      titles.map((one) => `${noteFileName(extension === '.sh' ? scriptName(one) : one)}${extension}`),
    );
    if (name === null) throw new CommitRefusedError(`a note named ${title} already exists`);
    return this.check(chunk, join(folder, name));
  }
}

/** The heading of a chunk in a file of many: the one that is added, or else its own first heading. */
export function chunkHeading(chunk: QueuedChunk): string {
  return addedHeading(chunk) === null ? (ownHeading(chunk)?.title ?? '') : noteTitle(chunk);
}

/**
 * The heading that a chunk gets in a file of many, null if its own says what it is. A note that begins with the heading
 * of its first part gets its title above it.
 */
export function addedHeading(chunk: QueuedChunk): string | null {
  const own = ownHeading(chunk);
  if (own === null) return `## ${noteTitle(chunk)}`;
  if (chunk.part !== 'note' || chunk.kind === 'pasted') return null;
  const title = noteTitle(chunk);
  const isTitle = own.level === 1 && !isGenericHeading(own.title);
  if (isTitle || own.title.toLowerCase() === title.toLowerCase()) return null;
  return `${'#'.repeat(Math.max(1, own.level - 1))} ${title}`;
}

function ownHeading({ text }: QueuedChunk): { readonly level: number; readonly title: string } | null {
  const first = /^\s*(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$/m.exec(text.slice(0, 2000));
  if (first === null || text.slice(0, first.index).trim() !== '') return null;
  const [, marks = '', title = ''] = first;
  return { level: marks.length, title: title.replace(/[*_`]/g, '') };
}

/** A path that is no folder has no names; writing into it reports the error. */
function namesIn(folder: string): Set<string> {
  try {
    return new Set(readdirSync(folder).map((name) => name.toLowerCase()));
  } catch {
    return new Set();
  }
}
