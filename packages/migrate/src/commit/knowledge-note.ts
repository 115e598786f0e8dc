import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { FileStat } from '../queue/source-store.ts';
import type { FrontMatter } from '../sources/front-matter.ts';
import { onlyProperties } from '../sources/front-matter.ts';
import type { Target } from '../targets/target.ts';
import { addedHeading } from './destination.ts';
import { noteTitle } from './note-title.ts';
import type { ProvenanceStamp } from './provenance.ts';
import { provenanceComment } from './provenance.ts';

const noteTypes: Partial<Record<Target, string>> = {
  Ideas: 'idea',
  People: 'person',
  Companies: 'company',
  Research: 'research',
  JOURNAL: 'journal',
};

/** The names under which programs store the dates of a note. */
const createdNames = [
  'created',
  'created_at',
  'createdat',
  'date created',
  'date-created',
  'creation date',
  'date',
];
const modifiedNames = [
  'modified',
  'updated',
  'updated_at',
  'updatedat',
  'date modified',
  'last_updated',
  'lastmod',
];

/** The dates of a note by the file system. */
export type NoteDates = Pick<FileStat, 'createdAt' | 'modifiedAt'>;

function hasOneOf(own: Readonly<Record<string, unknown>> | null, names: readonly string[]): boolean {
  return Object.keys(own ?? {}).some((name) => names.includes(name.toLowerCase()));
}

/** The properties of a note that consists of them alone: they stay properties. `text` is the chunk's, with its links. */
export function propertyNote(chunk: Pick<QueuedChunk, 'part'>, text: string): FrontMatter | null {
  return chunk.part === 'note' ? onlyProperties(text) : null;
}

/**
 * A typed note with its source in the front matter. The note's own properties come first, unchanged; only missing
 * ones are added. JSON strings are YAML strings, so values cannot break out of them.
 */
export function knowledgeNote(
  chunk: QueuedChunk,
  target: Target,
  body: string,
  stamp: ProvenanceStamp,
  frontMatter: FrontMatter | null,
  dates: NoteDates | null,
): string {
  const own = frontMatter?.properties ?? null;
  const written = own === null ? [] : propertySource(frontMatter).split('\n');
  const has = (name: string): boolean => own !== null && Object.hasOwn(own, name);
  const added: readonly (readonly [string, unknown])[] = [
    ['type', noteTypes[target] ?? 'note'],
    ['title', noteTitle(chunk)],
    [has('source') ? 'migrated_from' : 'source', chunk.source],
    ['section', chunk.headings.join(' › ')],
    ['created', hasOneOf(own, createdNames) ? '' : (dates?.createdAt ?? '')],
    ['modified', hasOneOf(own, modifiedNames) ? '' : (dates?.modifiedAt ?? '')],
    ['migrated', stamp.at],
    ['tags', chunk.tags],
  ];
  const lines = added
    .filter(([name, value]) => !has(name) && !isEmpty(value))
    .map(([name, value]) => `${name}: ${yamlValue(value)}`);
  // Text that is no YAML cannot be front matter; it moves into the body.
  const unread = frontMatter !== null && own === null ? `${fenced(frontMatter.source)}\n\n` : '';
  return [
    '---',
    ...written,
    ...lines,
    '---',
    '',
    provenanceComment(chunk, stamp),
    ...(unread + body === '' ? [] : ['', `${unread}${body}`]),
    '',
  ].join('\n');
}

/** The properties as they are written. */
export function propertySource(frontMatter: FrontMatter | null): string {
  return (frontMatter?.source ?? '').replace(/\r\n?/g, '\n').trimEnd();
}

/** The text of a chunk in a file of many: under a heading, with the properties of its front matter. */
export function appendedBody(chunk: QueuedChunk, body: string, frontMatter: FrontMatter | null): string {
  const added = addedHeading(chunk);
  const list = body === '' ? propertyText : propertyList;
  const properties = frontMatter === null ? '' : list(frontMatter);
  if (added === null && properties === '') return body;
  const [first = '', ...rest] = body.split('\n');
  const heading = added ?? first;
  const text = added === null ? rest.join('\n').replace(/^\n+/, '') : body;
  return [heading, properties, text].filter((part) => part.trim() !== '').join('\n\n');
}

/** The properties of a note that has no other text: every letter and digit of them, as a list if that shows them all. */
export function propertyText(frontMatter: FrontMatter): string {
  const list = listOf(frontMatter, Object.entries(frontMatter.properties ?? {}));
  return lettersOf(list) === lettersOf(frontMatter.source) ? list : fenced(frontMatter.source);
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Simple properties as a readable list; all others as written. */
function propertyList(frontMatter: FrontMatter): string {
  const entries = Object.entries(frontMatter.properties ?? {}).filter(([, value]) => !isEmpty(value));
  if (frontMatter.properties !== null && entries.length === 0) return '';
  return listOf(frontMatter, entries);
}

function listOf(
  { source, properties }: FrontMatter,
  entries: readonly (readonly [string, unknown])[],
): string {
  const lines = entries.map(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (values.some((one) => typeof one === 'object' && one !== null)) return null;
    const words = values.map((one) =>
      isTagList(name) ? `#${String(one).replace(/^#/, '')}` : plainValue(one),
    );
    return `- ${name}: ${words.join(', ')}`.trimEnd();
  });
  return properties === null || lines.includes(null) ? fenced(source) : lines.join('\n');
}

function isTagList(name: string): boolean {
  return name === 'tags' || name === 'tag';
}

/** Of a scalar. */
function plainValue(value: unknown): string {
  const scalar = (value ?? '') as string | number | boolean;
  return String(scalar).replace(/\s+/g, ' ');
}

function fenced(source: string): string {
  return `\`\`\`\`yaml\n${source.replace(/\r\n?/g, '\n').trimEnd()}\n\`\`\`\``;
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

function yamlValue(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
