import type { Assertion, Expectations, Expected } from './assertion.ts';

type Json = Readonly<Record<string, unknown>>;

/** gofeed keeps beside each document the JSON that it expects: its own form per format, or the universal one. */
export function gofeedExpectations(document: string, json: string): Expectations {
  const feed = JSON.parse(json) as Json;
  const found = [
    ...assertionsOn(document, null, feed),
    ...listOf(feed['items'] ?? feed['entries']).flatMap((item, entry) => assertionsOn(document, entry, item)),
  ];
  const borrowed = found.filter((assertion) => isBorrowedDate(document, assertion));
  return {
    assertions: found.filter((assertion) => !borrowed.includes(assertion)),
    exclusions: borrowed.map(() => ({
      document,
      reason: 'date of a JSON Feed, which the format does not have; gofeed takes it from an entry',
    })),
  };
}

function isBorrowedDate(document: string, { entry, field }: Assertion): boolean {
  return document.includes('/json/') && entry === null && (field === 'published' || field === 'updated');
}

const dateFields: Readonly<Record<string, Assertion['field']>> = {
  pubDate: 'published',
  published: 'published',
  updated: 'updated',
  lastBuildDate: 'updated',
};

function assertionsOn(document: string, entry: number | null, json: Json): readonly Assertion[] {
  const found: Assertion[] = [];
  const add = (field: Assertion['field'], expected: Expected | null): void => {
    if (expected !== null) found.push({ document, entry, field, expected });
  };
  add('title', text(json['title']));
  add('link', exact(json['link'] ?? alternateOf(json['links'])));
  add('id', exact(json['id'] ?? valueOf(json['guid'])));
  for (const [name, field] of Object.entries(dateFields)) {
    add(field, exact(json[name]));
    add(field, instant(json[`${name}Parsed`]));
  }
  if (entry !== null) {
    add('summary', text(json['description'] ?? json['summary']));
    add('content', text(valueOf(json['content'])));
  }
  return found;
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function valueOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (value as Json)['value'] : value;
}

/** Atom's links come as objects; the universal form's list of strings repeats `link`. */
function alternateOf(links: unknown): unknown {
  return listOf(links).find(
    (link) => typeof link === 'object' && (link['rel'] ?? 'alternate') === 'alternate',
  )?.['href'];
}

function text(value: unknown): Expected | null {
  return typeof value === 'string' && value !== '' ? { form: 'text', value, plain: false } : null;
}

function exact(value: unknown): Expected | null {
  return typeof value === 'string' && value !== '' ? { form: 'exact', value } : null;
}

function instant(value: unknown): Expected | null {
  return typeof value === 'string' ? { form: 'instant', value: Date.parse(value) / 1000 } : null;
}
