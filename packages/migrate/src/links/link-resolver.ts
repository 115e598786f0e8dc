import { dirname, join, normalize } from 'node:path/posix';

import type { QueueHandle } from '../queue/queue-database.ts';
import type { StoredFile } from '../queue/source-store.ts';
import { filesOfBase } from '../queue/source-store.ts';
import type { NoteLink } from './note-link.ts';

const noteExtension = /\.(?:md|markdown|txt|mdc|org)$/i;

/** The file of the vault that a link refers to, or null. */
export function resolveLink(
  { database }: QueueHandle,
  from: Pick<StoredFile, 'root' | 'name'>,
  link: Pick<NoteLink, 'kind' | 'path'>,
): StoredFile | null {
  const wanted = link.path.replace(/^\.\//, '');
  const last = wanted.split('/').at(-1) ?? '';
  const candidates = filesOfBase(database, from.root, [last, last.replace(/\.[^.]+$/, '')]);
  const folder = dirname(from.name);
  const beside = normalize(join(folder, wanted));
  const places = wanted.startsWith('/')
    ? [wanted.slice(1)]
    : link.kind === 'wiki'
      ? [wanted, beside]
      : [beside, wanted];
  for (const place of places) {
    const exact = candidates.find(({ name }) => isNamed(name, place));
    if (exact !== undefined) return exact;
  }
  if (link.kind !== 'wiki') return null;
  // A wikilink refers to the note of that name in any folder; of several, the nearest to the top.
  const ending = candidates.filter(({ name }) => isNamed(name.slice(-endLength(name, wanted)), wanted));
  return ending.sort((one, other) => one.name.length - other.name.length)[0] ?? null;
}

/** Case does not count, nor does the extension of a note. */
function isNamed(name: string, place: string): boolean {
  const [one, other] = [name.toLowerCase(), place.toLowerCase()];
  return one === other || (noteExtension.test(one) && one.replace(noteExtension, '') === other);
}

/** As many characters as the path takes up at the end of the name, where a folder begins there. */
function endLength(name: string, wanted: string): number {
  const extension = noteExtension.test(wanted) ? '' : (noteExtension.exec(name)?.[0] ?? '');
  const length = wanted.length + extension.length;
  const withoutExtension = wanted.length;
  for (const size of [length, withoutExtension]) {
    if (name.length === size || name.at(-size - 1) === '/') return size;
  }
  return name.length;
}
