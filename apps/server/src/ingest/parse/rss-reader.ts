import { resolveAddress } from './article-address.ts';
import { textConstruct } from './atom-text.ts';
import type { EntryDraft, FeedDraft, RichText } from './feed-draft.ts';
import type { Enclosure, StatedPace } from './feed.ts';
import { mediaImage, mediaText, personName, readEnclosures } from './media-elements.ts';
import type { XmlElement } from './xml-tree.ts';
import { childrenNamed, firstChild, hasElements, innerMarkup, innerText, lineOf } from './xml-tree.ts';

/** RSS 0.9x and 2.0, and RSS 1.0 (RDF), where entries are siblings of the channel. */
export function readRss(root: XmlElement): FeedDraft {
  const channel = root.name === 'rss:channel' ? root : (firstChild(root, 'rss:channel') ?? root);
  const homepage = channelLink(channel);
  return {
    title: firstText(channel, 'rss:title', 'dc:title', 'atom:title'),
    homepage,
    id: lineOf(channel, 'atom:id', 'rss:guid'),
    language: lineOf(channel, 'rss:language', 'dc:language') ?? channel.language,
    published: lineOf(
      channel,
      'rss:pubdate',
      'dc:date',
      'dcterms:issued',
      'dcterms:created',
      'atom:published',
    ),
    updated: lineOf(channel, 'rss:lastbuilddate', 'atom:updated', 'dcterms:modified'),
    pace: readPace(channel),
    hubs: atomLinks(channel, 'hub'),
    self: atomLinks(channel, 'self')[0] ?? null,
    newAddress: newAddress(root, channel),
    entries: itemsIn(root).map((item) => readItem(item, homepage)),
  };
}

function readItem(item: XmlElement, homepage: string | null): EntryDraft {
  const guid = firstChild(item, 'rss:guid', 'atom:id');
  const source = firstChild(item, 'rss:source', 'atom:source');
  const enclosures = readEnclosures(item);
  return {
    guid: guid === null ? (item.attributes['rdf:about']?.trim() ?? null) : innerLine(guid),
    link: itemLink(item, guid, homepage),
    title: firstText(item, 'rss:title', 'media:title', 'dc:title', 'atom:title'),
    summary:
      firstHtml(item, 'rss:description', 'rss:summary', 'dc:description', 'atom:summary', 'itunes:summary') ??
      mediaText(item),
    content: firstHtml(item, 'content:encoded', 'rss:fullitem', 'xhtml:body', 'rss:body', 'atom:content'),
    published: lineOf(item, 'rss:pubdate', 'dc:date', 'dcterms:issued', 'dcterms:created', 'atom:published'),
    updated: lineOf(item, 'atom:updated', 'dcterms:modified'),
    authors: authorsOf(item),
    categories: [...childrenNamed(item, 'rss:category'), ...childrenNamed(item, 'dc:subject')].map(innerText),
    language: lineOf(item, 'dc:language') ?? item.language,
    image: mediaImage(item) ?? imageEnclosure(enclosures),
    enclosures,
    comments: resolveAddress(lineOf(item, 'rss:comments'), item.base),
    origin: source === null ? null : originOf(source),
  };
}

/** Also entries nested in an unclosed entry. */
function itemsIn(element: XmlElement): readonly XmlElement[] {
  const found: XmlElement[] = [];
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (child.name === 'rss:item') found.push(child, ...itemsIn(child));
    else if (/^(?:rss:(?:channel|items|rss)|rdf:(?:rdf|seq|li))$/u.test(child.name))
      found.push(...itemsIn(child));
  }
  return found;
}

function channelLink(channel: XmlElement): string | null {
  for (const link of childrenNamed(channel, 'rss:link')) {
    const address = resolveAddress(innerText(link) || link.attributes['href'], link.base);
    if (address !== null) return address;
  }
  return atomLinks(channel, 'alternate')[0] ?? null;
}

/**
 * Relative addresses are resolved against `xml:base` or, without it, against the site rather than the feed, which is often
 * on another host.
 */
