import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

import { decodeHTML } from 'entities';

/** A text of an export that must be found again in what the migration made of a file or folder. */
export interface ExportText {
  /** The start of the names of the notes and files that may contain it. */
  readonly scope: string;
  readonly text: string;
  /** It must be there as it is, without markup in it. */
  readonly isVerbatim: boolean;
}

/** Every text of a sample, by rules of its own: regular expressions and JSON, not the parsers of the migration. */
export function exportTexts(source: string): readonly ExportText[] {
  if (/\.(?:enex|jex)$/.test(source)) return fileTexts(source, basename(source));
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      return fileTexts(path, relative(source, path));
    });
}

function fileTexts(path: string, name: string): readonly ExportText[] {
  const of = (scope: string, texts: readonly string[]): readonly ExportText[] =>
    texts
      .filter((text) => letters(text) !== '')
      // Data of items that are no notes has no markup.
      .map((text) => ({ scope, text, isVerbatim: text.startsWith('\n\nid: ') }));
  const text = (): string => readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  if (name.endsWith('.enex')) return of(`${name}/`, evernoteTexts(text()));
  if (name.endsWith('.jex')) return of(`${name}/`, tarTexts(readFileSync(path)));
  if (/(?:^|\/)[0-9a-f]{32}\.md$/.test(name)) return of('', joplinTexts(text()));
  if (name.endsWith('.json')) return of(name, jsonTexts(text()));
  if (name.endsWith('.org')) return of(name, orgTexts(text()));
  if (name.endsWith('.csv')) return of(name.replace('_all.csv', '.csv'), csvTexts(text()));
  if (name.endsWith('.html') && /<article|pageContainer/.test(text())) return of(name, pageTexts(text()));
  return /\.(?:md|markdown|txt)$/.test(name) ? of(name, [text()]) : [];
}

/** What no rule of a markup language changes, without the case, which names of properties lose. */
export function letters(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words?.join('') ?? '';
}

function evernoteTexts(source: string): readonly string[] {
  const notes = source.split(/<note>/).slice(1);
  return notes.flatMap((note) => {
    const start = note.indexOf('<content>');
    const end = note.indexOf('</content>');
    const content = start === -1 ? '' : note.slice(start + 9, end === -1 ? undefined : end);
    const fields = note
      .replace(content, '')
      .replace(/<(data|recognition)\b[\s\S]*?<\/\1>/g, '')
      .matchAll(/<([\w-]+)[^>]*>([^<]+)<\/\1>/g);
    const values = Array.from(fields, ([, , value = '']) => decodeHTML(value).trim()).filter(
      (value) => !/^\d{8}T\d{6}Z$/.test(value) && !['open', 'completed', '0', 'image/png'].includes(value),
    );
    const secrets = Array.from(content.matchAll(/<en-crypt[^>]*>([^<]*)/g), ([, secret = '']) => secret);
    // Evernote's own words in place of tasks; the tasks themselves are fields.
    const shown = content
      .replace(/<en-crypt[\s\S]*?<\/en-crypt>/g, '')
      .replace(/<div style="--en-task-group:true[\s\S]*?Evernote\.<\/div><\/div>/g, '');
    return [
      markupText(shown),
      ...values.filter((value) => !/^(?:application|image|audio|video)\//.test(value)),
      ...secrets,
    ];
  });
}

function joplinTexts(source: string): readonly string[] {
  const at = source.lastIndexOf('\n\n');
  const [title = '', ...body] = source.slice(0, at).split('\n');
  const isNote = /\ntype_: 1\s*$/.test(source);
  const kept = source
    .slice(at + 2)
    .split('\n')
    .map((line) => line.replace(/^\w+: ?/, ''))
    .filter((value) => !/^(?:[\d.]*|\d{4}-\d\d-\d\dT.*)$/.test(value) && !/^[0-9a-f]{32}$/.test(value));
  return [title, body.join('\n').replace(/:\/[0-9a-f]{32}/g, ''), ...(isNote ? kept : [source.slice(at)])];
}

/** Texts of the items of a tar archive, by the size in each header. */
function tarTexts(bytes: Buffer): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; at + 512 <= bytes.length;) {
    const name = bytes.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8) || 0;
    if (/^[0-9a-f]{32}\.md$/.test(basename(name)))
      texts.push(...joplinTexts(bytes.toString('utf8', at + 512, at + 512 + size)));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return texts;
}

