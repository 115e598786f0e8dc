import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A file system of its own, small enough to be filled. */
export interface SmallDisk {
  readonly folder: string;
  /** Until not one byte more can be written. */
  readonly fill: () => void;
  readonly free: () => void;
  readonly unmount: () => void;
}

const filled = Buffer.alloc(1024 * 1024);

/** Null where this machine does not let us mount. */
export function mountSmallDisk(folder: string, size: string): SmallDisk | null {
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => {
      for (let bytes = filled.length; bytes >= 1; bytes = Math.floor(bytes / 2)) fillBy(filler, bytes);
    },
    free: () => rmSync(filler, { force: true }),
    unmount: () => {
      execFileSync('umount', ['--lazy', folder]);
    },
  };
}

function fillBy(path: string, bytes: number): void {
  try {
    for (;;) appendFileSync(path, filled.subarray(0, bytes));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