function itemLink(item: XmlElement, guid: XmlElement | null, homepage: string | null): string | null {
  const original = firstChild(item, 'feedburner:origlink', 'pheedo:origlink');
  if (original !== null) {
    const address = resolveAddress(innerText(original), original.base);
    if (address !== null) return address;
  }
  for (const link of childrenNamed(item, 'rss:link')) {
    const text = innerText(link).trim() || link.attributes['href'];
    const address = resolveAddress(text, homepage === null || hasOwnBase(item) ? link.base : homepage);
    if (address !== null) return address;
  }
  const alternate = atomLinks(item, 'alternate')[0];
  if (alternate !== undefined) return alternate;
  const about = resolveAddress(item.attributes['rdf:about'], item.base);
  if (about !== null) return about;
  if (guid === null || guid.attributes['ispermalink']?.trim().toLowerCase() === 'false') return null;
  const permalink = innerLine(guid);
  return /^https?:\/\//iu.test(permalink ?? '') ? resolveAddress(permalink, guid.base) : null;
}

function hasOwnBase(item: XmlElement): boolean {
  return item.attributes['xml:base'] !== undefined;
}

function atomLinks(element: XmlElement, rel: string): readonly string[] {
  return childrenNamed(element, 'atom:link')
    .filter((link) => (link.attributes['rel'] ?? 'alternate').toLowerCase() === rel)
    .flatMap((link) => resolveAddress(link.attributes['href'] ?? innerText(link), link.base) ?? []);
}

function authorsOf(item: XmlElement): readonly string[] {
  const names = ['dc:creator', 'rss:author', 'atom:author', 'itunes:author'];
  const found = names.map((name) => childrenNamed(item, name)).find((elements) => elements.length > 0) ?? [];
  return found.map(personName);
}

function originOf(source: XmlElement): EntryDraft['origin'] {
  const title = firstChild(source, 'atom:title');
  const link = firstChild(source, 'atom:link');
  return {
    name: innerText(title ?? source).trim(),
    url: resolveAddress(source.attributes['url'] ?? link?.attributes['href'], source.base),
  };
}

function imageEnclosure(enclosures: readonly Enclosure[]): string | null {
  return enclosures.find(({ type }) => type?.startsWith('image/') === true)?.url ?? null;
}

const periodSeconds: Readonly<Record<string, number>> = {
  hourly: 3_600,
  daily: 86_400,
  weekly: 604_800,
  monthly: 2_592_000,
  yearly: 31_536_000,
};
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function readPace(channel: XmlElement): StatedPace {
  const ttlMinutes = Number(lineOf(channel, 'rss:ttl') ?? Number.NaN);
  const period = periodSeconds[lineOf(channel, 'sy:updateperiod')?.toLowerCase() ?? ''];
  const frequency = Number(lineOf(channel, 'sy:updatefrequency') ?? 1);
  const within = (list: string, name: string): readonly string[] =>
    childrenNamed(channel, list).flatMap((element) =>
      childrenNamed(element, name).map((one) => innerText(one).trim()),
    );
  return {
    ttlSeconds: ttlMinutes > 0 && ttlMinutes < 525_600 ? Math.round(ttlMinutes * 60) : null,
    updatePeriodSeconds: period === undefined ? null : Math.round(period / (frequency >= 1 ? frequency : 1)),
    // The specification of RSS 0.91 writes midnight as 24.
    skipHours: within('rss:skiphours', 'rss:hour')
      .map((hour) => Number(hour) % 24)
      .filter(Number.isInteger),
    skipDays: within('rss:skipdays', 'rss:day')
      .map((day) => weekdays.indexOf(day.toLowerCase()) + 1)
      .filter((day) => day > 0),
  };
}

function newAddress(root: XmlElement, channel: XmlElement): string | null {
  const moved = firstChild(channel, 'itunes:new-feed-url');
  const redirect = root.name === 'rss:redirect' ? root : firstChild(root, 'rss:redirect');
  const element = moved ?? (redirect === null ? null : firstChild(redirect, 'rss:newlocation'));
  return element === null ? null : resolveAddress(innerText(element), element.base);
}

function innerLine(element: XmlElement): string | null {
  return innerText(element).slice(0, 4_000).replaceAll(/\s+/gu, ' ').trim() || null;
}

function firstText(element: XmlElement, ...names: readonly string[]): RichText | null {
  return firstRich(element, names, 'unknown');
}

function firstHtml(element: XmlElement, ...names: readonly string[]): RichText | null {
  return firstRich(element, names, 'html');
}

function firstRich(element: XmlElement, names: readonly string[], form: 'html' | 'unknown'): RichText | null {
  for (const name of names)
    for (const child of childrenNamed(element, name)) {
      const rich: RichText = name.startsWith('atom:')
        ? textConstruct(child)
        : hasElements(child)
          ? { text: innerMarkup(child), form: 'html' }
          : { text: innerText(child), form };
      if (rich.text.trim() !== '') return rich;
    }
  return null;
}
