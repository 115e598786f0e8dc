import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import type { QueueHandle } from '../queue/queue-database.ts';
import type { TargetLayout } from '../targets/target-layout.ts';
import { appendedTargets } from '../targets/target.ts';
import { hashOf, readIfThere } from './file-change.ts';
import { safeFilePath } from './safe-path.ts';

/** A longer file is compared, but its old content is not stored for display. */
const contentBytesMax = 1024 * 1024;

/** A file that chunks are appended to, as the tool last saw it. */
export interface SeenTargetFile {
  readonly hash: string;
  readonly content: string | null;
}

/** Remembers a target file as it is now; null where it is not there. */
export function keepTargetFile(database: DatabaseSync, path: string, bytes: Buffer | null): void {
  database
    .prepare('insert or replace into target_file values (?, ?, ?)')
    .run(path, hashOf(bytes), shownContent(bytes));
}

/** Remembers every file that chunks could be appended to. What cannot be read is refused when it is written to. */
export function keepTargetFiles({ database, root }: QueueHandle, layout: TargetLayout): void {
  for (const target of appendedTargets) {
    try {
      const path = safeFilePath(root, layout.place(target).path);
      keepTargetFile(database, path, readIfThere(join(root, path)));
    } catch {
      continue;
    }
  }
}

/** The same for a file that may be no target: notes of their own are not remembered. */
export function renewTargetFile(database: DatabaseSync, path: string, bytes: Buffer | null): void {
  database
    .prepare('update target_file set hash = ?, content = ? where path = ?')
    .run(hashOf(bytes), shownContent(bytes), path);
}

function shownContent(bytes: Buffer | null): Buffer | null {
  return bytes !== null && bytes.length <= contentBytesMax ? bytes : null;
}

export function seenTargetFile(database: DatabaseSync, path: string): SeenTargetFile | null {
  const row = database.prepare('select hash, content from target_file where path = ?').get(path);
  if (row === undefined) return null;
  const content = row['content'] === null ? null : Buffer.from(row['content'] as Uint8Array).toString('utf8');
  return { hash: String(row['hash']), content };
}
