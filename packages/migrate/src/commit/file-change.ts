import { createHash } from 'node:crypto';
import { closeSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs';

/** What a chunk puts into a file. */
export interface NewPiece {
  readonly chunk: string;
  /**
   * Text can be taken out again wherever it stands; settings are put back as they were; a copy is a whole file that
   * several chunks may refer to.
   */
  readonly kind: 'text' | 'settings' | 'copy';
  /** The text itself; of settings the whole file as it is afterwards; of a copy its hash. */
  readonly text: string;
  /**
   * Of settings: the whole file before, null where there was none. Of text: the earlier version that it replaces, which
   * is put back when it is taken out.
   */
  readonly before: string | null;
  /** Where it belongs to an earlier run than the one that writes it. */
  readonly run?: string;
}

/** A file of bytes that are not held in memory: `from` is what to copy, or null where it is there already. */
export interface FileCopy {
  readonly from: string | null;
  readonly hash: string;
}

/** Null where there is no file. */
export type FileContent = Buffer | FileCopy | null;

/** One file as it is and as it shall be, with the pieces that this puts in or takes out. */
export interface FileChange {
  /** Relative to the knowledge root, without links, with forward slashes. */
  readonly path: string;
  readonly before: FileContent;
  readonly after: FileContent;
  readonly add: readonly NewPiece[];
  /** Ordinals of pieces in the journal. */
  readonly remove: readonly number[];
  /** Of a new file: what it holds besides its pieces. */
  readonly heading: string;
}

/** The hash of a file that is not there. */
export const absent = 'absent';

export function hashOf(content: FileContent): string {
  if (content === null) return absent;
  return Buffer.isBuffer(content) ? createHash('sha256').update(content).digest('hex') : content.hash;
}

/** Null where there is no such file. */
export function readIfThere(path: string): Buffer | null {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? null : readFileSync(path);
}

/** The hash of a file of any size, without holding it in memory. */
export function hashFile(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return absent;
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(1024 * 1024);
    for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer))
      hash.update(buffer.subarray(0, size));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}
