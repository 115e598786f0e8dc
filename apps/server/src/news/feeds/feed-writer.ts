import { generateAtomFeed, generateJsonFeed } from 'feedsmith';

import type { BuiltBody } from '../../foundation/cache/representation.ts';
import type { Feed, FeedEntry } from './feed.ts';
import { updatedAtOf, writableText } from './feed.ts';

export type FeedFormat = 'atom' | 'json';

export const feedContentTypes: Readonly<Record<FeedFormat, string>> = {
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
};

export function writeFeed(feed: Feed, format: FeedFormat): BuiltBody {
  const body = format === 'atom' ? writeAtom(feed) : writeJsonFeed(feed);
  return { status: 200, contentType: feedContentTypes[format], body };
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
  };
}

function xmlLanguage({ language }: { readonly language?: string }) {
  return language === undefined ? {} : { xml: { lang: language } };
}

function text(value: string): { value: string; type: string } {
  return { value: writableText(value), type: 'text' };
}

function writeJsonFeed(feed: Feed): string {
  return JSON.stringify(
    generateJsonFeed({
      title: feed.title,
      ...(feed.language === undefined ? {} : { language: feed.language }),
      home_page_url: feed.homeUrl,
      feed_url: feed.selfUrl,
      items: feed.entries.map((entry) => ({
        id: entry.url,
        url: entry.url,
        title: entry.title,
        ...(entry.language === undefined ? {} : { language: entry.language }),
        content_text: entry.text,
        date_modified: entry.updatedAt,
        ...(entry.originalUrl === null ? {} : { external_url: entry.originalUrl }),
        ...(entry.publishedAt === null ? {} : { date_published: entry.publishedAt }),
        ...(entry.author === null ? {} : { authors: [{ name: entry.author }] }),
        ...(entry.category === null ? {} : { tags: [entry.category] }),
      })),
    }),
  );
}
