import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';

import type { NotedKind, SourceHint } from './source-kind.ts';
import { isReadable, notedKind, sourceHint } from './source-kind.ts';

export interface SourceFile {
  readonly path: string;
  /** Relative to what was given as the source, with forward slashes. */
  readonly name: string;
  readonly hint: SourceHint;
}

export interface WalkOptions {
  /** Never scanned as part of a larger folder: the knowledge the notes go to. */
  readonly knowledgeRoot: string;
  readonly onNoted: (kind: NotedKind, name: string) => void;
}

export class SourceError extends Error {}

/** Tools keep their own state here; it is no note. */
const setAside = new Set(['.git', 'node_modules', '.obsidian', '.trash', '.migration', '.hg', '.svn']);
const fileBytesMax = 256 * 1024 * 1024;

/** Files to scan, in a stable order. Links are never followed: they loop, and they lead out of the source. */
export async function* walkSource(source: string, options: WalkOptions): AsyncGenerator<SourceFile> {
  const start = await realpath(source).catch(() => {
    throw new SourceError(`there is no file or folder ${source}`);
  });
  const status = await lstat(start);
  if (status.isDirectory()) {
    yield* walkFolder(start, start, await isVault(start), options);
  } else if (!status.isFile() || !isReadable(basename(start))) {
    throw new SourceError(`${source} is no note: .md, .markdown, .txt and agent rule files are read`);
  } else if (status.size > fileBytesMax) {
    throw new SourceError(`${source} is larger than ${fileBytesMax / 2 ** 20} MB: split it first`);
  } else {
    yield { path: start, name: basename(start), hint: sourceHint(start, false) };
  }
}

async function* walkFolder(
  top: string,
  folder: string,
  inVault: boolean,
  options: WalkOptions,
): AsyncGenerator<SourceFile> {
  const name = (entry: Dirent): string => relative(top, join(folder, entry.name)).split(sep).join('/');
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (entries === null) {
    options.onNoted('unreadable', relative(top, folder));
    return;
  }
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (setAside.has(entry.name) || path === options.knowledgeRoot)
        options.onNoted('set aside', name(entry));
      else yield* walkFolder(top, path, inVault || (await isVault(path)), options);
    } else if (entry.isSymbolicLink()) {
      options.onNoted('link', name(entry));
    } else if (!entry.isFile()) {
      options.onNoted('special file', name(entry));
    } else if (!isReadable(entry.name)) {
      options.onNoted(notedKind(entry.name), name(entry));
    } else if ((await lstat(path)).size > fileBytesMax) {
      options.onNoted('too large', name(entry));
    } else {
      yield { path, name: name(entry), hint: sourceHint(path, inVault) };
    }
  }
}

async function isVault(folder: string): Promise<boolean> {
  return lstat(join(folder, '.obsidian')).then(
    (status) => status.isDirectory(),
    () => false,
  );
}
