import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

import type { ConvertedExport } from '../exports/convert-export.ts';
import { convertExport, exportKind, isJoplinFolder } from '../exports/convert-export.ts';
import { filesFolder } from '../exports/export-folder.ts';
import { isNoteFile } from '../exports/note-format.ts';
import type { Installation } from '../targets/installation.ts';
import { readInstallation } from '../targets/installation.ts';
import { baseOf, datedName } from './dated-name.ts';
import type { SkippedStatus, SourceHint } from './source-kind.ts';
import { isReadable, skippedStatus, sourceHint } from './source-kind.ts';
import type { RefusedEntry } from './unpack-archive.ts';

/** The name as the system stores it: names that are no UTF-8 can only be used as bytes. */
export type FilePath = string | Buffer;

export interface SourceFile {
  readonly path: FilePath;
  /** The folder that names are relative to, without links. */
  readonly folder: string;
  /** Relative to `folder`, with forward slashes; bytes that are no UTF-8 as `\xNN`. */
  readonly name: string;
  readonly hint: SourceHint;
  /** The notes of its folder, and those of them that are named after a date. */
  readonly siblings: FolderHabit;
}

export interface FolderHabit {
  readonly notes: number;
  readonly dated: number;
}

export interface WalkOptions {
  /** Never scanned as part of a larger folder: the knowledge the notes go to. */
  readonly knowledgeRoot: string;
  /** Everything that is no note, by name. */
  readonly onSkipped: (folder: string, name: string, status: SkippedStatus, detail: string) => void;
  /** Where exports are converted to; without it they are skipped as attachments. */
  readonly exportStore?: string;
  /** The folder that has the notes of an export, after all of them. */
  readonly onConverted?: (folder: string) => void;
}

export class SourceError extends Error {}

/** Tools keep their own state here; it is no note. */
const setAside = new Set([
  '.git',
  'node_modules',
  '.obsidian',
  '.trash',
  '.migration',
  '.hg',
  '.svn',
  '__MACOSX',
]);
const fileBytesMax = 256 * 1024 * 1024;

/** Files to scan, in a stable order. Links are never followed: they loop, and they lead out of the source. */
export async function* walkSource(source: string, options: WalkOptions): AsyncGenerator<SourceFile> {
  const start = await realpath(source).catch(() => {
    throw new SourceError(`file or folder not found: ${source}`);
  });
  const status = await lstat(start);
  if (status.isDirectory()) {
    if (start === options.knowledgeRoot)
      throw new SourceError(`${source} is the knowledge root itself; choose the folder your notes are in`);
    const folder = { top: start, path: start, name: '', inVault: await isVault(start) };
    yield* walkFolder({ ...folder, installation: readInstallation(start) }, options);
  } else if (status.isFile() && isExport(start, basename(start), options)) {
    yield* walkExport({ top: dirname(start), path: start, name: basename(start) }, options);
  } else if (!status.isFile() || !(isReadable(basename(start)) || isConvertible(start, basename(start)))) {
    throw new SourceError(
      `${source} is not a note: .md, .markdown, .txt, .org, agent rule files and exports of note programs can be read`,
    );
  } else if (status.size > fileBytesMax) {
    throw new SourceError(`${source} is larger than ${fileBytesMax / 2 ** 20} MB: split it first`);
  } else {
    const folder = dirname(start);
    // The folders around a single file say what it is; its own name does not.
    const around = dirname(folder);
    const hint = sourceHint(relative(around, start), readInstallation(around), await isVault(folder));
    yield { path: start, folder, name: basename(start), hint, siblings: habitOf([basename(start)]) };
  }
}

interface WalkedFolder {
  readonly top: string;
  readonly path: FilePath;
  /** Relative to `top`; empty for it. */
  readonly name: string;
  readonly inVault: boolean;
  readonly installation: Installation;
  /** Of a converted export: the folder of its attachments, and its files that are neither notes nor attachments. */
  readonly converted?: { readonly files: string; readonly listed: ReadonlyMap<string, RefusedEntry> };
}

