import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { hashFile } from '../commit/file-change.ts';
import { readHead } from '../sources/read-head.ts';
import type { RefusedEntry } from '../sources/unpack-archive.ts';
import { convertEnex } from './enex-export.ts';
import { ExportFolder } from './export-folder.ts';
import { convertJex, convertJoplin } from './joplin-export.ts';
import { joplinFile, readJoplinItem } from './joplin-item.ts';
import { convertRoam, isRoamGraph } from './roam-export.ts';

/** Changes when the notes of an unchanged export would be written differently. */
const version = 1;

/** An export that becomes many notes. */
export interface FoundExport {
  readonly kind: ExportKind;
  readonly path: string;
  /** Relative to the folder that is scanned. */
  readonly name: string;
}

export type ExportKind = keyof typeof converters;

/** Where the notes of an export are. */
export interface ConvertedExport {
  /** Shared by all exports of a scanned folder, so that links between them lead to notes. */
  readonly root: string;
  /** Relative to `root`. */
  readonly name: string;
  readonly notes: number;
  readonly listed: readonly RefusedEntry[];
}

const converters = {
  evernote: convertEnex,
  jex: convertJex,
  joplin: convertJoplin,
  roam: convertRoam,
};

const headBytes = 64 * 1024;

/** The kind of an exported file by its name and content; null for other files. */
export function exportKind(path: string, name: string): ExportKind | null {
  if (/\.enex$/i.test(name)) return 'evernote';
  if (/\.jex$/i.test(name)) return 'jex';
  return /\.json$/i.test(name) && isRoamGraph(readHead(path, headBytes)) ? 'roam' : null;
}

/** Whether a folder with these files is a RAW export of Joplin. */
export function isJoplinFolder(path: string, names: readonly string[]): boolean {
  const first = names.find((name) => joplinFile.test(name));
  if (first === undefined) return false;
  try {
    return readJoplinItem(readFileSync(join(path, first), 'utf8')) !== null;
  } catch {
    return false;
  }
}

/** Converts an export below `store`, once for its content. Throws ExportError. */
export async function convertExport(
  { kind, path, name }: FoundExport,
  scanned: string,
  store: string,
): Promise<ConvertedExport> {
  const root = join(store, `exports-${keyOf(scanned)}`);
  const folder = join(root, name);
  const record = join(root, `.${keyOf(name)}.json`);
  const content = `${version} ${contentHash(path)}`;
  const known = readRecord(record);
  if (known?.content === content && existsSync(folder)) return { root, name, ...known };
  for (const old of [record, folder]) rmSync(old, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const converted = new ExportFolder(folder);
  try {
    await converters[kind](path, converted);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const { notes, listed } = converted;
  writeFileSync(record, JSON.stringify({ content, notes, listed }), { mode: 0o600 });
  return { root, name, notes, listed };
}

function readRecord(
  path: string,
): (Pick<ConvertedExport, 'notes' | 'listed'> & { readonly content: string }) | null {
  if (!existsSync(path)) return null;
  return JSON.parse(readFileSync(path, 'utf8')) as ReturnType<typeof readRecord>;
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Of a folder: of the names, sizes and times of its files. */
function contentHash(path: string): string {
  if (lstatSync(path).isFile()) return hashFile(path);
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = lstatSync(join(path, file));
    hash.update(JSON.stringify([file, size, mtimeMs]));
  }
  return hash.digest('hex');
}
