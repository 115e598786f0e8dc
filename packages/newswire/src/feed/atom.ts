import { isoDate } from './feed-date.ts';
import type { FeedDocument, FeedEntry } from './feed-document.ts';
import { declaration, element, htmlElement, textElement } from './xml.ts';

const videoNamespaces = {
  'xmlns:yt': 'http://www.youtube.com/xml/schemas/2015',
  'xmlns:media': 'http://search.yahoo.com/mrss/',
};

export function writeAtom(feed: FeedDocument): string {
  const { entries } = feed;
  const attributes = {
    xmlns: 'http://www.w3.org/2005/Atom',
    'xml:lang': feed.language,
    ...(entries.some(({ video }) => video !== undefined) ? videoNamespaces : {}),
  };
  const document = element(
    'feed',
    attributes,
    textElement('id', feed.home),
    textElement('title', feed.title),
    textElement('subtitle', feed.description),
    element('link', { rel: 'alternate', type: 'text/html', href: feed.home }),
    element('link', { rel: 'self', type: 'application/atom+xml', href: feed.self }),
    feed.hub === null ? '' : element('link', { rel: 'hub', href: feed.hub }),
    textElement('updated', isoDate(feed.updated, feed)),
    element('author', {}, textElement('name', feed.author)),
    ...entries.map((entry) => `\n${writeEntry(feed, entry)}`),
  );
  return `${declaration(feed.encoding)}${document}\n`;
}

function writeEntry(feed: FeedDocument, entry: FeedEntry): string {
  const updated = entry.updated ?? entry.published;
  return element(
    'entry',
    {},
    textElement('id', entry.guid),
    ...videoIds(entry),
    textElement('title', entry.title),
    element('link', { rel: 'alternate', type: 'text/html', href: entry.link }),
    entry.comments === undefined ? '' : element('link', { rel: 'replies', href: entry.comments }),
    entry.author === null ? '' : element('author', {}, textElement('name', entry.author)),
    ...entry.categories.map((term) => element('category', { term })),
    entry.published === null ? '' : textElement('published', isoDate(entry.published, feed)),
    updated === null ? '' : textElement('updated', isoDate(updated, feed)),
    ...texts(feed, entry),
    mediaGroup(entry),
  );
}

/** A video's description is only in its media group. */
function texts(feed: FeedDocument, { video, contentHtml, summaryHtml }: FeedEntry): string[] {
  if (video !== undefined) return [];
  const summary = htmlElement('summary', summaryHtml, feed.markup, { type: 'html' });
  return contentHtml === null
    ? [summary]
    : [summary, htmlElement('content', contentHtml, feed.markup, { type: 'html' })];
}

function videoIds({ video }: FeedEntry): string[] {
  if (video === undefined) return [];
  return [textElement('yt:videoId', video.id), textElement('yt:channelId', video.channel)];
}

function mediaGroup({ video, title, link, summaryHtml }: FeedEntry): string {
  if (video === undefined) return '';
  return element(
    'media:group',
    {},
    textElement('media:title', title),
    element('media:content', { url: link, type: 'text/html', width: 640, height: 390 }),
    element('media:thumbnail', { url: video.thumbnail, width: 480, height: 360 }),
    textElement('media:description', summaryHtml),
    element('media:community', {}, element('media:statistics', { views: video.views })),
  );
}