async function* walkFolder(folder: WalkedFolder, options: WalkOptions): AsyncGenerator<SourceFile> {
  const { top } = folder;
  let entries: Dirent<Buffer>[];
  try {
    entries = await readdir(folder.path, { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    options.onSkipped(top, folder.name === '' ? '.' : `${folder.name}/`, 'unreadable', reasonOf(error));
    return;
  }
  entries.sort((one, other) => Buffer.compare(one.name, other.name));
  const names = entries.map((entry) => shownName(entry.name));
  if (
    options.exportStore !== undefined &&
    typeof folder.path === 'string' &&
    isJoplinFolder(folder.path, names)
  ) {
    const name = `${folder.name === '' ? basename(folder.path) : folder.name}.joplin`;
    yield* walkExport({ top, path: folder.path, name }, options);
    return;
  }
  const siblings = habitOf(names);
  for (const entry of entries) {
    const shown = shownName(entry.name);
    const name = folder.name === '' ? shown : `${folder.name}/${shown}`;
    const path = childPath(folder.path, entry.name);
    const skip = (status: SkippedStatus, detail = ''): void => options.onSkipped(top, name, status, detail);
    const listed = folder.converted?.listed.get(name);
    if (listed !== undefined) {
      skip(listed.status, listed.detail);
    } else if (entry.isDirectory()) {
      if (setAside.has(shown)) options.onSkipped(top, `${name}/`, 'set aside', 'managed by another tool');
      else if (path === options.knowledgeRoot)
        options.onSkipped(top, `${name}/`, 'set aside', 'the knowledge root');
      else {
        const inVault = folder.inVault || (await isVault(path));
        yield* walkFolder({ ...folder, path, name, inVault }, options);
      }
    } else if (entry.isSymbolicLink()) {
      skip('link');
    } else if (!entry.isFile()) {
      skip('special file');
    } else if (folder.converted?.files === folder.name) {
      skip('attachment');
    } else if (typeof path === 'string' && isExport(path, shown, options)) {
      yield* walkExport({ top, path, name }, options);
    } else if (!isReadable(shown) && !isConvertible(path, shown)) {
      skip(skippedStatus(shown));
    } else {
      const size = await lstat(path).then(
        (status) => status.size,
        () => 0,
      );
      if (size > fileBytesMax) skip('too large', `over ${fileBytesMax / 2 ** 20} MB`);
      else {
        const hint = sourceHint(name, folder.installation, folder.inVault);
        yield { path, folder: top, name, hint, siblings };
      }
    }
  }
}

function isExport(path: string, name: string, { exportStore }: WalkOptions): boolean {
  return exportStore !== undefined && exportKind(path, name) !== null;
}

/** An export is listed with the number of its notes, which are scanned as a folder of their own. */
async function* walkExport(
  { top, path: source, name }: { readonly top: string; readonly path: string; readonly name: string },
  options: WalkOptions,
): AsyncGenerator<SourceFile> {
  const kind = name.endsWith('.joplin') ? 'joplin' : exportKind(source, name);
  if (kind === null || options.exportStore === undefined) return;
  let converted: ConvertedExport;
  try {
    converted = await convertExport({ kind, path: source, name }, top, options.exportStore);
  } catch (error) {
    if (isDiskFull(error)) throw error;
    options.onSkipped(top, name, 'unreadable', reasonOf(error));
    return;
  }
  const { root, notes } = converted;
  const listed = new Map(converted.listed.map((entry) => [`${name}/${entry.name}`, entry] as const));
  options.onSkipped(top, name, 'converted', `notes: ${notes}`);
  const path = join(root, name);
  const folder = { top: root, path, name, inVault: false, installation: readInstallation(path) };
  yield* walkFolder({ ...folder, converted: { files: `${name}/${filesFolder}`, listed } }, options);
  for (const [place, { status, detail }] of listed)
    if (!existsSync(join(root, place))) options.onSkipped(root, place, status, detail);
  options.onConverted?.(path);
}

function habitOf(names: readonly string[]): FolderHabit {
  const notes = names.filter(isReadable);
  return { notes: notes.length, dated: notes.filter((name) => datedName(baseOf(name)) !== null).length };
}

export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (isDiskFull(error)) return 'the disk is full';
  return error instanceof Error ? error.message : String(error);
}

const sqliteFull = 13;

/** No space is left, or the quota of the user is used up. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' || errcode === sqliteFull;
}

/** As text where the bytes are; else with every byte that is none written as `\xNN`. */
export function shownName(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  return Array.from(bytes.toString('latin1'), (character) =>
    character < '\u0080' ? character : `\\x${character.charCodeAt(0).toString(16)}`,
  ).join('');
}

/** The path of a file by its shown name; null if no such file exists. */
export function storedPath(root: string, name: string): FilePath | null {
  const path = join(root, name);
  if (existsSync(path)) return path;
  const bytes = Buffer.from(
    name.replace(/\\x([0-9a-f]{2})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16))),
    'latin1',
  );
  const raw = Buffer.concat([Buffer.from(`${root}/`), bytes]);
  return existsSync(raw) ? raw : null;
}

function childPath(folder: FilePath, name: Buffer): FilePath {
  if (typeof folder === 'string' && isUtf8(name)) return join(folder, name.toString('utf8'));
  return Buffer.concat([Buffer.from(folder), Buffer.from('/'), name]);
}

/** Other formats are recognised by their content, which needs a name that is text. */
function isConvertible(path: FilePath, name: string): boolean {
  return typeof path === 'string' && isNoteFile(path, name);
}

async function isVault(folder: FilePath): Promise<boolean> {
  return lstat(childPath(folder, Buffer.from('.obsidian'))).then(
    (status) => status.isDirectory(),
    () => false,
  );
}
