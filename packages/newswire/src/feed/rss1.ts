import { isoDate } from './feed-date.ts';
import type { FeedDocument, FeedEntry } from './feed-document.ts';
import { declaration, element, htmlElement, textElement } from './xml.ts';

const namespaces = {
  'xmlns:rdf': 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  xmlns: 'http://purl.org/rss/1.0/',
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
};

export function writeRss1(feed: FeedDocument): string {
  const list = feed.entries.map(({ link }) => element('rdf:li', { 'rdf:resource': link }));
  const channel = element(
    'channel',
    { 'rdf:about': feed.home },
    textElement('title', feed.title),
    textElement('link', feed.home),
    textElement('description', feed.description),
    textElement('dc:language', feed.language),
    textElement('dc:date', isoDate(feed.updated, feed)),
    element('items', {}, element('rdf:Seq', {}, ...list, '')),
  );
  const items = feed.entries.map((entry) => `\n${writeItem(feed, entry)}`);
  return `${declaration(feed.encoding)}${element('rdf:RDF', namespaces, channel, ...items)}\n`;
}

function writeItem(feed: FeedDocument, entry: FeedEntry): string {
  return element(
    'item',
    entry.guid === null ? {} : { 'rdf:about': entry.guid },
    textElement('title', entry.title),
    textElement('link', entry.link),
    htmlElement('description', entry.summaryHtml, feed.markup),
    entry.contentHtml === null ? '' : htmlElement('content:encoded', entry.contentHtml, 'cdata'),
    textElement('dc:creator', entry.author),
    ...entry.categories.map((category) => textElement('dc:subject', category)),
    entry.published === null ? '' : textElement('dc:date', isoDate(entry.published, feed)),
  );
}
