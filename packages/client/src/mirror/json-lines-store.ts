import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { MemoryStore } from './memory-store.ts';
import { MirrorFileError } from './mirror-file.ts';
import type {
  CopyMoment,
  CopyName,
  CopyProgress,
  CopyStep,
  MirroredItem,
  MirrorStore,
} from './mirror-store.ts';

export { MirrorFileError, setAside } from './mirror-file.ts';

type Line =
  | { readonly put: MirroredItem['item']; readonly digest: string; readonly seal: string }
  | { readonly remove: string }
  | { readonly progress: CopyProgress };

/** A file is rewritten once it has this many times as many lines as items. */
const compactFrom = 3;
const compactLinesMin = 10_000;

/**
 * Keeps the copy in a file of JSON Lines: `{"put": item, "digest": …}`, `{"remove": id}`, and after each step a line
 * `{"progress": …}` that makes the lines before it count. Lines after the last one were torn by a crash or a full disk,
 * and are cut off before the next step is written: a process that only reads changes nothing. All items are also in
 * memory.
 */
export function jsonLinesStore(path: string): MirrorStore {
  return new JsonLinesStore(path);
}

class JsonLinesStore implements MirrorStore {
  readonly #paths: Record<CopyName, string>;
  readonly #memory = new MemoryStore();
  readonly #files: Record<CopyName, number | null> = { current: null, next: null };
  readonly #lines: Record<CopyName, number> = { current: 0, next: 0 };
  /** How many bytes of the file count. */
  readonly #bytes: Record<CopyName, number> = { current: 0, next: 0 };

  constructor(path: string) {
    this.#paths = { current: path, next: `${path}.next` };
    this.#load('current');
    this.#load('next');
  }

