import type { Dirent } from 'node:fs';
import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path/posix';

import type { Target } from './target.ts';
import {
  foundationalTargets,
  idealStateTargets,
  isWholeTarget,
  knowledgeTargets,
  preferenceTargets,
} from './target.ts';

/** The paths of the parts of a knowledge system, relative to its folder. A missing part is null. */
export interface Installation {
  readonly foundation: string | null;
  readonly idealState: string | null;
  readonly preferences: string | null;
  readonly identity: string | null;
  readonly rules: string | null;
  readonly knowledge: ReadonlyMap<Target, string>;
  /** The files of the parts, by what they are the file of. */
  readonly files: ReadonlyMap<Target, string>;
}

interface Part {
  readonly targets: readonly Target[];
  /** What such a folder is called, in this layout and in others of the same system. */
  readonly names: ReadonlySet<string>;
}

const parts = {
  foundation: { targets: foundationalTargets, names: new Set(['foundation', 'telos']) },
  idealState: { targets: idealStateTargets, names: new Set(['idealstate']) },
  preferences: { targets: preferenceTargets, names: new Set(['preferences', 'telos']) },
} as const satisfies Record<string, Part>;

const depthMax = 4;
const foldersMax = 20_000;
/** These contain files of the same names that describe the current state or are not personal. */
const notTargets = /^(?:\.|node_modules$|current.?state$|archive$|backups?$|templates?$)/i;
const identityFile = 'principal_identity.md';
const rulesFile = 'operational_rules.md';

/** The folders as a whole decide: a single file with the name of a target is not enough. */
export function readInstallation(root: string): Installation {
  const folders = listFolders(root);
  const files = new Map<Target, string>();
  const home = (part: Part): string | null => {
    const folder = bestHome(folders, part);
    for (const target of part.targets) {
      const name = folder?.names.get(`${target.toLowerCase()}.md`);
      if (folder !== undefined && name !== undefined) files.set(target, join(folder.path, name));
    }
    return folder?.path ?? null;
  };
  const [foundation, idealState, preferences] = [
    home(parts.foundation),
    home(parts.idealState),
    home(parts.preferences),
  ];
  const identity = documentedFile(folders, identityFile, /^(?:principal)?$/);
  if (identity !== null) files.set('PRINCIPAL_IDENTITY', identity);
  const rules = documentedFile(folders, rulesFile, /^(?:rules|config)$/);
  return {
    foundation,
    idealState,
    preferences,
    identity,
    rules,
    knowledge: knowledgeFolders(folders),
    files,
  };
}

interface Folder {
  readonly path: string;
  /** Lower case → as they are written. */
  readonly names: ReadonlyMap<string, string>;
  readonly subfolders: ReadonlyMap<string, string>;
}

/** A folder of the documented name needs one of the files; any other at least half of them, written as targets are. */
function bestHome(folders: readonly Folder[], { targets, names }: Part): Folder | undefined {
  const scored = folders.map((folder) => {
    const isDocumented = names.has(plain(basename(folder.path)));
    const found = targets.filter((target) => {
      const name = folder.names.get(`${target.toLowerCase()}.md`);
      return name !== undefined && (isDocumented || name === `${target}.md`);
    }).length;
    const isHome = isDocumented ? found > 0 : found >= targets.length / 2;
    return { folder, score: isHome ? found + (isDocumented ? targets.length : 0) : 0 };
  });
  const best = Math.max(...scored.map(({ score }) => score));
  return best === 0 ? undefined : scored.find(({ score }) => score === best)?.folder;
}

function documentedFile(folders: readonly Folder[], file: string, folderName: RegExp): string | null {
  for (const { path, names } of folders) {
    const name = names.get(file);
    const folder = path === '.' ? '' : plain(basename(path));
    if (name !== undefined && folderName.test(folder)) return join(path, name);
  }
  return null;
}

function knowledgeFolders(folders: readonly Folder[]): ReadonlyMap<Target, string> {
  const found = new Map<Target, string>();
  for (const { path, subfolders } of folders) {
    if (plain(basename(path)) !== 'knowledge') continue;
    for (const target of [...knowledgeTargets, 'NOTE'] as const) {
      const name = subfolders.get(target === 'NOTE' ? 'notes' : target.toLowerCase());
      if (name !== undefined && !found.has(target)) found.set(target, join(path, name));
    }
  }
  const journal = folders[0]?.subfolders.get('journal');
  if (journal !== undefined) found.set('JOURNAL', journal);
  return found;
}

/** Which target a file of an installation belongs to by its place; null for all others. */
export function placedTarget(installation: Installation, path: string): Target | null {
  for (const [target, file] of installation.files) if (file === path) return target;
  for (const [target, folder] of installation.knowledge) {
    if (extname(path).toLowerCase() !== '.md') continue;
    const isPlaced = isWholeTarget(target)
      ? isSystem(installation) && path.startsWith(`${folder}/`)
      : dirname(path) === folder;
    if (isPlaced) return target;
  }
  return path === installation.rules ? 'AI_RULES' : null;
}

/** Folders called Notes or Journal mean something only beside the other parts of the system. */
function isSystem({ foundation, idealState, knowledge }: Installation): boolean {
  return (
    foundation !== null || idealState !== null || knowledgeTargets.some((target) => knowledge.has(target))
  );
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** The shallowest first, so that of two equal homes the nearer one counts. */
function listFolders(root: string): readonly Folder[] {
  const folders: Folder[] = [];
  const queue = [{ path: '.', depth: 0 }];
  for (let at = 0; at < queue.length && at < foldersMax; at += 1) {
    const { path, depth } = queue[at] ?? { path: '.', depth: depthMax };
    const entries = readEntries(join(root, path));
    const isFile = (entry: Dirent): boolean => entry.isFile() || entry.isSymbolicLink();
    const subfolders = entries.filter((entry) => entry.isDirectory() && !notTargets.test(entry.name));
    const named = (list: readonly Dirent[]): ReadonlyMap<string, string> =>
      new Map(list.map(({ name }) => [name.toLowerCase(), name]));
    folders.push({
      path,
      names: named(entries.filter((entry) => isFile(entry) && /\.md$/i.test(entry.name))),
      // A link is a place too, if a wrong one: writing through it is refused, and a folder beside it would hide it.
      subfolders: named(entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink())),
    });
    if (depth < depthMax)
      queue.push(...subfolders.map(({ name }) => ({ path: join(path, name), depth: depth + 1 })));
  }
  return folders;
}

function readEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) =>
      one.name < other.name ? -1 : 1,
    );
  } catch {
    return [];
  }
}
