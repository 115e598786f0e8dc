import { decodeDocument } from '../parse/decode-document.ts';
import type { CrawlPolicy } from './crawl-policy.ts';
import type { FetchedDocument, FetchOutcome, FetchRequest } from './fetch-outcome.ts';
import type { Fetcher } from './fetcher.ts';
import type { OptOut } from './opt-outs.ts';
import { headerOptOut, metaOptOut } from './opt-outs.ts';
import { productToken } from './user-agent.ts';

export type ArticleOutcome =
  | { readonly kind: 'page'; readonly html: string; readonly document: FetchedDocument }
  /** The publisher excludes machines. Nothing of the page is stored. */
  | { readonly kind: 'opted out'; readonly by: OptOut; readonly url: string }
  | { readonly kind: 'not a page'; readonly document: FetchedDocument }
  | Exclude<FetchOutcome, FetchedDocument>;

export interface ArticleDependencies {
  readonly fetcher: Fetcher;
  readonly crawlPolicy: CrawlPolicy;
}

const pageBytesMax = 4 * 1024 * 1024;
const pageDeadlineMs = 30_000;

/** Requests an article's page if the crawl policy allows it, for every host in a chain of redirects. */
export async function fetchArticle(
  { fetcher, crawlPolicy }: ArticleDependencies,
  url: string,
  options: Pick<FetchRequest, 'beforeRequest' | 'signal'> = {},
): Promise<ArticleOutcome> {
  let optedOut: OptOut | null = null;
  const outcome = await fetcher.fetch({
    url,
    accept: 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1',
    bytesMax: pageBytesMax,
    deadlineMs: pageDeadlineMs,
    ...(options.signal !== undefined && { signal: options.signal }),
    beforeRequest: async (next) => {
      const optOut = await crawlPolicy.optOutFor(next, options.beforeRequest);
      if (optOut === 'deferred') return 'defer';
      optedOut = optOut;
      if (optOut !== null) return 'stop';
      return (await options.beforeRequest?.(next)) ?? 'go';
    },
  });
  if (outcome.kind === 'stopped' && optedOut !== null)
    return { kind: 'opted out', by: optedOut, url: outcome.nextUrl };
  if (outcome.kind !== 'document') return outcome;
  const inHeaders = headerOptOut(outcome.headers, productToken);
  if (inHeaders !== null) return { kind: 'opted out', by: inHeaders, url: outcome.url };
  const { text: html } = decodeDocument(outcome.bytes, outcome.contentType);
  if (!isHtml(outcome.contentType, html)) return { kind: 'not a page', document: outcome };
  const inPage = metaOptOut(html, productToken);
  return inPage === null
    ? { kind: 'page', html, document: outcome }
    : { kind: 'opted out', by: inPage, url: outcome.url };
}

function isHtml(contentType: string | null, text: string): boolean {
  if (/html/iu.test(contentType ?? '')) return true;
  return contentType === null && /<(?:!doctype html|html|head|body)[\s>]/iu.test(text.slice(0, 2_048));
}
