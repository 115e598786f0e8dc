import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';

/** One file as it is and as it shall be. */
export interface FileChange {
  /** Real and absolute. */
  readonly path: string;
  readonly before: Buffer | null;
  readonly after: Buffer;
  /** An insert is undone by taking its spans out again; a replacement by putting the old bytes back. */
  readonly mode: 'insert' | 'replace';
  readonly spans: readonly string[];
  readonly chunks: readonly string[];
  /** What a new file holds besides its spans. */
  readonly heading: string;
}

export function hashBytes(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Null where there is no such file. */
export function readIfThere(path: string): Buffer | null {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? null : readFileSync(path);
}
