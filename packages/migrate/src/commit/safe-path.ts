import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** A commit that must not or cannot be made; the chunk stays in the queue. */
export class CommitRefusedError extends Error {}

/**
 * The real path to write for a path below the root. Refuses whatever leads out of the root, by dots or by links, and
 * whatever is there but is no plain file. `realRoot` has no links left in it.
 */
export function safeFilePath(realRoot: string, path: string): string {
  const wanted = resolve(realRoot, path);
  if (!isInside(realRoot, wanted)) throw new CommitRefusedError(`${path} lies outside the knowledge root`);
  const real = realPathOf(wanted);
  if (real === null || !isInside(realRoot, real)) {
    throw new CommitRefusedError(`${path} leads outside the knowledge root through a link`);
  }
  const status = lstatSync(real, { throwIfNoEntry: false });
  if (status !== undefined && !status.isFile()) throw new CommitRefusedError(`${path} is no plain file`);
  return real;
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
