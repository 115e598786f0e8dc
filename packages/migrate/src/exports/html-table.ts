import type { HtmlElement } from './html-tree.ts';
import { isElement } from './html-tree.ts';

const columnsMax = 1000;

/** A table of at least two columns in the form of GitHub; null for tables that only lay out a page. */
export function htmlTable(table: HtmlElement, textOf: (cell: HtmlElement) => string): string | null {
  const rows = rowsOf(table);
  const cells = rows.map((row) =>
    row.children.filter(isElement).flatMap((cell) => {
      const span = Math.min(columnsMax, Number.parseInt(cell.attributes['colspan'] ?? '1', 10) || 1);
      return [tableCell(textOf(cell)), ...Array.from({ length: span - 1 }, () => '')];
    }),
  );
  const hasText = rows.every((row) => row.children.every((node) => isElement(node) || node.trim() === ''));
  const caption = table.children.find((node) => isElement(node) && node.name === 'caption');
  const columns = Math.max(0, ...cells.map((row) => row.length));
  if (columns < 2 || columns > columnsMax || !hasText || hasStrayText(table)) return null;
  const lines = markdownTable(cells);
  return isElement(caption) ? `${textOf(caption)}\n\n${lines}` : lines;
}

/** The first row is the head. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(1, ...rows.map((row) => row.length));
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: columns }, (_, at) => cells[at] ?? '').join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [line(head), line(Array.from({ length: columns }, () => '---')), ...rest.map(line)].join('\n');
}

export function tableCell(text: string): string {
  return text
    .trim()
    .replace(/(?<!\\)\|/g, '\\|')
    .replace(/(?: {2})?\r?\n|\r/g, '<br>');
}

function rowsOf(table: HtmlElement): readonly HtmlElement[] {
  return table.children.flatMap((child) => {
    if (!isElement(child)) return [];
    if (child.name === 'tr') return [child];
    return ['tbody', 'thead', 'tfoot'].includes(child.name) ? rowsOf(child) : [];
  });
}

/** Text or elements outside of rows and cells come from broken markup; such a table is written as blocks. */
function hasStrayText(part: HtmlElement): boolean {
  return part.children.some((child) => {
    if (!isElement(child)) return child.trim() !== '';
    if (['tbody', 'thead', 'tfoot'].includes(child.name)) return hasStrayText(child);
    if (child.name === 'tr')
      return child.children.some((cell) => isElement(cell) && !/^t[dh]$/.test(cell.name));
    return !['caption', 'colgroup', 'col'].includes(child.name);
  });
}
