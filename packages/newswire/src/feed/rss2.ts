import { mailDate } from './feed-date.ts';
import type { FeedDocument, FeedEntry } from './feed-document.ts';
import { declaration, element, htmlElement, textElement } from './xml.ts';

const namespaces = {
  'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  'xmlns:atom': 'http://www.w3.org/2005/Atom',
  'xmlns:sy': 'http://purl.org/rss/1.0/modules/syndication/',
};
const podcastNamespace = { 'xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd' };
const preprintNamespace = { 'xmlns:arxiv': 'http://arxiv.org/schemas/atom' };

export function writeRss2(feed: FeedDocument): string {
  const { entries } = feed;
  const attributes = {
    version: '2.0',
    ...namespaces,
    ...(entries.some(({ audio }) => audio !== undefined) ? podcastNamespace : {}),
    ...(entries.some(({ announceType }) => announceType !== undefined) ? preprintNamespace : {}),
  };
  const channel = element(
    'channel',
    {},
    textElement('title', feed.title),
    textElement('link', feed.home),
    textElement('description', feed.description),
    textElement('language', feed.language),
    element('atom:link', { href: feed.self, rel: 'self', type: 'application/rss+xml' }),
    feed.hub === null ? '' : element('atom:link', { href: feed.hub, rel: 'hub' }),
    textElement('lastBuildDate', mailDate(feed.updated, feed)),
    textElement('ttl', feed.ttlMinutes === null ? null : String(feed.ttlMinutes)),
    ...updatePeriod(feed),
    ...entries.map((entry) => `\n${writeItem(feed, entry)}`),
  );
  return `${declaration(feed.encoding)}${element('rss', attributes, channel)}\n`;
}

/** A few systems state how often they publish in the syndication module's words too. */
function updatePeriod({ ttlMinutes }: FeedDocument): string[] {
  if (ttlMinutes !== 60) return [];
  return [textElement('sy:updatePeriod', 'hourly'), textElement('sy:updateFrequency', '1')];
}

function writeItem(feed: FeedDocument, entry: FeedEntry): string {
  const { audio, source } = entry;
  return element(
    'item',
    {},
    textElement('title', entry.title),
    textElement('link', entry.link),
    entry.guid === null ? '' : textElement('guid', entry.guid, { isPermaLink: entry.guidIsAddress }),
    entry.published === null ? '' : textElement('pubDate', mailDate(entry.published, feed)),
    textElement('dc:creator', entry.author),
    ...entry.categories.map((category) => textElement('category', category)),
    textElement('comments', entry.comments ?? null),
    source === undefined ? '' : textElement('source', source.name, { url: source.home }),
    textElement('arxiv:announce_type', entry.announceType ?? null),
    htmlElement('description', entry.summaryHtml, feed.markup),
    entry.contentHtml === null ? '' : htmlElement('content:encoded', entry.contentHtml, 'cdata'),
    audio === undefined
      ? ''
      : element('enclosure', { url: audio.address, length: audio.bytes, type: 'audio/mpeg' }) +
          textElement('itunes:duration', String(audio.seconds)) +
          textElement('itunes:explicit', 'false'),
  );
}
