import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';

import type { SkippedStatus } from './source-kind.ts';
import type { ZipEntry } from './zip-archive.ts';
import { readZipEntries, readZipEntry, ZipError } from './zip-archive.ts';

/** Exports of note programs that are zip archives. */
const archiveName = /\.(?:zip|textpack|bear2bk)$/i;
const archiveBytesMax = 2 * 1024 ** 3 - 1;
const unpackedBytesMax = 4 * 1024 ** 3;
/** A bomb is many times larger than its archive; text is at most some twenty times. */
const growthMax = 200;
const growthFreeBytes = 16 * 1024 ** 2;
const depthMax = 2;

/** A file of an archive that was not unpacked. */
export interface RefusedEntry {
  readonly name: string;
  readonly status: SkippedStatus;
  readonly detail: string;
}

export interface UnpackedArchive {
  readonly folder: string;
  readonly refused: readonly RefusedEntry[];
}

export function isArchive(path: string): boolean {
  return archiveName.test(path) && (lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false);
}

/**
 * Unpacks an archive and the archives in it below `store`, once for its content. Names that lead out of the folder,
 * links and encrypted files are refused; an archive that grows too much is refused as a whole.
 */
export function unpackArchive(path: string, store: string): UnpackedArchive {
  if (lstatSync(path).size > archiveBytesMax)
    throw new ZipError(`${path} is larger than 2 GB; unpack it first`);
  const bytes = readFileSync(path);
  const name = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const [folder, list] = [join(store, name), join(store, `${name}.json`)];
  if (existsSync(folder) && existsSync(list))
    return { folder, refused: JSON.parse(readFileSync(list, 'utf8')) as readonly RefusedEntry[] };
  const temporary = `${folder}.tmp`;
  for (const old of [temporary, folder]) rmSync(old, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  const unpacker = new Unpacker(Math.min(unpackedBytesMax, bytes.length * growthMax + growthFreeBytes));
  try {
    unpacker.unpack(bytes, temporary, '', 0);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
  writeFileSync(list, JSON.stringify(unpacker.refused), { mode: 0o600 });
  renameSync(temporary, folder);
  return { folder, refused: unpacker.refused };
}

class Unpacker {
  readonly refused: RefusedEntry[] = [];
  #bytesLeft: number;

  constructor(bytesMax: number) {
    this.#bytesLeft = bytesMax;
  }

  unpack(bytes: Buffer, folder: string, prefix: string, depth: number): void {
    for (const entry of readZipEntries(bytes)) {
      const name = safeName(entry.name);
      const refuse = (status: SkippedStatus, detail: string): void => {
        this.refused.push({ name: `${prefix}${entry.name}`, status, detail });
      };
      if (name === null) refuse('unreadable', 'its name points outside the archive');
      else if (entry.isLink) refuse('link', '');
      else if (!entry.isFolder) this.#unpackFile(bytes, entry, { folder, name, prefix, depth }, refuse);
    }
  }

  #unpackFile(
    bytes: Buffer,
    entry: ZipEntry,
    { folder, name, prefix, depth }: Place,
    refuse: (status: SkippedStatus, detail: string) => void,
  ): void {
    this.#bytesLeft -= entry.size;
    if (this.#bytesLeft < 0) throw new ZipError('the archive is too large when unpacked');
    try {
      const content = readZipEntry(bytes, entry);
      const path = join(folder, name);
      if (archiveName.test(name) && depth < depthMax) {
        this.unpack(content, archiveFolder(folder, name, depth), `${prefix}${name}/`, depth + 1);
        return;
      }
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content, { mode: 0o600, flag: 'wx' });
      utimesSync(path, entry.modifiedSeconds, entry.modifiedSeconds);
    } catch (error) {
      if (error instanceof ZipError && this.#bytesLeft >= 0) refuse('unreadable', error.message);
      else if (isNameTaken(error)) refuse('unreadable', 'the archive contains this name twice');
      else throw error;
    }
  }
}

interface Place {
  readonly folder: string;
  readonly name: string;
  readonly prefix: string;
  readonly depth: number;
}

/** The single part of an export is its content; other archives become folders. `...zip` would become the folder above. */
function archiveFolder(folder: string, name: string, depth: number): string {
  if (depth === 0 && /part-\d+\.zip$/i.test(name)) return folder;
  const plain = name.replace(archiveName, '');
  return join(folder, /(?:^|\/)\.{0,2}$/.test(plain) ? name : plain);
}

/** The name inside the folder; null if it leads out of it. */
export function safeName(written: string): string | null {
  const name = normalize(written);
  const isOutside = name.startsWith('/') || /^[a-z]:/i.test(name) || name.split('/').includes('..');
  return isOutside || name.includes('\0') || name === '.' ? null : name;
}

function isNameTaken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EEXIST' || code === 'EISDIR' || code === 'ENOTDIR' || code === 'ENAMETOOLONG';
}
