import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { items } from '../../record/index.ts';
import { corrections as records, editions, publicPaths, recordCacheTags } from '../../record/index.ts';
import { readCorrectionPage } from '../corrections/correction-page.ts';
import type { EditionDefinition } from '../editions/edition-kinds.ts';
import type { Edition } from '../editions/edition-presenter.ts';
import { composeEdition } from '../editions/edition-presenter.ts';
import type { EditionDeps } from '../editions/edition-representation.ts';
import { latestSelected, readItemList } from '../items/item-list.ts';
import type { ItemsQuery } from '../items/items-query.ts';
import { readItemsQuery } from '../items/items-query.ts';
import type { ItemsDeps } from '../items/items-representation.ts';
import { wordingOf } from '../items/items-representation.ts';
import type { RawItemsQuery } from '../items/items-schema.ts';
import { formatInstant } from '../json-body.ts';
import type { LanguageQuery } from '../reader-language-query.ts';
import { pageInLanguage, withLanguage } from '../reader-language-query.ts';
import type { StoryForm } from '../stories/story-representation.ts';
import type { Story } from '../stories/story-schema.ts';
import { editionHtml } from './edition-html.ts';
import type { FeedFormat } from './feed-writer.ts';
import { writeFeed } from './feed-writer.ts';
import type { FeedEntry } from './feed.ts';

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

/** The filters of /api/v1/items; a page has its own size and no cursor. */
export type RawFeedQuery = Omit<RawItemsQuery, 'limit' | 'cursor'>;

const defaults: Partial<RawFeedQuery> = { mode: 'selected', window: '7d', by: 'timeline' };

/** Any query of items, under one address for each meaning: in a fixed order, without defaults. */
export function queryFeed(path: string, raw: RawFeedQuery): ItemFeed {
  const query = readItemsQuery({ ...raw, limit: entriesMax });
  const { mode, category, source, language, window, by, q } = query;
  const given = Object.entries({ mode, category, source, language, window, by, q }).filter(
    (entry): entry is [keyof RawFeedQuery, string] =>
      entry[1] !== null && defaults[entry[0] as keyof RawFeedQuery] !== entry[1],
  );
  const parameters = new URLSearchParams(given).toString();
  const words = given.map(([, value]) => value).join(', ');
  return {
    title: words === '' ? 'Daybook: selected items' : `Daybook: ${words}`,
    path: parameters === '' ? path : `${path}?${parameters}`,
    homePath: homeOf(query),
    query,
  };
}

/** The page that is nearest to the query. */
function homeOf({ q, category }: ItemsQuery): string {
  if (q !== null) return `/search?q=${encodeURIComponent(q)}`;
  return category === null ? '/timeline' : `/timeline?category=${category}`;
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
          language: wordingOf(deps, feed.query),
          selfUrl: `${deps.baseUrl}${feed.path}`,
          homeUrl: `${deps.baseUrl}${feed.homePath}`,
          emptyAt: startOfDay(deps),
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

/** The update time of an empty feed: the same for a day, so that its tag stays the same. */
function startOfDay({ clock }: Pick<ItemsDeps, 'clock'>): string {
  return `${formatInstant(clock.now()).slice(0, 10)}T00:00:00.000Z`;
}

/** The common fields of a story's items and other items. */
function entryOf(item: Story['reports'][number] | items.ItemBody) {
  const { title, summary, links, source, publishedAt, language } = item;
  return {
    ...(language === null ? {} : { language }),
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
    write: ({ title, language, links, reports }, path) =>
      writeFeed(
        {
          title: `Daybook: ${title}`,
          language,
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

/** Newest editions with their whole content; older ones have their overview. */
const wholeEditionsMax = 10;

export function editionFeedResource(
  deps: EditionDeps & ItemsDeps,
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
      const newest = recorded.slice(0, wholeEditionsMax);
      const whole = await Promise.all(newest.map(({ period }) => deps.record.edition(kind, period)));
      const pageUrl = (page: string): string => `${baseUrl}${pageInLanguage(deps, page, language)}`;
      const entries = recorded.map((entry, index): FeedEntry => {
        const edition = editions.words.wordEntry(entry, language);
        const found = whole[index] ?? null;
        return {
          title: `${edition.period}: ${edition.headline}`,
          text: edition.overview,
          language: edition.language,
          url: pageUrl(publicPaths.editionPath(edition)),
          originalUrl: null,
          author: null,
          category: null,
          publishedAt: null,
          updatedAt: formatInstant(edition.generatedAt),
          ...(found === null ? {} : wholeEdition(composeEdition(found, language, deps))),
        };
      });
      return writeFeed(
        {
          title: `Daybook: ${kind} reports`,
          language,
          selfUrl: `${baseUrl}${path}`,
          homeUrl: pageUrl('/'),
          emptyAt: startOfDay(deps),
          entries,
        },
        format,
      );
    },
  };
}

/** The content, and the time of the last correction. */
function wholeEdition(edition: Edition): Pick<FeedEntry, 'html' | 'updatedAt'> {
  const { generatedAt, corrections } = edition;
  const updatedAt = corrections.reduce((latest, { at }) => (at > latest ? at : latest), generatedAt);
  return { html: editionHtml(edition), updatedAt };
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
          language: deps.language,
          selfUrl: `${baseUrl}${path}`,
          homeUrl: `${baseUrl}${correctionsPath}`,
          emptyAt: startOfDay(deps),
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
