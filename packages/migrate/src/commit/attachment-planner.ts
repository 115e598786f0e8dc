import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path/posix';
import type { DatabaseSync } from 'node:sqlite';

import type { QueueHandle } from '../queue/queue-database.ts';
import type { StoredFile } from '../queue/source-store.ts';
import type { DestinationAssigner } from './destination.ts';
import type { FileCopy } from './file-change.ts';
import { hashFile } from './file-change.ts';
import { noteFileName } from './note-title.ts';

const folder = 'Attachments';

/** A file that notes refer to, and its copy in the knowledge base. */
export interface AttachmentCopy {
  readonly file: number;
  readonly path: string;
  readonly content: FileCopy;
  /** False for files that were in the knowledge base before any migration: undo does not remove them. */
  readonly isOurs: boolean;
}

/** Gives files that notes refer to one place each. */
export class AttachmentPlanner {
  readonly #queue: QueueHandle;
  readonly #destinations: DestinationAssigner;
  readonly #planned = new Map<number, AttachmentCopy | null>();

  constructor(queue: QueueHandle, destinations: DestinationAssigner) {
    this.#queue = queue;
    this.#destinations = destinations;
  }

  /** Null where the file cannot be read any more. */
  copyOf(file: StoredFile): AttachmentCopy | null {
    const planned = this.#planned.get(file.id);
    if (planned === null) return null;
    if (planned !== undefined) {
      // No other attachment has that name: the existing file was copied by an earlier page.
      const isThere = existsSync(join(this.#queue.root, planned.path));
      return isThere ? { ...planned, content: { ...planned.content, from: null } } : planned;
    }
    const copy = this.#plan(file);
    this.#planned.set(file.id, copy);
    return copy;
  }

  #plan(file: StoredFile): AttachmentCopy | null {
    const { database, root } = this.#queue;
    const source = join(file.root, file.name);
    if (!isReadable(source)) return null;
    const hash = hashFile(source);
    const known = storedAttachment(database, file.id);
    if (known?.hash === hash && hashFile(join(root, known.path)) === hash)
      return { file: file.id, path: known.path, content: { from: null, hash }, isOurs: true };
    const [stem, extension] = splitName(file.name);
    const wanted = join(folder, `${stem}${extension}`);
    if (hashFile(join(root, wanted)) === hash) {
      const isOurs = isAttachment(database, wanted);
      return { file: file.id, path: wanted, content: { from: null, hash }, isOurs };
    }
    const twin = [...this.#planned.values()].find((other) => other?.content.hash === hash);
    if (twin !== null && twin !== undefined) return { ...twin, file: file.id, content: { from: null, hash } };
    const numbered = Array.from({ length: 999 }, (_, at) => `${stem} (${at + 2})${extension}`);
    const name = this.#destinations.freeName(folder, [`${stem}${extension}`, ...numbered]);
    if (name === null) return null;
    return { file: file.id, path: join(folder, name), content: { from: source, hash }, isOurs: true };
  }
}

function storedAttachment(
  database: DatabaseSync,
  file: number,
): { readonly path: string; readonly hash: string } | null {
  const row = database.prepare('select path, hash from attachment where file = ?').get(file);
  return row === undefined ? null : { path: String(row['path']), hash: String(row['hash']) };
}

function isAttachment(database: DatabaseSync, path: string): boolean {
  return database.prepare('select 1 from attachment where path = ?').get(path) !== undefined;
}

export function saveAttachment(database: DatabaseSync, { file, path, content }: AttachmentCopy): void {
  database.prepare('insert or replace into attachment values (?, ?, ?)').run(file, path, content.hash);
}

export function forgetAttachment(database: DatabaseSync, path: string): void {
  database.prepare('delete from attachment where path = ?').run(path);
}

function splitName(name: string): readonly [string, string] {
  const last = name.split('/').at(-1) ?? '';
  const extension = /\.[A-Za-z\d]{1,10}$/.exec(last)?.[0] ?? '';
  return [noteFileName(last.slice(0, last.length - extension.length)), extension];
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
