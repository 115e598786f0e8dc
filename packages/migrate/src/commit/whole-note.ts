import type { DatabaseSync } from 'node:sqlite';

import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { destinationOf } from '../queue/queued-chunk.ts';
import { fileOfChunk, frontMatterOf } from '../queue/source-store.ts';
import { isDateLine, yearOf } from '../sources/journal-date.ts';
import { fileTitle, noteFileName } from './note-title.ts';

/** The properties in which programs store the date of a note. */
const dateProperties = ['date', 'created', 'created_at', 'date created', 'day', 'updated', 'modified'];

const headCharsMax = 4000;
/** Folders that an export adds around notes. */
const wrapper =
  /\.(?:textbundle|bear2bk|jex|joplin|json)$|^Export-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The folder of a whole note inside its home: its own folder, or the year of a journal entry. */
export function wholeNoteFolder(database: DatabaseSync, chunk: QueuedChunk): string {
  const target = destinationOf(chunk);
  if (target === 'JOURNAL') return journalYear(database, chunk);
  if (target !== 'NOTE' || chunk.kind === 'pasted') return '';
  return chunk.source
    .split('/')
    .slice(0, -1)
    .filter((folder) => !wrapper.test(folder))
    .map((folder) => noteFileName(fileTitle(`${folder.replace(/\.enex$/i, '')}.md`)))
    .join('/');
}

/** A whole note keeps the name of its file, also one that says nothing, such as README. */
export function wholeNoteTitle(chunk: QueuedChunk): string | null {
  const isWhole = destinationOf(chunk) === 'NOTE' || destinationOf(chunk) === 'JOURNAL';
  const title = chunk.kind === 'pasted' || chunk.part !== 'note' ? '' : fileTitle(chunk.source);
  return isWhole && title !== '' ? title : null;
}

function journalYear(database: DatabaseSync, chunk: QueuedChunk): string {
  const properties = frontMatterOf(database, chunk.id)?.properties ?? {};
  const written = [
    ...(chunk.part === 'note' ? [fileTitle(chunk.source)] : []),
    ...chunk.headings.toReversed(),
    firstDate(chunk.text),
    ...dateProperties.map((name) => dateText(properties[name])),
    ...chunk.source.split('/').toReversed(),
    fileOfChunk(database, chunk.id)?.stat?.modifiedAt ?? '',
  ];
  return written.map(yearOf).find((year) => year !== null) ?? 'Undated';
}

/** The first date that heads an entry. */
function firstDate(text: string): string {
  const lines = text.slice(0, headCharsMax).split(/\r\n|\n|\r/);
  return lines.map((line) => line.replace(/^#{1,6}\s+/, '').trim()).find(isDateLine) ?? '';
}

function dateText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
