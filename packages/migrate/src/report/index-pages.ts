import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import type { QueueHandle } from '../queue/queue-database.ts';
import { writtenLinks, writtenNotes } from './move-store.ts';

const indexName = '_index.md';
const backlinksName = '_backlinks.md';
const mark = '<!-- written by daybook-migrate index; changes are overwritten -->';
const newestShown = 20;

/** Notes of an area, such as `Knowledge/People` or `Journal`. */
interface Area {
  readonly folder: string;
  readonly notes: Map<string, { target: string; modifiedAt: string }>;
}

interface IndexOutcome {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Files of the user with the name of an index page, which are left as they are. */
  readonly refused: readonly string[];
}

/** Writes one page for each area with its counts and newest notes, and on request one with its backlinks. */
export function writeIndexPages(
  queue: QueueHandle,
  options: { readonly backlinks: boolean; readonly dryRun: boolean },
): IndexOutcome {
  const pages = new Map<string, string>();
  const links = options.backlinks ? backlinks(queue) : null;
  const areas = readAreas(queue);
  for (const area of areas) {
    pages.set(posix.join(area.folder, indexName), indexPage(area));
    const lines = links === null ? [] : backlinkLines(area, links);
    if (lines.length > 0) pages.set(posix.join(area.folder, backlinksName), page('Backlinks', lines));
  }
  return putPages(queue.root, pages, options.dryRun);
}

/** Updates the pages of areas that have some; without any, nothing is written. */
export function refreshIndexPages(queue: QueueHandle): void {
  if (queue.folder === null || !existsSync(listPath(queue.folder))) return;
  const paths = readList(queue.folder);
  const hasBacklinks = paths.some((path) => path.endsWith(backlinksName));
  const { written } = writeIndexPages(queue, { backlinks: hasBacklinks, dryRun: false });
  saveList(queue.folder, written);
  removePages(
    queue.root,
    paths.filter((path) => !written.includes(path)),
  );
}

/** Deletes all index pages. */
export function removeIndexPages(queue: QueueHandle): readonly string[] {
  if (queue.folder === null || !existsSync(listPath(queue.folder))) return [];
  const removed = removePages(queue.root, readList(queue.folder));
  rmSync(listPath(queue.folder));
  return removed;
}

export function saveList(folder: string, paths: readonly string[]): void {
  writeFileSync(listPath(folder), JSON.stringify(paths), { mode: 0o600 });
}

function listPath(folder: string): string {
  return join(folder, 'index-pages.json');
}

function readList(folder: string): readonly string[] {
  return JSON.parse(readFileSync(listPath(folder), 'utf8')) as readonly string[];
}

/** An area is a folder of a knowledge type, or the top folder of other targets. */
function readAreas(queue: QueueHandle): readonly Area[] {
  const areas = new Map<string, Area>();
  for (const { path, target, modifiedAt } of writtenNotes(queue.database)) {
    const folders = path.split('/').slice(0, -1);
    if (folders.length === 0 || folders[0] === 'Attachments' || target === 'AI_RULES') continue;
    const folder = folders.slice(0, folders[0] === 'Knowledge' ? 2 : 1).join('/');
    const area = areas.get(folder) ?? { folder, notes: new Map() };
    areas.set(folder, area);
    const known = area.notes.get(path);
    if (known === undefined || known.modifiedAt < modifiedAt) area.notes.set(path, { target, modifiedAt });
  }
  return [...areas.values()];
}

function indexPage({ folder, notes }: Area): string {
  const all = Array.from(notes, ([path, note]) => ({ path, ...note }));
  const parts = Map.groupBy(all, ({ path }) => posix.dirname(posix.relative(folder, path)));
  const newest = all.toSorted((one, other) => other.modifiedAt.localeCompare(one.modifiedAt));
  const counts = Array.from(parts, ([part, some]) => `- ${part === '.' ? folder : part}: ${some.length}`);
  return page(folder, [
    `${all.length} ${all.length === 1 ? 'file' : 'files'}`,
    '',
    ...counts.sort(),
    '',
    '## Newest',
    '',
    ...newest
      .slice(0, newestShown)
      .map(({ path, modifiedAt }) => `- ${linkTo(folder, path)} ${modifiedAt.slice(0, 10)}`.trimEnd()),
  ]);
}

function page(title: string, lines: readonly string[]): string {
  return `${mark}\n\n# ${title}\n\n${lines.join('\n')}\n`;
}

/** By path, so that an equal name elsewhere is not meant. */
function linkTo(folder: string, path: string): string {
  const name = posix.basename(path, '.md').replace(/[[\]\\]/g, '\\$&');
  const address = posix.relative(folder, path).split('/').map(encodeURIComponent).join('/');
  return `[${name}](${address.replace(/[()]/g, (one) => (one === '(' ? '%28' : '%29'))})`;
}

function backlinks(queue: QueueHandle): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { from, to } of writtenLinks(queue.database)) {
    const known = found.get(to);
    if (known === undefined) found.set(to, [from]);
    else known.push(from);
  }
  return found;
}

function backlinkLines(
  { folder, notes }: Area,
  links: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return [...notes.keys()].flatMap((path) => {
    const from = links.get(path);
    return from === undefined
      ? []
      : [`- ${linkTo(folder, path)}: ${from.map((one) => linkTo(folder, one)).join(', ')}`];
  });
}

function isOurs(path: string): boolean {
  return readFileSync(path, 'utf8').startsWith(mark);
}

function putPages(root: string, pages: ReadonlyMap<string, string>, dryRun: boolean): IndexOutcome {
  const [written, refused]: [string[], string[]] = [[], []];
  for (const [path, text] of pages) {
    const full = join(root, path);
    if (existsSync(full) && !isOurs(full)) refused.push(path);
    else {
      // Private like the queue: the page names notes that others may not read.
      if (!dryRun) writeFileSync(full, text, { mode: 0o600 });
      written.push(path);
    }
  }
  return { written, removed: [], refused };
}

function removePages(root: string, paths: readonly string[]): readonly string[] {
  const ours = paths.filter((path) => existsSync(join(root, path)) && isOurs(join(root, path)));
  for (const path of ours) rmSync(join(root, path));
  return ours;
}
