import { secondsOf } from '../sources/calendar-time.ts';
import type { ConvertedFile } from './converted-note.ts';
import { fenced, noteMarkdown } from './converted-note.ts';
import { tableCell } from './html-table.ts';
import { orgInline } from './org-inline.ts';

/** A line of more stars is text. */
const heading = /^(\*{1,50})\s+(.*)$/;
const keyword = /^#\+([\w-]+):\s*(.*)$/;
const blockStart = /^\s*#\+begin_(\w+)(.*)$/i;
const drawerStart = /^\s*:([\w-]+):\s*$/;
const drawerLine = /^\s*:([\w@#%+-]+):\s*(.*)$/;
const listItem = /^(\s*)([-+]|\d+[.)]|(?<=\s)\*)\s+(?:\[([ xX-])\]\s+)?(.*)$/;
const taskWord = /^(TODO|DONE|LATER|NOW|DOING|WAITING|WAIT|NEXT|CANCELL?ED|IN-PROGRESS|STARTED)\s+/;
const headingLevelMax = 6;

/**
 * A file of Emacs Org mode as Markdown. In an outliner such as Logseq, headings are the blocks of an outline and become
 * nested items.
 */
export function orgMarkdown(source: string, isOutline: boolean): ConvertedFile {
  return new OrgWriter(isOutline).write(source.replace(/^\ufeff/, '').split(/\r\n|\n|\r/));
}

class OrgWriter {
  readonly #isOutline: boolean;
  readonly #properties: [string, unknown][] = [];
  readonly #out: string[] = [];
  #indent = '';
  #isHead = true;
  /** The level of the outermost heading. */
  #top = 1;

  constructor(isOutline: boolean) {
    this.#isOutline = isOutline;
  }

  write(lines: readonly string[]): ConvertedFile {
    const levels = lines.flatMap((line) => heading.exec(line)?.[1]?.length ?? []);
    this.#top = levels.reduce((least, level) => Math.min(least, level), Infinity);
    for (let at = 0; at < lines.length;) at = this.#next(lines, at);
    const date = this.#properties.find(([name]) => name === 'date' || name === 'created')?.[1];
    const body = this.#out.join('\n').trimEnd().replace(/^\n+/, '');
    return {
      markdown: noteMarkdown(this.#properties, body),
      modifiedSeconds: typeof date === 'string' ? secondsOf(orgDate(date)) : null,
    };
  }

  /** The line after what was written. */
  #next(lines: readonly string[], at: number): number {
    const line = lines[at] ?? '';
    const head = heading.exec(line);
    if (head !== null) return this.#heading(lines, at, head);
    const block = blockStart.exec(line);
    if (block !== null) return this.#block(lines, at, block);
    const drawer = drawerStart.exec(line)?.[1];
    if (drawer !== undefined) return this.#drawer(lines, at, drawer);
    if (/^\s*\|/.test(line)) return this.#table(lines, at);
    const pair = keyword.exec(line);
    if (pair !== null) this.#keyword(pair[1] ?? '', pair[2] ?? '', line);
    else this.#line(line);
    return at + 1;
  }

  #heading(lines: readonly string[], at: number, [, stars = '', rest = '']: readonly string[]): number {
    this.#isHead = false;
    const { next, properties } = readDrawer(lines, at + 1);
    const id = properties.find(([name]) => /^id$/i.test(name))?.[1] ?? '';
    const others = properties.filter(([name]) => !/^id$/i.test(name));
    const anchor = /^[\w-]+$/.test(id) ? ` ^${id}` : '';
    const tags = /\s:([\p{L}\p{N}_@#%:]{1,500}):\s*$/u.exec(rest.slice(-600));
    const words = tags === null ? rest : rest.slice(0, -tags[0].length).trimEnd();
    const tagged = (tags?.[1] ?? '').split(':').map((tag) => (tag === '' ? '' : ` #${tag}`));
    const isItem = this.#isOutline || stars.length > headingLevelMax;
    const text = `${isItem ? taskItem(words) : orgInline(words)}${tagged.join('')}${anchor}`;
    const top = this.#isOutline ? this.#top : headingLevelMax + 1;
    this.#indent = isItem ? '    '.repeat(stars.length - top) : '';
    if (isItem) this.#out.push(`${this.#indent}- ${text}`);
    else this.#out.push('', `${'#'.repeat(stars.length)} ${text}`, '');
    if (isItem) this.#indent += '    ';
    for (const [name, value] of others) this.#out.push(`${this.#indent}${name}:: ${value}`);
    if (id !== '' && anchor === '') this.#out.push(`${this.#indent}id:: ${id}`);
    return next;
  }

  /** Drawers at the top are properties of the file; logs and others are code. */
  #drawer(lines: readonly string[], at: number, name: string): number {
    const { next, properties } = readDrawer(lines, at);
    if (next > at && this.#isHead) {
      this.#properties.push(
        ...properties.map(([key, value]) => [key.toLowerCase(), value] as [string, unknown]),
      );
      return next;
    }
    const end = endOf(lines, at, /^\s*:end:\s*$/i);
    if (end === -1) {
      this.#line(lines[at] ?? '');
      return at + 1;
    }
    this.#push(fenced(lines.slice(at + 1, end).join('\n'), name.toLowerCase()));
    return end + 1;
  }

  #block(lines: readonly string[], at: number, [, kind = '', rest = '']: readonly string[]): number {
    const end = endOf(lines, at, new RegExp(`^\\s*#\\+end_${kind}\\s*$`, 'i'));
    if (end === -1) {
      this.#line(lines[at] ?? '');
      return at + 1;
    }
    const inner = lines.slice(at + 1, end);
    const type = kind.toLowerCase();
    const [language = '', ...options] = rest.trim().split(/\s+/);
    if (options.length > 0 || (rest.trim() !== '' && type !== 'src')) this.#push(`<!-- ${comment(rest)} -->`);
    if (['src', 'example', 'export', 'comment', 'query'].includes(type))
      this.#push(fenced(outdented(inner).join('\n'), type === 'src' ? language : type));
    else {
      const label = type === 'quote' || type === 'verse' || type === 'center' ? [] : [`[!${type}]`];
      this.#push(
        [...label, ...inner.map((line) => orgInline(line.trim()))].map((line) => `> ${line}`).join('\n'),
      );
    }
    return end + 1;
  }

  #table(lines: readonly string[], at: number): number {
    let end = at;
    while (/^\s*\|/.test(lines[end] ?? '')) end += 1;
    const rows = lines.slice(at, end).filter((line) => !/^\s*\|[-+|:\s]*$/.test(line));
    const cells = rows.map((row) =>
      row
        .trim()
        .replace(/^\||\|$/g, '')
        .split('|')
        .map((cell) => tableCell(orgInline(cell.trim()))),
    );
    const columns = Math.max(1, ...cells.map((row) => row.length));
    const line = (row: readonly string[]): string =>
      `| ${Array.from({ length: columns }, (_, one) => row[one] ?? '').join(' | ')} |`;
    const [first = [], ...others] = cells;
    const rule = line(Array.from({ length: columns }, () => '---'));
    this.#push([line(first), rule, ...others.map(line)].join('\n'));
    return end;
  }

  #keyword(name: string, value: string, line: string): void {
    const key = name.toLowerCase();
    const isKnown = this.#properties.some(([other]) => other === key);
    if (!this.#isHead || value === '' || isKnown || key === 'results' || key === 'caption') {
      this.#push(`<!-- ${comment(line)} -->`);
      return;
    }
    if (key === 'filetags' || key === 'tags')
      this.#properties.push(['tags', value.split(/[:,\s]+/).filter((tag) => tag !== '')]);
    else this.#properties.push([key, value]);
  }

  #line(line: string): void {
    const item = listItem.exec(line);
    const text = line.trim();
    if (text !== '') this.#isHead = false;
    if (item !== null) this.#item(item);
    else if (text.startsWith('# ') || text === '#')
      this.#out.push(`${this.#indent}<!-- ${comment(text.slice(1))} -->`);
    else if (/^-{5,}$/.test(text)) this.#out.push('', `${this.#indent}---`, '');
    else if (text.startsWith(': ')) this.#out.push(`${this.#indent}    ${text.slice(2)}`);
    else this.#out.push(text === '' ? '' : `${this.#indent}${orgInline(text)}`);
  }

  #item([, space = '', bullet = '', box, rest = '']: readonly (string | undefined)[]): void {
    const task = box === undefined ? '' : `[${box === ' ' ? ' ' : box === '-' ? '-' : 'x'}] `;
    const term = /^(.*?)\s+::\s+(.*)$/.exec(rest ?? '');
    const text =
      term === null ? orgInline(rest ?? '') : `**${orgInline(term[1] ?? '')}**: ${orgInline(term[2] ?? '')}`;
    const mark = /^\d/.test(bullet ?? '') ? (bullet ?? '').replace(')', '.') : '-';
    // Text of a heading is often indented as a whole; four columns more are a deeper list.
    const depth = Math.floor((space ?? '').length / 2);
    const indent = this.#isOutline ? this.#indent : '  '.repeat(depth);
    this.#out.push(`${indent}${mark} ${task}${text}`);
  }

  #push(text: string): void {
    for (const line of text.split('\n')) this.#out.push(`${this.#indent}${line}`);
  }
}

