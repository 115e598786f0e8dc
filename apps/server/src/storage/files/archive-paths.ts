import type { EntryName } from '../entry-name.ts';
import { foldName, numberedName } from '../entry-name.ts';
import type { Entry, EntryId } from '../folders/entry.ts';

/** An entry with its path in an archive; the path of a folder ends with `/`. */
export interface ArchivedEntry {
  readonly path: string;
  readonly entry: Entry;
}

/** Parents before children, siblings by name. */
export function archivePaths(
  rootName: string,
  rootId: EntryId | null,
  entries: readonly Entry[],
): readonly ArchivedEntry[] {
  const children = Map.groupBy(entries, ({ parentId }) => parentId);
  const placed: ArchivedEntry[] = [];
  const descend = (folder: string, id: EntryId | null): void => {
    const taken = new Set<string>();
    for (const entry of (children.get(id) ?? []).toSorted(byName)) {
      const name = freeName(archiveName(entry.name), taken);
      const path = entry.kind === 'folder' ? `${folder}${name}/` : `${folder}${name}`;
      placed.push({ path, entry });
      if (entry.kind === 'folder') descend(path, entry.id);
    }
  };
  descend(`${archiveName(rootName)}/`, rootId);
  return placed;
}

function byName(one: Entry, other: Entry): number {
  return one.name < other.name ? -1 : 1;
}

/** Two names may have become equal. */
function freeName(name: EntryName, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(foldName(free)); number += 1) free = numberedName(name, number);
  taken.add(foldName(free));
  return free;
}

const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=\.|$)/i;

/**
 * A name that every system stores as one file in the current folder: no separator, drive or stream of Windows, none of
 * its devices, no trailing dots, which it would drop. Joiners remain, since names have them only where they are visible.
 */
export function archiveName(name: string): EntryName {
  const plain = name
    .replaceAll(/(?![\u200B-\u200D\u{E0020}-\u{E007F}])[\p{C}<>:"/\\|?*]/gu, '_')
    .replace(/[. ]+$/, (tail) => '_'.repeat(tail.length))
    .replace(devices, '_$&');
  return (plain === '' ? '_' : plain) as EntryName;
}
