import { parse } from 'yaml';

const charsMax = 64 * 1024;
const opening = /^---[ \t]*(?:\r\n|\n|\r)/;
const closing = /(?:\r\n|\n|\r)(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|$)/g;

export interface FrontMatter {
  /** Characters from the start of the text to the line after the closing marker. */
  readonly length: number;
  readonly tags: readonly string[];
}

/** The block of properties at the head of a note, or null where there is none that is closed. */
export function readFrontMatter(text: string): FrontMatter | null {
  const start = opening.exec(text);
  if (start === null) return null;
  const head = text.slice(0, charsMax);
  closing.lastIndex = start[0].length - 1;
  const end = closing.exec(head);
  if (end === null) return null;
  return { length: closing.lastIndex, tags: readTags(head.slice(start[0].length, end.index)) };
}

function readTags(source: string): readonly string[] {
  const properties = parseProperties(source);
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
    const value: unknown = parse(source, { maxAliasCount: 10, logLevel: 'silent' });
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
