import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

import { makeCredentialFolder } from './credential-file.ts';
import { LoginError } from './login-host.ts';

const retryMs = 25;
/** A lock ends with its connection, which must not be collected while its holder only waits. */
const held = new Set<DatabaseSync>();

/**
 * One process at a time. The operating system's lock, taken through SQLite on an empty file: it is released when its
 * process ends, for any reason, so no stale lock can remain.
 */
export async function withCredentialLock<Output>(
  folder: string,
  work: () => Promise<Output>,
  waitMaxMs = 30_000,
): Promise<Output> {
  await makeCredentialFolder(folder);
  const lock = new DatabaseSync(join(folder, 'credentials.lock'), { timeout: 0 });
  try {
    for (let waitedMs = 0; !tryLock(lock); waitedMs += retryMs) {
      if (waitedMs >= waitMaxMs) throw new LoginError('timed out waiting for another daybook command');
      await delay(retryMs);
    }
    held.add(lock);
    return await work();
  } finally {
    held.delete(lock);
    lock.close();
  }
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    const busy = 5;
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return false;
    throw error;
  }
}