/** TODO and DONE are check boxes; other words of a workflow stay beside them. */
function taskItem(words: string): string {
  const task = taskWord.exec(words)?.[1];
  if (task === undefined) return orgInline(words);
  const rest = orgInline(task === 'TODO' || task === 'DONE' ? words.slice(task.length).trim() : words);
  return `[${/^(?:DONE|CANCEL)/.test(task) ? 'x' : ' '}] ${rest}`;
}

/** A closed drawer of properties that begins here, and the line after it. */
function readDrawer(
  lines: readonly string[],
  at: number,
): { readonly next: number; readonly properties: readonly (readonly [string, string])[] } {
  const none = { next: at, properties: [] };
  let start = at;
  // A planning line may be between a heading and its drawer; it is text.
  if (!/^\s*:PROPERTIES:\s*$/i.test(lines[start] ?? '')) return none;
  start += 1;
  const properties: (readonly [string, string])[] = [];
  for (let line = start; line < lines.length; line += 1) {
    const text = lines[line] ?? '';
    if (/^\s*:END:\s*$/i.test(text)) return { next: line + 1, properties };
    const pair = drawerLine.exec(text);
    if (pair === null) return none;
    properties.push([pair[1] ?? '', pair[2] ?? '']);
  }
  return none;
}

function endOf(lines: readonly string[], from: number, end: RegExp): number {
  for (let at = from + 1; at < lines.length; at += 1) {
    if (end.test(lines[at] ?? '')) return at;
    if (heading.test(lines[at] ?? '')) return -1;
  }
  return -1;
}

function outdented(lines: readonly string[]): readonly string[] {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const least = Math.min(...indents, 80);
  return lines.map((line) => line.slice(Math.min(least, /^\s*/.exec(line)?.[0].length ?? 0)));
}

function comment(text: string): string {
  return text.trim().replace(/--+>?/g, '– ');
}

function orgDate(text: string): string {
  return /\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? '';
}
