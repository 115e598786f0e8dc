import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { firstReleasedVersion, queueSchema, queueUpgrades, queueVersion } from './queue-schema.ts';

export class QueueError extends Error {}
/** Another process works on the same knowledge root. */
export class QueueBusyError extends QueueError {}

export interface QueueHandle {
  readonly database: DatabaseSync;
  /** The knowledge root, without links. */
  readonly root: string;
  /** The folder of the tool's own files; null for a copy, which has none. */
  readonly folder: string | null;
  readonly close: () => void;
}

function migrationFolder(root: string): string {
  return join(root, '.migration');
}

/**
 * Opens the queue of a knowledge root for one process at a time. The lock is the operating system's on a file of its
 * own, so that it falls with the process however that ends.
 */
export function openQueue(root: string): QueueHandle {
  mkdirSync(root, { recursive: true });
  const realRoot = realpathSync(root);
  const folder = migrationFolder(realRoot);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (lstatSync(folder).isSymbolicLink()) throw new QueueError(`${folder} is a link; it must be a folder`);
  for (const name of ['lock.db', 'queue.db']) makePrivate(join(folder, name));
  const lock = takeLock(join(folder, 'lock.db'), root);
  const database = new DatabaseSync(join(folder, 'queue.db'));
  const close = (): void => {
    database.close();
    lock.close();
  };
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16000');
    createSchema(database);
  } catch (error) {
    close();
    throw error;
  }
  return { database, root: realRoot, folder, close };
}

/**
 * A copy of the queue outside the knowledge root, or an empty queue if none exists: a dry run writes to it as the
 * real commands do, and no byte or time stamp in the root changes.
 */
export function openQueueCopy(root: string): QueueHandle {
  const realRoot = existsSync(root) ? realpathSync(root) : resolve(root);
  const original = migrationFolder(realRoot);
  const copy = mkdtempSync(join(tmpdir(), 'daybook-migrate-dry-run-'));
  const lockFile = join(original, 'lock.db');
  const lock = existsSync(lockFile) ? takeReadLock(lockFile, root) : null;
  try {
    for (const name of ['queue.db', 'queue.db-wal']) {
      if (existsSync(join(original, name))) copyFileSync(join(original, name), join(copy, name));
    }
  } finally {
    lock?.close();
  }
  const database = new DatabaseSync(join(copy, 'queue.db'));
  database.exec('pragma synchronous = off');
  createSchema(database);
  return {
    database,
    root: realRoot,
    folder: null,
    close: () => {
      database.close();
      rmSync(copy, { recursive: true, force: true });
    },
  };
}

export function hasQueue(root: string): boolean {
  return lstatSync(join(migrationFolder(root), 'queue.db'), { throwIfNoEntry: false }) !== undefined;
}

/** The queue contains the text of all notes, so that only its owner may read it. SQLite gives its other files the same mode. */
function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

/**
 * Opens the queue for reading beside the process that works on it: the state is that of its latest transaction.
 */
export function openQueueReader(root: string): QueueHandle {
  const realRoot = realpathSync(root);
  const database = new DatabaseSync(join(migrationFolder(realRoot), 'queue.db'), { readOnly: true });
  return { database, root: realRoot, folder: null, close: () => database.close() };
}

function takeLock(path: string, root: string): DatabaseSync {
  const lock = new DatabaseSync(path);
  try {
    lock.exec('begin exclusive');
    return lock;
  } catch {
    lock.close();
    throw new QueueBusyError(`another migration is running on ${root}`);
  }
}

/** Keeps writers out as well, but touches neither the file nor its folder. */
function takeReadLock(path: string, root: string): DatabaseSync {
  const lock = new DatabaseSync(path, { readOnly: true });
  try {
    lock.exec('begin; select count(*) from sqlite_master');
    return lock;
  } catch {
    lock.close();
    throw new QueueBusyError(`another migration is running on ${root}`);
  }
}

function createSchema(database: DatabaseSync): void {
  const { user_version: version } = database.prepare('pragma user_version').get() as {
    readonly user_version: number;
  };
  if (version > 0 && version < firstReleasedVersion) {
    throw new QueueError(
      'this queue was written by a version before the first release; undo with that version, then remove .migration',
    );
  }
  if (version > queueVersion)
    throw new QueueError('this queue was written by a newer version of daybook-migrate');
  const steps = version === 0 ? [queueSchema] : [];
  for (let from = version; from > 0 && from < queueVersion; from += 1) steps.push(queueUpgrades[from] ?? '');
  if (steps.length > 0)
    database.exec(`begin immediate; ${steps.join(';')}; pragma user_version = ${queueVersion}; commit`);
}

/** Runs `work` in one transaction: all of it or none. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('begin immediate');
  try {
    const result = work();
    database.exec('commit');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** SQLite ends a transaction itself where the disk is full: rolling back once more must not hide that error. */
export function rollBack(database: DatabaseSync): void {
  try {
    database.exec('rollback');
  } catch {
    return;
  }
}
