import { closeSync, openSync, readSync } from 'node:fs';

/** The first bytes of a file as text; empty if it cannot be read. */
export function readHead(path: string, bytes: number): string {
  try {
    const file = openSync(path, 'r');
    try {
      const buffer = Buffer.alloc(bytes);
      return buffer.toString('utf8', 0, readSync(file, buffer));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}
