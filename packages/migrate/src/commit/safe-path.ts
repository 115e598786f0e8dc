import { accessSync, constants, lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** A commit that must not or cannot be made; the chunk stays in the queue. */
export class CommitRefusedError extends Error {}

/**
 * The real path for a path below the root, relative to the root. Refuses paths that lead out of the root, by dots
 * or by links, and existing entries that are no plain file. `realRoot` has no links left in it.
 */
export function safeFilePath(realRoot: string, path: string): string {
  const wanted = resolve(realRoot, path);
  if (!isInside(realRoot, wanted)) throw new CommitRefusedError(`${path} is outside the knowledge root`);
  const real = realPathOf(wanted);
  if (real === null || !isInside(realRoot, real)) {
    throw new CommitRefusedError(`${path} leads outside the knowledge root through a symbolic link`);
  }
  const status = lstatSync(real, { throwIfNoEntry: false });
  if (status !== undefined && !status.isFile()) throw new CommitRefusedError(`${path} is not a regular file`);
  return relative(realRoot, real).split(sep).join('/');
}

/**
 * A rename would replace a read-only file all the same, so the permission bits are checked, for the superuser too: a
 * read-only file or folder is intentional.
 */
export function refuseReadOnly(path: string): void {
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (file !== undefined && isReadOnly(path, file.mode)) {
    throw new CommitRefusedError('the file is read-only; make it writable first');
  }
  const folder = nearestFolder(dirname(path));
  if (isReadOnly(folder, lstatSync(folder).mode)) {
    throw new CommitRefusedError('its folder is read-only; make it writable first');
  }
}

function isReadOnly(path: string, mode: number): boolean {
  if ((mode & 0o222) === 0) return true;
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

function nearestFolder(folder: string): string {
  return lstatSync(folder, { throwIfNoEntry: false }) === undefined ? nearestFolder(dirname(folder)) : folder;
}

/** Null where the path goes through a link that leads nowhere. */
function realPathOf(path: string): string | null {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    try {
      return realpathSync(path);
    } catch {
      return null;
    }
  }
  const parent = realPathOf(dirname(path));
  return parent === null ? null : join(parent, relative(dirname(path), path));
}

export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