/** Titles and texts of blocks in a graph; titles, texts and labels of a note of Keep. */
function jsonTexts(source: string): readonly string[] {
  const names = new Set(['title', 'string', 'text', 'textContent', 'description', 'url', 'filePath', 'name']);
  const texts: string[] = [];
  const visit = (value: unknown, name: string): void => {
    if (typeof value === 'string' && names.has(name))
      texts.push(
        value
          .replace(/\{\{(?:\[\[)?(?:TODO|DONE)(?:\]\])?\}\}/g, '')
          .replace(/\{\{[^}]*\}\}|\(\([\w-]+\)\)|(?<=\])\(\[\[[^\]]*\]\]\)/g, ''),
      );
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) visit(inner, Array.isArray(value) ? name : key);
  };
  try {
    const value: unknown = JSON.parse(source);
    const isNote = Array.isArray(value) || Object.hasOwn(value as object, 'userEditedTimestampUsec');
    if (isNote && (Array.isArray(value) || Object.hasOwn(value as object, 'createdTimestampUsec')))
      visit(value, '');
  } catch {
    return [];
  }
  return texts;
}

function orgTexts(source: string): readonly string[] {
  return source.split('\n').map((line) =>
    line
      .replace(/^\s*:(?:PROPERTIES|END|LOGBOOK):\s*$/, '')
      .replace(/^\s*:id:/i, '')
      .replace(/^\s*#\+(?:begin|end)_\w+/i, '')
      .replace(/^\*+\s+(?:TODO|DONE)\s/, '')
      .replace(/\[\[([^\]]+)\]\[([^\]]+)\]\]/g, '$2'),
  );
}

function csvTexts(source: string): readonly string[] {
  return source.split(/[",\r\n]+/);
}

/** The text of pages of Notion and entries of Journal in their parts, each of which is in one place. */
function pageTexts(source: string): readonly string[] {
  const body = source.replace(/<!--[\s\S]*?-->/g, '').replace(/<head>[\s\S]*?<\/head>/, '');
  const isNotion = body.includes('<article');
  if (!isNotion) return body.split(/<\/?(?:div|p)\b[^>]*>/).map(markupText);
  const [header = '', ...rest] = body.split('<div class="page-body">');
  return [...header.split(/<\/(?:h1|p|th|td)>/).map(markupText), markupText(rest.join(' '))];
}

const voids = new Set(['br', 'hr', 'img', 'input', 'meta', 'link', 'col', 'en-media', 'en-todo']);

/** Text without tags. A formula is written as its TeX: its other two forms are left out. */
function markupText(source: string): string {
  let [text, depth, skipped, at] = ['', 0, 0, 0];
  for (const tag of source.matchAll(/<(\/?)([a-z][\w-]*)([^>]*)>|<[!?][^>]*>/gi)) {
    if (skipped === 0) text += source.slice(at, tag.index);
    at = tag.index + tag[0].length;
    const [, closing, name = '', attributes = ''] = tag;
    if (name === '' || voids.has(name) || attributes.endsWith('/')) continue;
    if (closing === '/') {
      if (name === 'annotation') skipped = depth - 1;
      depth -= 1;
      if (depth < skipped) skipped = 0;
      continue;
    }
    depth += 1;
    if (name === 'annotation') skipped = 0;
    else if (
      skipped === 0 &&
      (name === 'math' || name === 'style' || name === 'script' || attributes.includes('katex-html'))
    )
      skipped = depth;
  }
  return decodeHTML(text + source.slice(at)).replace(/<!\[CDATA\[|\]\]>/g, '');
}
