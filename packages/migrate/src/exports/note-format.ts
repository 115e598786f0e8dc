import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

import { keepMarkdown } from '../sources/keep-note.ts';
import { readHead } from '../sources/read-head.ts';
import { isJournalEntry, journalMarkdown } from './apple-journal.ts';
import type { ConvertedFile } from './converted-note.ts';
import { HtmlLimitError } from './html-tree.ts';
import { isNotionPage, notionMarkdown } from './notion-page.ts';
import { isNotionTable, notionTable, shownBy } from './notion-table.ts';
import { orgMarkdown } from './org-markdown.ts';

const fileBytesMax = 16 * 1024 * 1024;
/** Pages of Notion begin with about 20 KB of styles. */
const headBytes = 256 * 1024;

/** Whether a file of another format is one note. Its name decides, then its content. */
export function isNoteFile(path: string, name: string): boolean {
  const extension = extname(name).toLowerCase();
  if (extension === '.org') return true;
  if (!['.json', '.csv', '.html', '.htm'].includes(extension)) return false;
  if ((lstatSync(path, { throwIfNoEntry: false })?.size ?? Infinity) > fileBytesMax) return false;
  if (extension === '.csv') return isNotionTable(name) && shownBy(path) === null;
  if (extension === '.json') return readHead(path, 1) === '{' && keepMarkdown(readFileSync(path)) !== null;
  const head = readHead(path, headBytes);
  return isNotionPage(head) || isJournalEntry(head);
}

/** The note as Markdown; null if the file is read as it is. */
export function convertNoteFile(path: string, name: string, bytes: Buffer): ConvertedFile | null {
  const text = bytes.toString('utf8');
  switch (extname(name).toLowerCase()) {
    case '.json':
      return keepMarkdown(bytes);
    case '.csv':
      return isNotionTable(name) ? notionTable(path, text) : null;
    case '.org':
      return orgMarkdown(text, existsSync(join(dirname(dirname(path)), 'logseq')));
    case '.html':
    case '.htm':
      return pageMarkdown(text, name);
    default:
      return null;
  }
}

/** A page that is nested too deeply becomes a file with its source. */
function pageMarkdown(text: string, name: string): ConvertedFile | null {
  try {
    return isJournalEntry(text) ? journalMarkdown(text, name) : notionMarkdown(text);
  } catch (error) {
    if (error instanceof HtmlLimitError) return null;
    throw error;
  }
}
