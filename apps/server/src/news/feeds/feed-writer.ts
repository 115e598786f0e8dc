import { generateAtomFeed, generateRssFeed } from 'feedsmith';

import type { BuiltBody } from '../../foundation/cache/representation.ts';
import type { Feed, FeedEntry } from './feed.ts';
import { updatedAtOf, writableText } from './feed.ts';

export type FeedFormat = 'atom' | 'rss' | 'json';

export const feedContentTypes: Readonly<Record<FeedFormat, string>> = {
  atom: 'application/atom+xml; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
};

const writers: Readonly<Record<FeedFormat, (feed: Feed) => string>> = {
  atom: writeAtom,
  rss: writeRss,
  json: writeJsonFeed,
};

export function writeFeed(feed: Feed, format: FeedFormat): BuiltBody {
  return { status: 200, contentType: feedContentTypes[format], body: writers[format](feed) };
}

function writeAtom(feed: Feed): string {
  return generateAtomFeed({
    ...xmlLanguage(feed),
    id: feed.selfUrl,
    title: text(feed.title),
    updated: updatedAtOf(feed),
    authors: [{ name: 'Daybook' }],
    links: [
      { href: feed.selfUrl, rel: 'self', type: 'application/atom+xml' },
      { href: feed.homeUrl, rel: 'alternate', type: 'text/html' },
    ],
    entries: feed.entries.map(atomEntry),
  });
}

function atomEntry(entry: FeedEntry) {
  const { author, category, originalUrl, publishedAt } = entry;
  return {
    ...xmlLanguage(entry),
    id: entry.url,
    title: text(entry.title),
    updated: entry.updatedAt,
    ...(publishedAt === null ? {} : { published: publishedAt }),
    ...(author === null ? {} : { authors: [{ name: writableText(author) }] }),
    ...(category === null ? {} : { categories: [{ term: writableText(category) }] }),
    links: [
      { href: entry.url, rel: 'alternate', type: 'text/html' },
      ...(originalUrl === null ? [] : [{ href: writableText(originalUrl), rel: 'via' }]),
    ],
    summary: text(entry.text),
    ...(entry.html === undefined ? {} : { content: { value: writableText(entry.html), type: 'html' } }),
  };
}

function xmlLanguage({ language }: { readonly language?: string }) {
  return language === undefined ? {} : { xml: { lang: language } };
}

function text(value: string): { value: string; type: string } {
  return { value: writableText(value), type: 'text' };
}

function writeRss(feed: Feed): string {
  return generateRssFeed({
    title: writableText(feed.title),
    link: feed.homeUrl,
    description: writableText(feed.title),
    ...(feed.language === undefined ? {} : { language: feed.language }),
    lastBuildDate: updatedAtOf(feed),
    atom: { links: [{ href: feed.selfUrl, rel: 'self', type: 'application/rss+xml' }] },
    items: feed.entries.map(rssItem),
  });
}

/** The author in dc:creator, because the author of RSS is an e-mail address; the update time in atom:updated. */
function rssItem(entry: FeedEntry) {
  const { author, category, publishedAt, updatedAt } = entry;
  return {
    ...xmlLanguage(entry),
    title: writableText(entry.title),
    link: entry.url,
    guid: { value: entry.url, isPermaLink: true },
    description: writableText(entry.text),
    pubDate: publishedAt ?? updatedAt,
    atom: { updated: updatedAt },
    ...(author === null ? {} : { dc: { creators: [writableText(author)] } }),
    ...(category === null ? {} : { categories: [{ name: writableText(category) }] }),
    ...(entry.html === undefined ? {} : { content: { encoded: writableText(entry.html) } }),
  };
}

function writeJsonFeed(feed: Feed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    ...(feed.language === undefined ? {} : { language: feed.language }),
    home_page_url: feed.homeUrl,
    feed_url: feed.selfUrl,
    items: feed.entries.map((entry) => ({
      id: entry.url,
      url: entry.url,
      title: entry.title,
      ...(entry.language === undefined ? {} : { language: entry.language }),
      ...(entry.html === undefined
        ? { content_text: entry.text }
        : { summary: entry.text, content_html: entry.html }),
      date_modified: entry.updatedAt,
      ...(entry.originalUrl === null ? {} : { external_url: entry.originalUrl }),
      ...(entry.publishedAt === null ? {} : { date_published: entry.publishedAt }),
      ...(entry.author === null ? {} : { authors: [{ name: entry.author }] }),
      ...(entry.category === null ? {} : { tags: [entry.category] }),
    })),
  });
}
