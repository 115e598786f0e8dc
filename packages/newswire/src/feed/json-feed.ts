import { isoDate } from './feed-date.ts';
import type { FeedDocument, FeedEntry } from './feed-document.ts';

export function writeJsonFeed(feed: FeedDocument): string {
  const document = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    description: feed.description,
    home_page_url: feed.home,
    feed_url: feed.self,
    language: feed.language,
    authors: [{ name: feed.author }],
    ...(feed.hub === null ? {} : { hubs: [{ type: 'WebSub', url: feed.hub }] }),
    items: feed.entries.map((entry) => writeItem(feed, entry)),
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

function writeItem(feed: FeedDocument, entry: FeedEntry): Record<string, unknown> {
  const { audio } = entry;
  return {
    ...(entry.guid === null ? {} : { id: entry.guid }),
    url: entry.link,
    title: entry.title,
    content_html: entry.contentHtml ?? entry.summaryHtml,
    ...(entry.contentHtml === null ? {} : { summary: plainText(entry.summaryHtml) }),
    ...(entry.published === null ? {} : { date_published: isoDate(entry.published, feed) }),
    ...(entry.updated === null ? {} : { date_modified: isoDate(entry.updated, feed) }),
    ...(entry.author === null ? {} : { authors: [{ name: entry.author }] }),
    ...(entry.categories.length === 0 ? {} : { tags: entry.categories }),
    ...(audio === undefined
      ? {}
      : {
          attachments: [
            {
              url: audio.address,
              mime_type: 'audio/mpeg',
              size_in_bytes: audio.bytes,
              duration_in_seconds: audio.seconds,
            },
          ],
        }),
  };
}

function plainText(html: string): string {
  return html.replaceAll(/<[^>]+>/g, '');
}
