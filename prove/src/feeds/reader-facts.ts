import { parseFeed as parseByFeedsmith } from 'feedsmith';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { ParsedEntry, StatedDate } from '../../../apps/server/src/ingest/parse/feed.ts';
import { parseFeed } from '../../../apps/server/src/ingest/parse/parse-feed.ts';
import type { DateFact, Facts, FeedFacts } from './agreement.ts';
import { shownText } from './agreement.ts';
import type { FeedFile } from './feed-documents.ts';

/** The result of the newsroom's own reader. */
export function ourFacts({ bytes, contentType, url }: FeedFile): FeedFacts | null {
  const parsed = parseFeed({ bytes, contentType, url, receivedAt: systemClock.now() });
  if (!parsed.ok) return null;
  const { title, homepage, id, published, updated, entries } = parsed.value;
  return {
    title,
    link: homepage,
    id,
    published: dateFact(published),
    updated: dateFact(updated),
    summary: null,
    content: null,
    entries: entries.map(entryFacts),
  };
}

/** Readers differ in what they call an entry's only text. */
function entryFacts({ title, link, guid, published, updated, summary, content }: ParsedEntry): Facts {
  return {
    title,
    link,
    id: guid,
    published: dateFact(published),
    updated: dateFact(updated),
    summary: summary === '' ? content : summary,
    content: content === '' ? summary : content,
  };
}

function dateFact({ raw, instant }: StatedDate): DateFact | null {
  return raw === null ? null : { raw, seconds: instant === null ? null : Number(instant) / 1_000_000 };
}

type Loose = Readonly<Record<string, unknown>>;

/** The library as it comes, for comparison; its texts are taken for what a browser would show of them. */
export function feedsmithFacts({ bytes }: FeedFile): FeedFacts | null {
  let feed: Loose;
  try {
    feed = parseByFeedsmith(new TextDecoder().decode(bytes)).feed;
  } catch {
    return null;
  }
  const entries = (feed['items'] ?? feed['entries'] ?? []) as readonly Loose[];
  return { ...looseFacts(feed), entries: entries.map(looseFacts) };
}

function looseFacts(loose: Loose): Facts {
  const links = (loose['links'] ?? []) as readonly Loose[];
  const alternate = links.find((link) => (link['rel'] ?? 'alternate') === 'alternate');
  const text = (name: string): string | null => plainValue(loose[name]);
  const shown = (value: string | null): string | null => (value === null ? null : shownText(value));
  const encoded = plainValue((loose['content'] as Loose | undefined)?.['encoded']);
  const content = shown(text('content') ?? encoded ?? text('content_html'));
  const summary = shown(text('description') ?? text('summary') ?? text('content_text'));
  return {
    title: shown(text('title')),
    link: text('link') ?? text('url') ?? text('home_page_url') ?? plainValue(alternate?.['href']),
    id: text('id') ?? text('guid'),
    published: rawDate(text('pubDate') ?? text('published') ?? text('date_published')),
    updated: rawDate(text('updated') ?? text('lastBuildDate') ?? text('date_modified')),
    summary: summary ?? content,
    content: content ?? summary,
  };
}

function plainValue(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const inner = typeof value === 'object' && value !== null ? (value as Loose)['value'] : null;
  return typeof inner === 'string' ? inner : null;
}

function rawDate(raw: string | null): DateFact | null {
  return raw === null ? null : { raw, seconds: Date.parse(raw) / 1000 };
}
