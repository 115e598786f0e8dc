import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { isDateLine } from '../sources/journal-date.ts';

const titleCharsMax = 120;
const nameCharsMax = 80;
const nameBytesMax = 180;
/** Windows reserves these names for devices, whatever their extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;
/** Default names that programs give to untitled notes. */
const nameless =
  /^(?:untitled|new note|unnamed|note|notes|readme|index|default|document|new document|unbenannt|sin título|sans titre|无标题|未命名|新建文本文档|新建笔记)(?:[ _-]?\(?\d+\)?)?$/i;
/** Headings that are meaningful only together with the name of their note. */
const generic =
  /^(?:notes?|summary|overview|introduction|intro|misc|other|todo|to ?do|ideas?|links?|see also|details|log|history|总结|其他|备注|笔记|resumen|notas)$/i;

export function isGenericHeading(heading: string): boolean {
  return generic.test(heading);
}

/** A natural title for the note that a chunk becomes. */
export function noteTitle(
  chunk: Pick<QueuedChunk, 'source' | 'headings' | 'text' | 'part' | 'kind'>,
): string {
  const file = chunk.kind === 'pasted' ? '' : fileTitle(chunk.source);
  const heading = chunk.headings.at(-1) ?? '';
  if (chunk.part === 'note') {
    if (isMeaningful(file)) return bounded(file);
    return bounded(isMeaningful(heading) ? heading : firstWords(chunk.text));
  }
  const isOwn = isMeaningful(heading) && !isGenericHeading(heading) && !isDateLine(heading);
  if (isOwn || file === '') return bounded(heading === '' ? firstWords(chunk.text) : heading);
  return bounded(heading === '' ? file : `${file} – ${heading}`);
}

/** The name of a file without its folders, its extension and what an export has added to it. */
export function fileTitle(source: string): string {
  const bundle = /(?:^|\/)([^/]+)\.textbundle\/text\.[^/]+$/i.exec(source)?.[1];
  const name = bundle ?? (source.split('/').at(-1) ?? '').replace(/\.[^.]+$/, '');
  return name.replace(/ [0-9a-f]{32}(?:_all)?$/i, '').trim();
}

function isMeaningful(title: string): boolean {
  return isDateLine(title) || (/\p{L}/u.test(title) && !nameless.test(title));
}

function firstWords(text: string): string {
  const line = text
    .trim()
    .split(/[\r\n]/)
    .find((one) => /[\p{L}\p{N}]/u.test(one));
  return line ?? '';
}

function bounded(title: string): string {
  const words = title
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/^[\s>#*+-]+/, '')
    .replace(/[#*`[\]]+/g, ' ')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return Array.from(words).slice(0, titleCharsMax).join('').trim() || 'Untitled';
}

const scriptCharsMax = 60;

/** The title as the name of a script: words with hyphens, without the extension of a note that it mentions. */
export function scriptName(title: string): string {
  const words = title
    .replace(/\.(?:mdc?|markdown|txt)\b/gi, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-/, '');
  const name = Array.from(words).slice(0, scriptCharsMax).join('').replace(/-$/, '');
  return name === '' ? 'rule' : name;
}

/** The title as the name of a file on every system: as it is written, without what a path or a system would read in it. */
export function noteFileName(title: string): string {
  const words = title
    .normalize('NFC')
    .replace(/\s*[:：]\s*/g, ' - ')
    .replace(/[\\/|]+/g, '-')
    .replace(/[<>"?*\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.~$-]+/, '');
  let name = Array.from(words).slice(0, nameCharsMax).join('');
  while (Buffer.byteLength(name) > nameBytesMax) name = Array.from(name).slice(0, -1).join('');
  name = name.replace(/[\s.-]+$/, '');
  if (name === '') return 'Untitled';
  return reserved.test(name) ? `${name} note` : name;
}
