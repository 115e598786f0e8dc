import { createHash } from 'node:crypto';
import { closeSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs';

/** The text that a chunk adds to a file. */
export interface NewPiece {
  readonly chunk: string;
  /**
   * Undo removes text wherever it is in the file and restores settings; a copy is a whole file that several chunks
   * may refer to.
   */
  readonly kind: 'text' | 'settings' | 'copy';
  /** The text itself; of settings the whole file as it is afterwards; of a copy its hash. */
  readonly text: string;
  /**
   * For settings: the whole previous file, null if none existed. For text: the earlier version that it replaces, which
   * undo restores.
   */
  readonly before: string | null;
  /** Where it belongs to an earlier run than the one that writes it. */
  readonly run?: string;
}

/** A file whose bytes are not read into memory: `from` is the file to copy, or null if it already exists. */
export interface FileCopy {
  readonly from: string | null;
  readonly hash: string;
}

/** Null if no file exists. */
export type FileContent = Buffer | FileCopy | null;

/** One file before and after a change, with the added and removed pieces. */
export interface FileChange {
  /** Relative to the knowledge root, without links, with forward slashes. */
  readonly path: string;
  readonly before: FileContent;
  readonly after: FileContent;
  readonly add: readonly NewPiece[];
  /** Ordinals of pieces in the journal. */
  readonly remove: readonly number[];
  /** Of a new file: its text besides the pieces. */
  readonly heading: string;
  /** The strictest mode of the notes whose text is added: a private note does not become readable for others. */
  readonly mode?: number;
  /** The time of change that the file gets; that of the write if missing. */
  readonly modifiedMs?: number;
}

/** The hash of a file that is not there. */
export const absent = 'absent';

export function hashOf(content: FileContent): string {
  if (content === null) return absent;
  return Buffer.isBuffer(content) ? createHash('sha256').update(content).digest('hex') : content.hash;
}

/** Null if the file does not exist. */
export function readIfThere(path: string): Buffer | null {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? null : readFileSync(path);
}

/** The hash of a file of any size, without holding it in memory. */
export function hashFile(path: string | Buffer): string {
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
