import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

let serial = 0;

/** For a file in the folder of the one it becomes, so that the rename stays on one file system. */
export function temporaryName(run: string): string {
  serial += 1;
  return `.daybook-migrate-${run}-${serial}.tmp`;
}
/** Writes the whole file beside its place and makes it durable. Fails where the temporary name is taken. */
export function writeTemporary(temporary: string, bytes: Buffer, mode: number): void {
  const file = openSync(temporary, 'wx', mode);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The same for a file that is copied as it is. */
export function copyTemporary(temporary: string, from: string): void {
  copyFileSync(from, temporary, constants.COPYFILE_EXCL);
  const file = openSync(temporary, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The atomic change: the path names the old file before it and the new file after it. */
export function putInPlace(temporary: string, path: string): void {
  renameSync(temporary, path);
}

export function syncFolder(folder: string): void {
  // Windows cannot open a folder to make it durable; its rename is journalled by the file system.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export function removeFile(path: string): void {
  rmSync(path, { force: true });
}

/** What does not exist yet of a folder's path, outermost first. */
export function missingFolders(folder: string): readonly string[] {
  const missing: string[] = [];
  for (let at = folder; lstatSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at))
    missing.unshift(at);
  return missing;
}
