import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { FetchedDocument, FetchRequest } from '../fetch/fetch-outcome.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import { resolveAddress } from '../parse/article-address.ts';
import { decodeDocument } from '../parse/decode-document.ts';
import { openPage } from '../parse/html-page.ts';
import { oneLine } from '../parse/html-text.ts';

export interface FoundFeed {
  readonly feedUrl: string;
  readonly title: string;
  readonly type: string;
}

const feedTypes =
  /^application\/(?:rss|atom|rdf|feed)\+(?:xml|json)|^application\/json|^(?:text|application)\/xml/iu;
const feedsMax = 50;

/** The feeds that a page names. */
export async function discoverFeeds(
  fetcher: Fetcher,
  url: string,
  options: Pick<FetchRequest, 'beforeRequest' | 'signal'>,
): Promise<Result<readonly FoundFeed[], string>> {
  const outcome = await fetcher.fetch({
    url,
    accept: 'text/html, application/xhtml+xml;q=0.9, */*;q=0.5',
    bytesMax: 4 * 1024 * 1024,
    deadlineMs: 30_000,
    ...options,
  });
  if (outcome.kind === 'failed') return refused(`${outcome.reason}: ${outcome.detail}`);
  if (outcome.kind !== 'document')
    return refused('status' in outcome ? `status ${outcome.status}` : outcome.kind);
  return accepted(feedsNamedBy(outcome));
}

export function feedsNamedBy({
  bytes,
  contentType,
  url,
}: Pick<FetchedDocument, 'bytes' | 'contentType' | 'url'>): readonly FoundFeed[] {
  const page = openPage(decodeDocument(bytes, contentType).text);
  const base = resolveAddress(page.querySelector('base[href]')?.getAttribute('href'), url) ?? url;
  const found = new Map<string, FoundFeed>();
  for (const link of page.querySelectorAll('link[rel~="alternate"][href]')) {
    const type = link.getAttribute('type')?.trim() ?? '';
    const feedUrl = feedTypes.test(type) ? resolveAddress(link.getAttribute('href'), base) : null;
    if (feedUrl === null || found.has(feedUrl) || found.size >= feedsMax) continue;
    found.set(feedUrl, { feedUrl, title: oneLine(link.getAttribute('title') ?? '').slice(0, 200), type });
  }
  return [...found.values()];
}
