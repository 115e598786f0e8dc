import { DomUtils, parseDocument } from 'htmlparser2';

type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const rfc822 =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d (?:GMT|\+0000)$/;

/** The children of this name. */
function elementsOf(parent: Pick<Element, 'children'>, name: string): Element[] {
  return DomUtils.getElementsByTagName(name, parent.children, false);
}

function textOf(parent: Element, name: string): string {
  return elementsOf(parent, name)
    .map((one) => DomUtils.textContent(one))
    .join('');
}

/** Reads the document with a parser that its writer does not use. */
function rootOf(xml: string, name: string): Element | undefined {
  return elementsOf(parseDocument(xml, { xmlMode: true }), name)[0];
}

type Rule = readonly [holds: boolean, rule: string];
const broken = (rules: readonly Rule[]): string[] => rules.flatMap(([holds, rule]) => (holds ? [] : [rule]));

function isUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length && values.every((value) => value !== '');
}

/** The rules of RFC 4287 that the feed breaks. */
export function brokenAtomRules(xml: string, selfUrl: string): string[] {
  const feed = rootOf(xml, 'feed');
  if (feed === undefined) return ['4.1.1 feed is the document element'];
  const one = (parent: Element, name: string): boolean => elementsOf(parent, name).length === 1;
  const linksOf = (parent: Element, rel: string): string[] =>
    elementsOf(parent, 'link').flatMap(({ attribs }) =>
      attribs['rel'] === rel ? [attribs['href'] ?? ''] : [],
    );
  const entries = elementsOf(feed, 'entry');
  return broken([
    [feed.attribs['xmlns'] === 'http://www.w3.org/2005/Atom', '2 namespace'],
    [one(feed, 'id') && URL.canParse(textOf(feed, 'id')), '4.2.6 one id, an IRI'],
    [one(feed, 'title'), '4.2.14 one title'],
    [one(feed, 'updated') && rfc3339.test(textOf(feed, 'updated')), '4.2.15 one updated, RFC 3339'],
    [elementsOf(feed, 'author').length > 0, '4.1.1 an author'],
    [linksOf(feed, 'self').join() === selfUrl, '4.1.1 a link to itself'],
    [linksOf(feed, 'alternate').length === 1, '4.1.1 one alternate of a type'],
    [isUnique(entries.map((entry) => textOf(entry, 'id'))), '4.1.1 entries with ids of their own'],
    ...entries.flatMap((entry): Rule[] => [
      [one(entry, 'id') && URL.canParse(textOf(entry, 'id')), '4.2.6 one id of an entry'],
      [one(entry, 'title'), '4.1.2 one title of an entry'],
      [one(entry, 'updated') && rfc3339.test(textOf(entry, 'updated')), '4.1.2 one updated of an entry'],
      [linksOf(entry, 'alternate').length === 1, '4.1.2 one alternate of an entry'],
      [textOf(entry, 'updated') <= textOf(feed, 'updated'), '4.2.15 the feed is as new as its entries'],
    ]),
  ]);
}

/** The rules of RSS 2.0 that the feed breaks, and its link to itself. */
export function brokenRssRules(xml: string, selfUrl: string): string[] {
  const rss = rootOf(xml, 'rss');
  const [channel] = rss === undefined ? [] : elementsOf(rss, 'channel');
  if (rss === undefined || channel === undefined) return ['one channel in rss'];
  const items = elementsOf(channel, 'item');
  const [self] = elementsOf(channel, 'atom:link');
  return broken([
    [rss.attribs['version'] === '2.0', 'version 2.0'],
    ...['title', 'link', 'description', 'lastBuildDate', 'language'].map((name): Rule => [
      elementsOf(channel, name).length === 1 && textOf(channel, name) !== '',
      `one ${name}`,
    ]),
    [URL.canParse(textOf(channel, 'link')), 'link is an address'],
    [rfc822.test(textOf(channel, 'lastBuildDate')), 'lastBuildDate in RFC 822'],
    [self?.attribs['rel'] === 'self' && self.attribs['href'] === selfUrl, 'a link to itself'],
    [isUnique(items.map((item) => textOf(item, 'guid'))), 'items with guids of their own'],
    ...items.flatMap((item): Rule[] => [
      [textOf(item, 'title') + textOf(item, 'description') !== '', 'title or description of an item'],
      [URL.canParse(textOf(item, 'link')), 'the link of an item is an address'],
      [rfc822.test(textOf(item, 'pubDate')), 'pubDate of an item in RFC 822'],
      [elementsOf(item, 'author').length === 0, 'author is an e-mail address'],
    ]),
  ]);
}

/** The rules of JSON Feed 1.1 that the feed breaks. */
export function brokenJsonFeedRules(json: string, selfUrl: string): string[] {
  const feed = JSON.parse(json) as Record<string, unknown>;
  const items = Array.isArray(feed['items']) ? (feed['items'] as Record<string, unknown>[]) : [];
  return broken([
    [feed['version'] === 'https://jsonfeed.org/version/1.1', 'version'],
    [typeof feed['title'] === 'string', 'title'],
    [Array.isArray(feed['items']), 'items is an array'],
    [feed['feed_url'] === selfUrl, 'feed_url'],
    [typeof feed['language'] === 'string', 'language'],
    [isUnique(items.map((item) => String(item['id']))), 'items with ids of their own'],
    ...items.flatMap((item): Rule[] => [
      [typeof item['id'] === 'string', 'id is a string'],
      [typeof (item['content_text'] ?? item['content_html']) === 'string', 'content_text or content_html'],
      [rfc3339.test(String(item['date_modified'])), 'date_modified in RFC 3339'],
      [URL.canParse(String(item['url'])), 'url'],
    ]),
  ]);
}
