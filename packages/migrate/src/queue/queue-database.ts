import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { queueMigrations } from './queue-schema.ts';

export class QueueError extends Error {}
/** Another process works on the same knowledge root. */
export class QueueBusyError extends QueueError {}

export interface QueueHandle {
  readonly database: DatabaseSync;
  readonly folder: string;
  readonly close: () => void;
}

export function migrationFolder(root: string): string {
  return join(root, '.migration');
}

/**
 * Opens the queue of a knowledge root for one process at a time. The lock is the operating system's on a file of its
 * own, so that it falls with the process however that ends.
 */
export function openQueue(root: string): QueueHandle {
  mkdirSync(root, { recursive: true });
  const folder = migrationFolder(realpathSync(root));
  mkdirSync(folder, { recursive: true });
  if (lstatSync(folder).isSymbolicLink()) throw new QueueError(`${folder} is a link; it must be a folder`);
  const lock = new DatabaseSync(join(folder, 'lock.db'));
  try {
    lock.exec('begin exclusive');
  } catch {
    lock.close();
    throw new QueueBusyError(`another migration is at work on ${root}`);
  }
  const database = new DatabaseSync(join(folder, 'queue.db'));
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16000');
  migrate(database);
  return {
    database,
    folder,
    close: () => {
      database.close();
      lock.close();
    },
  };
}

/** A queue that leaves no trace: for a dry run where there is none yet. */
export function openScratchQueue(): QueueHandle {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  return { database, folder: '', close: () => database.close() };
}

export function hasQueue(root: string): boolean {
  return lstatSync(join(migrationFolder(root), 'queue.db'), { throwIfNoEntry: false }) !== undefined;
}

function migrate(database: DatabaseSync): void {
  const row = database.prepare('pragma user_version').get() as { readonly user_version: number };
  if (row.user_version > queueMigrations.length) {
    throw new QueueError('this queue was written by a newer version of daybook-migrate');
  }
  for (const [version, sql] of queueMigrations.entries()) {
    if (version < row.user_version) continue;
    database.exec(`begin immediate; ${sql}; pragma user_version = ${version + 1}; commit`);
  }
}

/** Runs `work` in one transaction: all of it or none. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('begin immediate');
  try {
    const result = work();
    database.exec('commit');
    return result;
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}
