import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
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
import { categoryLabel, feedWords } from './feed-words.ts';
import type { FeedFormat } from './feed-writer.ts';
import { writeFeed } from './feed-writer.ts';
import type { FeedEntry } from './feed.ts';

const entriesMax = 50;
const correctionsPath = '/corrections';

/** A list of items as a feed. */
export interface ItemFeed {
  /** What it lists, in the words of a language. */
  readonly name: (language: ReaderLanguage) => string;
  /** Of the feed, with its query. */
  readonly path: string;
  /** Of the page that shows the same. */
  readonly homePath: string;
  readonly query: ItemsQuery;
}

export function selectedFeed(path: string, { language }: LanguageQuery): ItemFeed {
  return {
    name: (of) => feedWords(of).selected,
    path: withParameters(path, { language }),
    homePath: '/',
    query: { ...latestSelected, language: language ?? null },
  };
}

export function categoryFeed(path: string, category: string, { language }: LanguageQuery): ItemFeed {
  return {
    name: (of) => feedWords(of).inCategory(categoryLabel(category, of)),
    path: withParameters(path, { language }),
    homePath: `/timeline?category=${category}`,
    query: { ...latestSelected, category, language: language ?? null },
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
  const words = given.map(([, value]) => value).join(', ');
  return {
    name: (of) => (words === '' ? feedWords(of).selected : words),
    path: withParameters(path, Object.fromEntries(given)),
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
export function searchFeed(path: string, { q: rawQ, language }: SearchFeedQuery): ItemFeed {
  const query = readItemsQuery({
    mode: 'all',
    window: '7d',
    by: 'timeline',
    q: rawQ,
    limit: entriesMax,
    ...(language === undefined ? {} : { language }),
  });
  const q = query.q ?? '';
  return {
    name: () => q,
    path: `${path}?q=${encodeURIComponent(q)}${language === undefined ? '' : `&language=${language}`}`,
    homePath: homeOf(query),
    query,
  };
}

export interface SearchFeedQuery extends LanguageQuery {
  readonly q: string;
}

/** The parameters that are given, in their order. */
function withParameters(path: string, given: Readonly<Record<string, string | undefined>>): string {
  const parameters = new URLSearchParams(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString();
  return parameters === '' ? path : `${path}?${parameters}`;
}

export function itemFeedResource(deps: ItemsDeps, feed: ItemFeed, format: FeedFormat): Resource {
  return {
    key: feed.path,
    cacheTags: [recordCacheTags.items],
    build: async () => {
      const items = await readItemList(deps, feed.query, entriesMax);
      const language = wordingOf(deps, feed.query);
      const pageUrl = (path: string): string => `${deps.baseUrl}${pageInLanguage(deps, path, language)}`;
      return writeFeed(
        {
          title: feedWords(language).titled(feed.name(language)),
          language,
          selfUrl: `${deps.baseUrl}${feed.path}`,
          homeUrl: pageUrl(feed.homePath),
          emptyAt: startOfDay(deps),
          entries: items.map((item) => itemEntry(item, pageUrl(publicPaths.itemPath(item.id)))),
        },
        format,
      );
    },
  };
}

/** An item as an entry of a feed, with the address of its page. */
export function itemEntry(item: items.ItemBody, url: string): FeedEntry {
  return {
    ...entryOf(item),
    url,
    category: item.category,
    updatedAt: item.revisedAt ?? item.discoveredAt,
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
    originalUrl: links.original,
    author: source.name,
    publishedAt,
  };
}

/** A story as a feed of its items; its pages are in the requested language. */
export function storyFeedForm(
  deps: Pick<ItemsDeps, 'baseUrl' | 'language'>,
  { language: requested = deps.language }: LanguageQuery,
  format: FeedFormat,
): StoryForm {
  const pageUrl = (path: string): string => `${deps.baseUrl}${pageInLanguage(deps, path, requested)}`;
  return {
    name: `story feed ${format}`,
    path: (publicId) => `/feeds/stories/${publicId}.${format}`,
    write: ({ publicId, title, language, reports }, path) =>
      writeFeed(
        {
          title: feedWords(requested).titled(title),
          language,
          selfUrl: `${deps.baseUrl}${path}`,
          homeUrl: pageUrl(publicPaths.storyPath(publicId)),
          entries: reports.map((report) => ({
            ...entryOf(report),
            url: pageUrl(publicPaths.itemPath(report.id)),
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
          title: feedWords(language).titled(feedWords(language).reports[kind]),
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
  { path: ownPath, language = deps.language }: LanguageQuery & { readonly path: string },
  format: FeedFormat,
): Resource {
  const path = withLanguage(deps, ownPath, language);
  return {
    key: path,
    cacheTags: [recordCacheTags.corrections],
    build: async () => {
      const words = feedWords(language);
      const home = `${deps.addresses.baseUrl}${pageInLanguage(deps, correctionsPath, language)}`;
      const { corrections } = await readCorrectionPage(deps, null, entriesMax);
      return writeFeed(
        {
          title: words.titled(words.corrections),
          language,
          selfUrl: `${deps.addresses.baseUrl}${path}`,
          homeUrl: home,
          emptyAt: startOfDay(deps),
          entries: corrections.map(({ id, at, action, subject, reason }) => ({
            title: words.corrected(subject.kind, action, subject.id),
            text: records.wordCorrectionReason(reason, language).reason,
            url: `${home}#${id}`,
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
