import type { Dirent } from 'node:fs';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import type { Target } from './target.ts';
import { foundationalTargets, idealStateTargets, knowledgeTargets, preferenceTargets } from './target.ts';

/** A target is a file that is appended to, or a folder in which each chunk becomes a note. Relative to the root. */
export interface TargetPlace {
  readonly kind: 'file' | 'folder';
  readonly path: string;
}

export type TargetLayout = (target: Exclude<Target, 'UNCLEAR' | 'AI_RULES'>) => TargetPlace;

const groups = [
  { targets: foundationalTargets, folder: 'Foundation' },
  { targets: idealStateTargets, folder: 'IdealState' },
  { targets: preferenceTargets, folder: 'Preferences' },
  { targets: ['PRINCIPAL_IDENTITY'], folder: '.' },
] as const;
const depthMax = 4;
/** These hold files of the same names that say how things are, not how they should be. */
const notTargets = /^(?:\.|node_modules$|current.?state$|archive$|templates?$)/i;

/** The places of this root: where a target's file already lies it stays, so another installation's layout is kept. */
export function readLayout(root: string): TargetLayout {
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  collect(root, '.', 0, files, folders);
  const places = new Map<string, TargetPlace>();
  for (const { targets, folder } of groups) {
    const home = targets.map((target) => files.get(target)).find((path) => path !== undefined);
    for (const target of targets) {
      const path = files.get(target) ?? join(home === undefined ? folder : dirname(home), `${target}.md`);
      places.set(target, { kind: 'file', path });
    }
  }
  for (const target of knowledgeTargets) {
    places.set(target, { kind: 'folder', path: folders.get(target) ?? join('Knowledge', target) });
  }
  return (target) => {
    const place = places.get(target);
    if (place === undefined) throw new TypeError(`${target} has no place`);
    return place;
  };
}

function collect(
  root: string,
  folder: string,
  depth: number,
  files: Map<string, string>,
  folders: Map<string, string>,
): void {
  const entries = readEntries(join(root, folder));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile() || entry.isSymbolicLink()) {
      const name = basename(entry.name, '.md');
      if (entry.name.endsWith('.md') && !files.has(name)) files.set(name, path);
    }
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const isNotes = /knowledge$/i.test(folder);
    if (!entry.isDirectory() || notTargets.test(entry.name)) continue;
    if (isNotes) folders.set(entry.name, path);
    else if (depth < depthMax) collect(root, path, depth + 1, files, folders);
  }
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