  readonly progress = (copy: CopyName): Promise<CopyProgress | null> => this.#memory.progress(copy);
  readonly digests = (copy: CopyName, ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    this.#memory.digests(copy, ids);
  readonly scan = (copy: CopyName): AsyncIterable<MirroredItem> => this.#memory.scan(copy);
  readonly read = <T>(work: (copy: CopyMoment) => Promise<T>): Promise<T> => this.#memory.read(work);
  readonly get = (id: string): Promise<MirroredItem | null> => this.#memory.get(id);

  readonly apply = async (step: CopyStep): Promise<void> => {
    const lines: Line[] = [
      ...step.put.map(({ item, digest, seal }) => ({ put: item, digest, seal })),
      ...step.remove.map((remove) => ({ remove })),
      { progress: step.progress },
    ];
    this.#append(step.copy, lines);
    await this.#memory.apply(step);
    this.#lines[step.copy] += lines.length;
    const isLong = this.#lines[step.copy] > compactFrom * this.#memory.itemsOf(step.copy).size;
    if (isLong && this.#lines[step.copy] > compactLinesMin) this.#compact(step.copy, step.progress);
  };

  readonly dropNext = async (): Promise<void> => {
    this.#close('next');
    rmSync(this.#paths.next, { force: true });
    this.#lines.next = 0;
    this.#bytes.next = 0;
    await this.#memory.dropNext();
  };

  readonly swap = async (): Promise<void> => {
    this.#close('next');
    this.#close('current');
    renameSync(this.#paths.next, this.#paths.current);
    syncFolder(this.#paths.current);
    this.#lines.current = this.#lines.next;
    this.#lines.next = 0;
    this.#bytes.current = this.#bytes.next;
    this.#bytes.next = 0;
    await this.#memory.swap();
  };

  readonly close = (): Promise<void> => {
    this.#close('current');
    this.#close('next');
    return Promise.resolve();
  };

  /** A line that cannot be read is left out: the items of the others serve a repair. */
  #load(copy: CopyName): void {
    const path = this.#paths[copy];
    if (!existsSync(path)) return;
    const bytes = readFileSync(path);
    let start = 0;
    let isMirror = bytes.length === 0;
    let waiting: Line[] = [];
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      const line = parseLine(bytes.toString('utf8', start, end));
      start = end + 1;
      if (line === null) continue;
      isMirror = true;
      waiting.push(line);
      if (!('progress' in line)) continue;
      this.#replay(copy, waiting, line.progress);
      this.#lines[copy] += waiting.length;
      waiting = [];
      this.#bytes[copy] = start;
    }
    if (!isMirror && copy === 'current') throw new MirrorFileError(`${path} is not a mirror, or damaged`);
    if (this.#bytes[copy] === 0)
      for (const stored of waiting.flatMap(storedIn)) this.#memory.itemsOf(copy).set(stored.item.id, stored);
  }

  #replay(copy: CopyName, lines: readonly Line[], progress: CopyProgress): void {
    for (const line of lines) {
      const put = storedIn(line);
      const remove = 'remove' in line ? [line.remove] : [];
      void this.#memory.apply({ copy, put, remove, progress });
    }
  }

  #append(copy: CopyName, lines: readonly Line[]): void {
    try {
      const file = this.#open(copy);
      const written = writeWhole(file, lines);
      fsyncSync(file);
      this.#bytes[copy] += written;
    } catch (error) {
      // Its partial text is cut off when the file is opened again.
      this.#close(copy);
      throw error;
    }
  }

  /** A crash leaves the old file or the new one, both whole. */
  #compact(copy: CopyName, progress: CopyProgress): void {
    const path = `${this.#paths[copy]}.compact`;
    let written: WrittenFile;
    try {
      written = writeFile(path, this.#memory.itemsOf(copy).values(), progress);
    } catch {
      // The disk has no room for both: the long file is equally valid, and a later step retries.
      rmSync(path, { force: true });
      return;
    }
    this.#close(copy);
    renameSync(path, this.#paths[copy]);
    syncFolder(path);
    this.#lines[copy] = written.lines;
    this.#bytes[copy] = written.bytes;
  }

  #open(copy: CopyName): number {
    const known = this.#files[copy];
    if (known !== null) return known;
    const file = openSync(this.#paths[copy], 'a', 0o644);
    this.#files[copy] = file;
    if (fstatSync(file).size > this.#bytes[copy]) ftruncateSync(file, this.#bytes[copy]);
    return file;
  }

  #close(copy: CopyName): void {
    const file = this.#files[copy];
    if (file !== null) closeSync(file);
    this.#files[copy] = null;
  }
}

function storedIn(line: Line): readonly MirroredItem[] {
  return 'put' in line ? [{ item: line.put, digest: line.digest, seal: line.seal }] : [];
}

/** Null for a line that is none of a mirror. */
function parseLine(text: string): Line | null {
  try {
    const line = JSON.parse(text) as { readonly [name: string]: unknown };
    const { put, remove, progress } = line as {
      put?: { id?: unknown };
      remove?: unknown;
      progress?: unknown;
    };
    const isLine =
      typeof put?.id === 'string' ||
      typeof remove === 'string' ||
      (typeof progress === 'object' && progress !== null);
    return isLine ? (line as Line) : null;
  } catch {
    return null;
  }
}

interface WrittenFile {
  readonly lines: number;
  readonly bytes: number;
}

/** All items of a copy and how far it has come, on the disk when this returns. */
function writeFile(path: string, items: Iterable<MirroredItem>, progress: CopyProgress): WrittenFile {
  const file = openSync(path, 'w', 0o644);
  try {
    let page: Line[] = [];
    let lines = 1;
    let bytes = 0;
    for (const { item, digest, seal } of items) {
      page.push({ put: item, digest, seal });
      lines += 1;
      if (page.length < 1000) continue;
      bytes += writeWhole(file, page);
      page = [];
    }
    bytes += writeWhole(file, [...page, { progress }]);
    fsyncSync(file);
    return { lines, bytes };
  } finally {
    closeSync(file);
  }
}

/** How many bytes they are. A full disk may take a part of them only. */
function writeWhole(file: number, lines: readonly Line[]): number {
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
  return bytes.length;
}

function syncFolder(path: string): void {
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
