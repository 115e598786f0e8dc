import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import { baseOf } from '../sources/dated-name.ts';
import type { ConvertedFile } from './converted-note.ts';
import { fileAddress, linkLabel } from './converted-note.ts';
import { markdownTable, tableCell } from './html-table.ts';

/** A database of Notion: the view that was exported, and beside it all of its rows and columns. */
const table = / [0-9a-f]{32}(_all)?\.csv$/i;
const rowsMax = 200_000;

export function isNotionTable(name: string): boolean {
  return table.test(name);
}

/** The name of the view that already contains the rows of this file; null if it is a table of its own. */
export function shownBy(path: string): string | null {
  if (!/_all\.csv$/i.test(path)) return null;
  const view = path.replace(/_all\.csv$/i, '.csv');
  return filesOf(dirname(path)).includes(basename(view)) ? basename(view) : null;
}

/** The rows as a table whose first column leads to the pages of the rows; null if the text is no CSV. */
export function notionTable(path: string, text: string): ConvertedFile | null {
  const view = parseCsv(text);
  if (view === null) return null;
  const whole = wholeTable(path);
  const isPart = whole !== null && isContained(view, whole);
  const tables = whole === null ? [view] : isPart ? [whole] : [view, whole];
  const pages = pageNames(path.replace(table, (name) => name.replace(/(?:_all)?\.csv$/i, '')));
  const title = baseOf(basename(path));
  const written = tables.map((rows) => markdownTable(rows.map((row, at) => tableRow(row, at, pages))));
  return { markdown: `# ${title}\n\n${written.join('\n\n')}\n`, modifiedSeconds: null };
}

function tableRow(row: readonly string[], at: number, pages: Pages): readonly string[] {
  return row.map((cell, column) => {
    const page = at > 0 && column === 0 ? pages.find(cell) : null;
    return page === null ? tableCell(cell) : tableCell(`[${linkLabel(cell)}](${page})`);
  });
}

interface Pages {
  readonly find: (title: string) => string | null;
}

/** Pages of rows are in the folder with the name of the table; titles lose signs in file names, and are cut. */
function pageNames(folder: string): Pages {
  const names = new Map<string, string | null>();
  for (const name of filesOf(folder)) {
    if (!/\.(?:md|html)$/i.test(name)) continue;
    const key = titleKey(baseOf(name));
    names.set(key, names.has(key) ? null : fileAddress(`${basename(folder)}/${name}`));
  }
  return { find: (title) => (titleKey(title) === '' ? null : (names.get(titleKey(title)) ?? null)) };
}

function titleKey(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 40);
}

function wholeTable(path: string): readonly (readonly string[])[] | null {
  if (/_all\.csv$/i.test(path)) return null;
  const whole = path.replace(/\.csv$/i, '_all.csv');
  return filesOf(dirname(path)).includes(basename(whole)) ? parseCsv(readFileSync(whole, 'utf8')) : null;
}

/** Every cell of the view is in the whole table, as often. */
function isContained(view: readonly (readonly string[])[], whole: readonly (readonly string[])[]): boolean {
  const counts = new Map<string, number>();
  for (const cell of whole.flat()) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  for (const cell of view.flat()) counts.set(cell, (counts.get(cell) ?? 0) - 1);
  return [...counts.values()].every((count) => count >= 0);
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Rows of RFC 4180; null for too many of them, or for a text that ends inside quotes. */
export function parseCsv(source: string): readonly (readonly string[])[] | null {
  const text = source.replace(/^\ufeff/, '');
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;
  while (field.lastIndex < text.length) {
    const found = field.exec(text);
    if (found === null) return null;
    const [, quoted, plain = '', end] = found;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') {
      if (field.lastIndex === text.length) row.push('');
      continue;
    }
    rows.push(row);
    if (rows.length > rowsMax) return null;
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows.length === 0 ? null : rows;
}
