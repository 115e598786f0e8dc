import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Shorter waits are not logged. */
export const loggedWaitMs = 10;

/** PostgreSQL itself measures waits and writes them to its log. */
export const lockLogSettings = {
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'server.log',
  log_line_prefix: '%a|%p|',
  log_lock_waits: 'on',
  deadlock_timeout: `${loggedWaitMs}ms`,
} as const;

export interface LockWait {
  readonly application: string;
  readonly ms: number;
  readonly lock: string;
  /** The number of the table. */
  readonly relation: number;
}

const waitLine =
  /^(?<application>[^|]*)\|\d+\|LOG: {2}process \d+ (?:acquired|still waiting for) (?<lock>\w+) on relation (?<relation>\d+) .*after (?<ms>[\d.]+) ms/;

/** Waits of requests for the lock of a table; those of `daybook migrate` are not part of them, nor waits for rows. */
export async function readLockWaits(clusterFolder: string): Promise<readonly LockWait[]> {
  const folder = join(clusterFolder, 'data', 'log');
  const files = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
  );
  return files
    .flatMap((text) => text.split('\n'))
    .flatMap((line) => {
      const { application = '', lock = '', relation, ms } = waitLine.exec(line)?.groups ?? {};
      const counts = lock !== '' && application !== 'daybook migrate';
      return counts ? [{ application, lock, relation: Number(relation), ms: Number(ms) }] : [];
    });
}
