import { parseDocument } from 'yaml';

const charsMax = 64 * 1024;
const opening = /^---[ \t]*(?:\r\n|\n|\r)/;
const closing = /(?:\r\n|\n|\r)(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|$)/g;

export interface FrontMatter {
  /** Characters from the start of the text to the line after the closing marker. */
  readonly length: number;
  /** The text between the markers, as written. */
  readonly source: string;
  /** Null where it is no YAML, as in templates. */
  readonly properties: Readonly<Record<string, unknown>> | null;
  readonly tags: readonly string[];
}

/** The block of properties at the head of a note, or null without a closed one. */
export function readFrontMatter(text: string): FrontMatter | null {
  const start = opening.exec(text);
  if (start === null) return null;
  const head = text.slice(0, charsMax);
  closing.lastIndex = start[0].length - 1;
  const end = closing.exec(head);
  if (end === null) return null;
  return { ...parseFrontMatter(head.slice(start[0].length, end.index)), length: closing.lastIndex };
}

/** The properties of a text that contains nothing else, or null. A block that is no YAML has none. */
export function onlyProperties(text: string): FrontMatter | null {
  const own = readFrontMatter(text);
  return own !== null && own.properties !== null && text.slice(own.length).trim() === '' ? own : null;
}

/** The same from the text between the markers. */
export function parseFrontMatter(source: string): FrontMatter {
  const properties = parseProperties(source);
  return { length: 0, source, properties, tags: readTags(properties) };
}

function readTags(properties: Readonly<Record<string, unknown>> | null): readonly string[] {
  const tags = properties?.['tags'] ?? properties?.['tag'];
  const list: readonly unknown[] =
    typeof tags === 'string' ? tags.split(/[,\s]+/) : Array.isArray(tags) ? tags : [];
  return list
    .filter((tag) => typeof tag === 'string' || typeof tag === 'number')
    .map((tag) => String(tag).replace(/^#/, '').slice(0, 100))
    .filter((tag) => tag !== '')
    .slice(0, 50);
}

/** Templates hold placeholders that are no YAML; such a block has no properties, which is no error. */
function parseProperties(source: string): Record<string, unknown> | null {
  try {
    const document = parseDocument(source, { logLevel: 'silent' });
    if (document.errors.length > 0) return null;
    const value: unknown = document.toJS({ maxAliasCount: 10 });
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
