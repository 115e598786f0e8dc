import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { items } from '../../record/index.ts';
import { corrections as records, editions, publicPaths, recordCacheTags } from '../../record/index.ts';
import { readCorrectionPage } from '../corrections/correction-page.ts';
import type { EditionDefinition } from '../editions/edition-kinds.ts';
import type { EditionDeps } from '../editions/edition-representation.ts';
import { latestSelected, readItemList } from '../items/item-list.ts';
import type { ItemsQuery } from '../items/items-query.ts';
import { readItemsQuery } from '../items/items-query.ts';
import type { ItemsDeps } from '../items/items-representation.ts';
import { formatInstant } from '../json-body.ts';
import type { LanguageQuery } from '../reader-language-query.ts';
import { pageInLanguage, withLanguage } from '../reader-language-query.ts';
import type { StoryForm } from '../stories/story-representation.ts';
import type { Story } from '../stories/story-schema.ts';
import type { FeedFormat } from './feed-writer.ts';
import { writeFeed } from './feed-writer.ts';

const entriesMax = 50;
const correctionsPath = '/corrections';

/** A list of items as a feed. */
export interface ItemFeed {
  readonly title: string;
  /** Of the feed, with its query. */
  readonly path: string;
  /** Of the page that shows the same. */
  readonly homePath: string;
  readonly query: ItemsQuery;
}

export function selectedFeed(path: string): ItemFeed {
  return { title: 'Daybook: selected items', path, homePath: '/', query: latestSelected };
}

export function categoryFeed(path: string, category: string): ItemFeed {
  return {
    title: `Daybook: selected items, ${category}`,
    path,
    homePath: `/timeline?category=${category}`,
    query: { ...latestSelected, category },
  };
}

/** Every match, selected or not, as on the search page. */
export function searchFeed(path: string, rawQ: string): ItemFeed {
  const query = readItemsQuery({ mode: 'all', window: '7d', by: 'timeline', q: rawQ, limit: entriesMax });
  const parameters = `?q=${encodeURIComponent(query.q ?? '')}`;
  return {
    title: `Daybook: ${query.q}`,
    path: `${path}${parameters}`,
    homePath: `/search${parameters}`,
    query,
  };
}

export function itemFeedResource(deps: ItemsDeps, feed: ItemFeed, format: FeedFormat): Resource {
  return {
    key: feed.path,
    cacheTags: [recordCacheTags.items],
    build: async () => {
      const items = await readItemList(deps, feed.query, entriesMax);
      return writeFeed(
        {
          title: feed.title,
          selfUrl: `${deps.baseUrl}${feed.path}`,
          homeUrl: `${deps.baseUrl}${feed.homePath}`,
          entries: items.map((item) => ({
            ...entryOf(item),
            category: item.category,
            updatedAt: item.revisedAt ?? item.discoveredAt,
          })),
        },
        format,
      );
    },
  };
}

/** The common fields of a story's items and other items. */
function entryOf(item: Story['reports'][number] | items.ItemBody) {
  const { title, summary, links, source, publishedAt } = item;
  return {
    title,
    text: summary,
    url: links.item,
    originalUrl: links.original,
    author: source.name,
    publishedAt,
  };
}

/** A story as a feed of its items. */
export function storyFeedForm(baseUrl: string, format: FeedFormat): StoryForm {
  return {
    name: `story feed ${format}`,
    path: (publicId) => `/feeds/stories/${publicId}.${format}`,
    write: ({ title, links, reports }, path) =>
      writeFeed(
        {
          title: `Daybook: ${title}`,
          selfUrl: `${baseUrl}${path}`,
          homeUrl: links.story,
          entries: reports.map((report) => ({
            ...entryOf(report),
            category: null,
            updatedAt: report.discoveredAt,
          })),
        },
        format,
      ),
  };
}

export function editionFeedResource(
  deps: EditionDeps,
  { kind }: EditionDefinition,
  { path: ownPath, language = deps.language }: LanguageQuery & { readonly path: string },
  format: FeedFormat,
): Resource {
  const path = withLanguage(deps, ownPath, language);
  return {
    key: path,
    cacheTags: [recordCacheTags.editions],
    build: async () => {
      const { baseUrl } = deps.addresses;
      const recorded = await deps.record.editionEntries(kind, entriesMax);
      const pageUrl = (page: string): string => `${baseUrl}${pageInLanguage(deps, page, language)}`;
      return writeFeed(
        {
          title: `Daybook: ${kind} reports`,
          language,
          selfUrl: `${baseUrl}${path}`,
          homeUrl: pageUrl('/'),
          entries: recorded
            .map((entry) => editions.words.wordEntry(entry, language))
            .map((edition) => ({
              title: `${edition.period}: ${edition.headline}`,
              text: edition.overview,
              language: edition.language,
              url: pageUrl(publicPaths.editionPath(edition)),
              originalUrl: null,
              author: null,
              category: null,
              publishedAt: null,
              updatedAt: formatInstant(edition.generatedAt),
            })),
        },
        format,
      );
    },
  };
}

export function correctionsFeedResource(
  deps: EditionDeps & ItemsDeps,
  path: string,
  format: FeedFormat,
): Resource {
  return {
    key: path,
    cacheTags: [recordCacheTags.corrections],
    build: async () => {
      const { baseUrl } = deps.addresses;
      const { corrections } = await readCorrectionPage(deps, null, entriesMax);
      return writeFeed(
        {
          title: 'Daybook: corrections',
          selfUrl: `${baseUrl}${path}`,
          homeUrl: `${baseUrl}${correctionsPath}`,
          entries: corrections.map(({ id, at, action, subject, reason }) => ({
            title: `${subject.kind} ${action}: ${subject.id}`,
            text: records.wordCorrectionReason(reason, deps.language).reason,
            url: `${baseUrl}${correctionsPath}#${id}`,
            originalUrl: null,
            author: null,
            category: action,
            publishedAt: formatInstant(at),
            updatedAt: formatInstant(at),
          })),
        },
        format,
      );
    },
  };
}
