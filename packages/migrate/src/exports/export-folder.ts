import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { noteFileName } from '../commit/note-title.ts';
import type { SkippedStatus } from '../sources/source-kind.ts';
import type { RefusedEntry } from '../sources/unpack-archive.ts';

export class ExportError extends Error {}

/** A file of empty notes would otherwise fill the disk with directory entries. */
const filesMax = 200_000;
const extensionMax = 10;
/** Attachments; no folder of notes can have this name. */
export const filesFolder = '.files';

/** The folder that an export is converted to. Names are safe on every system and never used twice. */
export class ExportFolder {
  readonly path: string;
  readonly listed: RefusedEntry[] = [];
  notes = 0;
  #files = 0;
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();
  readonly #folders = new Set<string>();

  constructor(path: string) {
    this.path = path;
  }

  /** A name for a new file, relative to the folder. `folder` must come from `folderName` or be empty. */
  reserve(folder: string, title: string, extension: string): string {
    this.#files += 1;
    if (this.#files > filesMax) throw new ExportError(`the export has more than ${filesMax} notes and files`);
    const stem = noteFileName(title);
    const prefix = folder === '' ? '' : `${folder}/`;
    const key = `${prefix}${stem}${extension}`.toLowerCase();
    for (let number = this.#next.get(key) ?? 1; ; number += 1) {
      const name = `${prefix}${stem}${number === 1 ? '' : ` (${number})`}${extension}`;
      if (this.#taken.has(name.toLowerCase())) continue;
      this.#taken.add(name.toLowerCase());
      this.#next.set(key, number + 1);
      return name;
    }
  }

  /** The same for an attachment, whose name has its own extension. */
  reserveFile(written: string, fallback: string): string {
    const last = written.split(/[\\/]/).at(-1)?.trim() ?? '';
    const extension = new RegExp(`\\.[A-Za-z\\d]{1,${extensionMax}}$`).exec(last)?.[0] ?? '';
    const stem = extension === '' ? last : last.slice(0, -extension.length);
    return this.reserve(
      filesFolder,
      stem === '' ? 'attachment' : stem,
      extension === '' ? fallback : extension,
    );
  }

  writeNote(name: string, text: string, modifiedSeconds: number | null): void {
    this.writeFile(name, Buffer.from(text), modifiedSeconds);
    this.notes += 1;
  }

  writeFile(name: string, content: Buffer, modifiedSeconds: number | null): void {
    const path = this.#pathOf(name);
    writeFileSync(path, content, { mode: 0o600, flag: 'wx' });
    setTime(path, modifiedSeconds);
  }

  /** Moves a file that was written elsewhere below the folder. */
  adoptFile(name: string, from: string, modifiedSeconds: number | null): void {
    const path = this.#pathOf(name);
    renameSync(from, path);
    setTime(path, modifiedSeconds);
  }

  list(name: string, status: SkippedStatus, detail: string): void {
    this.listed.push({ name, status, detail });
  }

  #pathOf(name: string): string {
    const at = name.lastIndexOf('/');
    const folder = at === -1 ? '' : name.slice(0, at);
    if (!this.#folders.has(folder)) {
      mkdirSync(join(this.path, folder), { recursive: true, mode: 0o700 });
      this.#folders.add(folder);
    }
    return join(this.path, name);
  }
}

function setTime(path: string, seconds: number | null): void {
  if (seconds !== null) utimesSync(path, seconds, seconds);
}
