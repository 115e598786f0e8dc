import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { Target } from '../targets/target.ts';
import type { ProvenanceStamp } from './provenance.ts';
import { provenanceComment } from './provenance.ts';

const noteTypes: Partial<Record<Target, string>> = {
  Ideas: 'idea',
  People: 'person',
  Companies: 'company',
  Research: 'research',
};
const nameCharsMax = 60;
/** Windows keeps these names for devices, whatever their extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** A typed note with its source in the front matter. JSON strings are YAML strings, so nothing can break out of it. */
export function knowledgeNote(
  chunk: QueuedChunk,
  target: Target,
  body: string,
  stamp: ProvenanceStamp,
): string {
  const properties: readonly (readonly [string, unknown])[] = [
    ['type', noteTypes[target] ?? 'note'],
    ['title', noteTitle(chunk)],
    ['source', chunk.source],
    ['section', chunk.headings.join(' › ')],
    ['migrated', stamp.at],
    ['tags', chunk.tags],
  ];
  const lines = properties.map(([name, value]) => `${name}: ${yamlValue(value)}`);
  return ['---', ...lines, '---', '', provenanceComment(chunk, stamp), '', body, ''].join('\n');
}

function yamlValue(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

export function noteTitle(chunk: Pick<QueuedChunk, 'headings' | 'text'>): string {
  const words = chunk.headings.at(-1) ?? chunk.text.trim().split(/[\r\n]/)[0] ?? '';
  return (
    words
      .replace(/[#*`>[\]]+/g, ' ')
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, 120) || 'Untitled'
  );
}

/** A file name without a path in it, readable on every system. Not yet unique. */
export function noteFileName(title: string): string {
  const words = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+/, '');
  const name = Array.from(words).slice(0, nameCharsMax).join('').replace(/-+$/, '').toLowerCase();
  if (name === '') return 'untitled';
  return reserved.test(name) ? `${name}-note` : name;
}
