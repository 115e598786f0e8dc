import { existsSync, renameSync } from 'node:fs';

/** The file is not a mirror, or so damaged that it cannot be read: `setAside(path)`, then begin a new one. */
export class MirrorFileError extends Error {}

const parts = ['', '-wal', '-shm', '.next'];

/** Renames a damaged mirror, so that a new one can begin in its place, and returns the new name. */
export function setAside(path: string): string {
  let name = `${path}.damaged`;
  for (let at = 2; existsSync(name); at += 1) name = `${path}.damaged-${at}`;
  for (const part of parts) if (existsSync(path + part)) renameSync(path + part, name + part);
  return name;
}
