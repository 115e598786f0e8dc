import { readFileSync } from 'node:fs';

import { noteFileName } from '../commit/note-title.ts';
import { isoTime } from '../sources/calendar-time.ts';
import { noteMarkdown } from './converted-note.ts';
import type { ExportFolder } from './export-folder.ts';
import { ExportError, filesFolder } from './export-folder.ts';
import { markdownTable, tableCell } from './html-table.ts';
import type { KnownBlock } from './roam-text.ts';
import { anchorOf, roamText } from './roam-text.ts';
import { spokenDate } from './spoken-date.ts';

interface RoamBlock {
  readonly string?: unknown;
  readonly uid?: unknown;
  readonly heading?: unknown;
  readonly children?: unknown;
  readonly [name: string]: unknown;
}

interface RoamPage extends RoamBlock {
  readonly title?: unknown;
}

const depthMax = 200;
const written = new Set(['string', 'uid', 'heading', 'children', 'title']);
const tableMark = /^\s*\{\{(?:table|\[\[table\]\])\}\}\s*$/;
const ids = /\(\(([\w-]{5,40})\)\)/g;

/** Whether the start of a file is that of a graph of Roam. */
export function isRoamGraph(head: string): boolean {
  if (!/^\s*\[\s*\{/.test(head) || !/"(?:string|children)"\s*:/.test(head)) return false;
  const hasTime = /"(?:edit-time|create-time)"\s*:/.test(head);
  return /"uid"\s*:/.test(head) ? hasTime || /"title"\s*:/.test(head) : hasTime && /"title"\s*:/.test(head);
}

/** Converts a graph of Roam: every page is a note, every day a note of the journal. */
export async function convertRoam(path: string, folder: ExportFolder): Promise<void> {
  const graph = parseGraph(readFileSync(path, 'utf8'));
  const converter = new RoamConverter(folder);
  for (const page of graph) converter.add(page);
  for (const page of graph) converter.writePage(page);
  converter.writeRest();
  return Promise.resolve();
}

function parseGraph(source: string): readonly RoamPage[] {
  try {
    const graph: unknown = JSON.parse(source.replace(/^\ufeff/, ''));
    if (Array.isArray(graph) && graph.every((page) => typeof page === 'object' && page !== null))
      return graph as readonly RoamPage[];
  } catch {
    throw new ExportError('the JSON of the graph is damaged');
  }
  throw new ExportError('it is not a Roam graph');
}

class RoamConverter {
  readonly #folder: ExportFolder;
  readonly #names = new Map<string, string>();
  readonly #places = new Map<RoamPage, string>();
  readonly #blocks = new Map<string, KnownBlock>();
  readonly #referenced = new Set<string>();
  readonly #rest: string[] = [];

  constructor(folder: ExportFolder) {
    this.#folder = folder;
  }

  add(page: RoamPage): void {
    const title = textOf(page.title);
    const name = this.#folder.reserve('', dayName(title) ?? (title === '' ? 'Untitled' : title), '.md');
    const base = name.replace(/\.md$/, '');
    this.#places.set(page, name);
    if (!this.#names.has(title)) this.#names.set(title, base);
    this.#index(page, base, 0, false);
  }

  #index(block: RoamBlock, page: string, depth: number, inTable: boolean): void {
    const text = textOf(block.string);
    const isTable = inTable || tableMark.test(text);
    for (const found of text.matchAll(ids)) this.#referenced.add(found[1] ?? '');
    if (typeof block.uid === 'string' && depth > 0)
      this.#blocks.set(block.uid, { page, text, hasAnchor: !isTable });
    if (depth < depthMax) for (const child of childrenOf(block)) this.#index(child, page, depth + 1, isTable);
  }

  writePage(page: RoamPage): void {
    const name = this.#places.get(page) ?? '';
    const lines: string[] = [];
    this.#restOf(page);
    for (const block of childrenOf(page)) this.#writeBlock(block, 0, 1, lines);
    const edited = milliseconds(page['edit-time']) ?? milliseconds(page['create-time']);
    const uid = textOf(page.uid);
    const properties = [
      ['title', textOf(page.title)],
      ['created', timeText(page['create-time'])],
      ['modified', timeText(page['edit-time'])],
      ['roam', uid === '' ? {} : { uid }],
    ] as const;
    const body = lines.join('\n').replace(/^\n+/, '');
    this.#folder.writeNote(name, noteMarkdown(properties, body), edited === null ? null : edited / 1000);
  }

  /** `depth` is that of the list, `level` that of the tree. */
  #writeBlock(block: RoamBlock, depth: number, level: number, lines: string[]): void {
    this.#restOf(block);
    const source = textOf(block.string);
    const children = level < depthMax ? childrenOf(block) : [];
    if (level >= depthMax && childrenOf(block).length > 0) this.#rest.push(JSON.stringify(block.children));
    const indent = '    '.repeat(depth);
    if (tableMark.test(source) && children.length > 0) {
      const rows = this.#rows(children);
      lines.push(`${indent}- ${markdownTable(rows).split('\n').join(`\n${indent}  `)}`);
      return;
    }
    const heading = Number(block.heading) || 0;
    const text = this.#anchored(this.#text(source), textOf(block.uid));
    const isHeading = heading >= 1 && heading <= 6;
    if (isHeading && depth === 0) lines.push('', `${'#'.repeat(heading)} ${text}`, '');
    else {
      const marked = isHeading ? `${'#'.repeat(heading)} ${text}` : text;
      lines.push(`${indent}- ${marked.split('\n').join(`\n${indent}  `)}`);
    }
    for (const child of children)
      this.#writeBlock(child, isHeading && depth === 0 ? 0 : depth + 1, level + 1, lines);
  }

  #rows(cells: readonly RoamBlock[], level = 0): string[][] {
    return cells.flatMap((cell) => {
      this.#restOf(cell);
      const text = tableCell(this.#text(textOf(cell.string)));
      const children = childrenOf(cell);
      if (children.length === 0) return [[text]];
      if (level > depthMax) return [[text, tableCell(JSON.stringify(children))]];
      return this.#rows(children, level + 1).map((row, at) => [at === 0 ? text : '', ...row]);
    });
  }

  #text(source: string): string {
    return roamText(source, {
      page: (title) => this.#names.get(title) ?? dayName(title) ?? noteFileName(title),
      block: (uid) => this.#blocks.get(uid) ?? null,
    });
  }

  #anchored(text: string, uid: string): string {
    if (!this.#referenced.has(uid) || this.#blocks.get(uid)?.hasAnchor !== true) return text;
    return `${text}${text.endsWith('```') ? '\n' : ' '}^${anchorOf(uid)}`;
  }

  /** Times, users and settings of single blocks have no place in a note. */
  #restOf(block: RoamBlock): void {
    const rest = Object.entries(block).filter(([name]) => !written.has(name));
    if (rest.length > 0) this.#rest.push(JSON.stringify({ uid: block.uid, ...Object.fromEntries(rest) }));
  }

  writeRest(): void {
    if (this.#rest.length === 0) return;
    const name = this.#folder.reserve(filesFolder, 'Roam', '.remainder');
    this.#folder.writeFile(name, Buffer.from(`${this.#rest.join('\n')}\n`), null);
    this.#folder.list(name, 'remainder', 'times, users and settings of blocks');
  }
}

/** The date of a daily note, such as “January 1st, 2021”. */
function dayName(title: string): string | null {
  return /^[A-Z][a-z]+ \d{1,2}(?:st|nd|rd|th), \d{4}$/.test(title) ? spokenDate(title) : null;
}

function childrenOf({ children }: RoamBlock): readonly RoamBlock[] {
  if (!Array.isArray(children)) return [];
  return children.filter((child): child is RoamBlock => typeof child === 'object' && child !== null);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function milliseconds(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function timeText(value: unknown): string {
  const time = milliseconds(value);
  return time === null ? '' : isoTime(time / 1000);
}
