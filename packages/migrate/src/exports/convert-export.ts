import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { hashFile } from '../commit/file-change.ts';
import type { RefusedEntry } from '../sources/unpack-archive.ts';
import { convertEnex } from './enex-export.ts';
import { ExportFolder } from './export-folder.ts';

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
};

/** The kind of an export by its name and content; null for other files. */
export function exportKind(name: string): ExportKind | null {
  return /\.enex$/i.test(name) ? 'evernote' : null;
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
