import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { resolveAddress } from './article-address.ts';
import { assembleFeed } from './assemble-feed.ts';
import { blockedPage } from './blocked-page.ts';
import type { NotAFeed, OpenedDocument } from './feed-document.ts';
import type { EntryDraft, RichText } from './feed-draft.ts';
import { emptyEntry, emptyFeed } from './feed-draft.ts';
import type { ParsedFeed } from './feed.ts';
import { textOf } from './json-feed-reader.ts';
import { parseJson } from './parse-json.ts';

/** Paths of the parts of a list in a JSON response: `data.list`, `attributes.title`, `links[0].href`. */
export interface JsonListRules {
  /** Path of the array; empty: the response is the array. */
  readonly entries: string;
  readonly title: string;
  /** A path, or an address with paths in braces: `https://lab.example/news/{slug}`. */
  readonly link: string;
  readonly id?: string;
  readonly date?: string;
  readonly summary?: string;
  readonly content?: string;
}

const entriesMax = 2_000;

export function parseJsonList(
  { text, options }: OpenedDocument,
  url: string,
  rules: JsonListRules,
): Result<ParsedFeed, NotAFeed> {
  const json = parseJson(text);
  if (json === undefined) return refused(blockedPage(text) ?? 'malformed');
  const list = valueAt(json, rules.entries);
  if (!Array.isArray(list)) return refused('no entries found');
  const entries = (list as readonly unknown[])
    .slice(0, entriesMax)
    .map((entry) => readEntry(entry, rules, url))
    .filter(({ link, title }) => link !== null && title !== null);
  if (entries.length === 0 && list.length > 0) return refused('no entries found');
  const entriesBeyondBound = Math.max(0, list.length - entriesMax);
  return accepted(
    assembleFeed({ ...emptyFeed, entries }, { ...options, format: 'json list', entriesBeyondBound }),
  );
}

function readEntry(entry: unknown, rules: JsonListRules, base: string): EntryDraft {
  const text = (path: string | undefined): string | null =>
    path === undefined ? null : textOf(valueAt(entry, path));
  const rich = (path: string | undefined): RichText | null => {
    const value = text(path);
    return value === null ? null : { text: value, form: 'unknown' };
  };
  const address = rules.link.includes('{') ? filled(rules.link, text) : text(rules.link);
  return {
    ...emptyEntry,
    guid: text(rules.id),
    link: resolveAddress(address, base),
    title: rich(rules.title),
    summary: rich(rules.summary),
    content: rich(rules.content),
    published: text(rules.date),
  };
}

/** Null: a path in braces has no value. */
function filled(template: string, text: (path: string) => string | null): string | null {
  let missing = false;
  const address = template.replaceAll(/\{([^{}]+)\}/gu, (_, path: string) => {
    const value = text(path);
    missing ||= value === null;
    return encodeURI(value ?? '');
  });
  return missing ? null : address;
}

function valueAt(json: unknown, path: string): unknown {
  let value = json;
  for (const name of path.split(/[.[\]]+/u).filter((part) => part !== '')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
