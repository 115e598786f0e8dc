import { resolveAddress } from './article-address.ts';
import type { EntryDraft, FeedDraft, RichText } from './feed-draft.ts';
import { noPace } from './feed-draft.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonFeed(json: unknown): json is JsonObject {
  if (!isObject(json)) return false;
  const version = json['version'];
  return (
    Array.isArray(json['items']) &&
    typeof version === 'string' &&
    /^(?:https?:\/\/(?:www\.)?jsonfeed\.org\/version\/)?1(?:\.\d)?\/?$/u.test(version)
  );
}

/** JSON Feed 1.0 and 1.1. */
export function readJsonFeed(json: JsonObject, documentUrl: string): FeedDraft {
  const title = textOf(json['title']);
  return {
    title: title === null ? null : { text: title, form: 'unknown' },
    homepage: resolveAddress(textOf(json['home_page_url']), documentUrl),
    id: null,
    language: textOf(json['language']),
    published: null,
    updated: null,
    pace: noPace,
    hubs: objectsOf(json['hubs'])
      .filter((hub) => textOf(hub['type'])?.toLowerCase() === 'websub')
      .flatMap((hub) => resolveAddress(textOf(hub['url']), documentUrl) ?? []),
    self: resolveAddress(textOf(json['feed_url']), documentUrl),
    newAddress: null,
    entries: objectsOf(json['items']).map((item) => readItem(item, documentUrl)),
  };
}

function readItem(item: JsonObject, base: string): EntryDraft {
  const people = [...objectsOf(item['authors']), ...(isObject(item['author']) ? [item['author']] : [])];
  return {
    guid: textOf(item['id']),
    link: resolveAddress(textOf(item['url']), base) ?? resolveAddress(textOf(item['external_url']), base),
    title: rich(item['title'], 'unknown'),
    summary: rich(item['summary'], 'plain'),
    content: rich(item['content_html'], 'html') ?? rich(item['content_text'], 'plain'),
    published: textOf(item['date_published']),
    updated: textOf(item['date_modified']),
    authors: people.flatMap((person) => textOf(person['name']) ?? []),
    categories: listOf(item['tags']).flatMap((tag) => textOf(tag) ?? []),
    language: textOf(item['language']),
    image: resolveAddress(textOf(item['image']) ?? textOf(item['banner_image']), base),
    enclosures: objectsOf(item['attachments']).flatMap((attachment) => {
      const url = resolveAddress(textOf(attachment['url']), base);
      const bytes = attachment['size_in_bytes'];
      if (url === null) return [];
      return [
        { url, type: textOf(attachment['mime_type']), bytes: typeof bytes === 'number' ? bytes : null },
      ];
    }),
    comments: null,
    origin: null,
  };
}

function rich(value: unknown, form: RichText['form']): RichText | null {
  const text = textOf(value);
  return text === null ? null : { text, form };
}

/** Accepts numbers too, because ids often are numbers. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isObject);
}
