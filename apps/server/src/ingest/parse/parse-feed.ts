import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { assembleFeed } from './assemble-feed.ts';
import { readAtom } from './atom-reader.ts';
import { blockedPage } from './blocked-page.ts';
import type { FeedDocument, NotAFeed, OpenedDocument } from './feed-document.ts';
import { openDocument } from './feed-document.ts';
import type { ParsedFeed } from './feed.ts';
import { isJsonFeed, readJsonFeed } from './json-feed-reader.ts';
import type { JsonListRules } from './json-list.ts';
import { parseJsonList } from './json-list.ts';
import type { PageListRules } from './page-list.ts';
import { parsePageList } from './page-list.ts';
import { parseJson } from './parse-json.ts';
import { readRss } from './rss-reader.ts';
import type { XmlElement } from './xml-tree.ts';
import { readXmlTree } from './xml-tree.ts';

/** The format of a source's list. */
export type ListForm =
  | { readonly kind: 'feed' }
  | { readonly kind: 'page list'; readonly rules: PageListRules }
  | { readonly kind: 'json list'; readonly rules: JsonListRules };

const bounds = { depthMax: 200, elementsMax: 200_000, entriesMax: 2_000 } as const;

/** Parses a list of any quality, in time and memory linear in the size of the document. */
export function parseFeed(
  document: FeedDocument,
  form: ListForm = { kind: 'feed' },
): Result<ParsedFeed, NotAFeed> {
  const opened = openDocument(document);
  if (!opened.ok) return opened;
  if (form.kind === 'page list') return parsePageList(opened.value, document.url, form.rules);
  if (form.kind === 'json list') return parseJsonList(opened.value, document.url, form.rules);
  const isJson = /^\s*[[{]/u.test(opened.value.text);
  return isJson ? parseJsonFeed(opened.value, document.url) : parseXmlFeed(opened.value, document.url);
}

function parseJsonFeed({ text, options }: OpenedDocument, url: string): Result<ParsedFeed, NotAFeed> {
  const json = parseJson(text);
  if (json === undefined) return refused('malformed');
  if (!isJsonFeed(json)) return refused('unknown format');
  const draft = readJsonFeed(json, url);
  const entriesBeyondBound = Math.max(0, draft.entries.length - bounds.entriesMax);
  const bounded = { ...draft, entries: draft.entries.slice(0, bounds.entriesMax) };
  return accepted(assembleFeed(bounded, { ...options, format: 'json feed', entriesBeyondBound }));
}

/** RSS and Atom. */
function parseXmlFeed({ text, options }: OpenedDocument, url: string): Result<ParsedFeed, NotAFeed> {
  const tree = readXmlTree(text, url, bounds);
  const root = tree === null ? null : feedRoot(tree.root);
  if (tree === null || root === null) return refused(notAFeed(text, tree !== null));
  const isAtom = root.name.startsWith('atom:');
  return accepted(
    assembleFeed(isAtom ? readAtom(root) : readRss(root), {
      ...options,
      format: isAtom ? 'atom' : 'rss',
      endedEarly: !tree.complete,
      entriesBeyondBound: tree.entriesDropped,
    }),
  );
}

const rootNames = /^(?:rss:(?:rss|rdf|channel|redirect)|rdf:rdf|atom:(?:feed|entry))$/u;

/** The root of the feed, or an element near it if the feed is embedded in a page. */
function feedRoot(element: XmlElement, depth = 0): XmlElement | null {
  if (rootNames.test(element.name)) return element;
  if (depth >= 3) return null;
  for (const child of element.children) {
    const found = typeof child === 'string' ? null : feedRoot(child, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function notAFeed(text: string, hasElements: boolean): NotAFeed {
  if (!/<(?:!doctype\s+html|html|head|body|script|meta)[\s>]/iu.test(text.slice(0, 4_096)))
    return hasElements ? 'unknown format' : 'malformed';
  return blockedPage(text) ?? 'web page';
}
