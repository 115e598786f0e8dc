import { gzipSync } from 'node:zlib';

import type { Outlet } from '../dispatch.ts';
import { spoilDocument, spoilText } from '../fault/document-faults.ts';
import type { DocumentFault } from '../fault/fault.ts';
import { writeAtom } from '../feed/atom.ts';
import { FeedBuilder } from '../feed/build-feed.ts';
import type { FeedDocument } from '../feed/feed-document.ts';
import { FeedIndex } from '../feed/feed-index.ts';
import { writeJsonFeed } from '../feed/json-feed.ts';
import { writeRss1 } from '../feed/rss1.ts';
import { writeRss2 } from '../feed/rss2.ts';
import type { Micros } from '../instant.ts';
import { isoMicros } from '../instant.ts';
import type { Teaser } from '../page/article-page.ts';
import { articlePage } from '../page/article-page.ts';
import { frontPage, noticePage } from '../page/front-page.ts';
import type { DispatchCode } from '../plan/dispatch-code.ts';
import type { Planned, Planner } from '../plan/planner.ts';
import type { FeedFormat } from '../site/outlet-traits.ts';
import { feedAddress, outletTraits } from '../site/outlet-traits.ts';
import type { DispatchWriter } from '../text/dispatch-writer.ts';
import type { Answer, RequestedValidators } from './answer.ts';
import { redirectAnswer, textAnswer, withValidators } from './answer.ts';
import { ByteCache } from './byte-cache.ts';
import type { Resource } from './host-table.ts';
import { hubUrl } from './hub.ts';
import { encodeText } from './text-encoder.ts';

const writers: Readonly<Record<FeedFormat, (feed: FeedDocument) => string>> = {
  rss2: writeRss2,
  rss1: writeRss1,
  atom: writeAtom,
  json: writeJsonFeed,
};

const mediaTypes: Readonly<Record<FeedFormat, string>> = {
  rss2: 'application/rss+xml',
  rss1: 'application/rdf+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
};

export interface SiteRequest extends RequestedValidators {
  readonly at: Micros;
  readonly acceptsGzip: boolean;
  /** How many times this address has been requested. */
  readonly nth: number;
}

const cacheBytes = 64 * 2 ** 20;
const teasersMax = 5;

/** The responses of publishers without faults. */
export class SiteAnswers {
  readonly #planner: Planner;
  readonly #writer: DispatchWriter;
  readonly #index: FeedIndex;
  readonly #builder: FeedBuilder;
  readonly #cache = new ByteCache(cacheBytes);
  readonly #cacheHints: boolean;
  readonly #hub: string | null;

  constructor(
    planner: Planner,
    writer: DispatchWriter,
    { cacheHints, namesHub }: { readonly cacheHints: boolean; readonly namesHub: boolean },
  ) {
    this.#planner = planner;
    this.#writer = writer;
    this.#index = new FeedIndex(planner);
    this.#builder = new FeedBuilder(planner, writer);
    this.#cacheHints = cacheHints;
    this.#hub = namesHub ? hubUrl : null;
  }

  answer(resource: Resource, request: SiteRequest, faults: readonly DocumentFault[]): Answer {
    const { outlet, type } = resource;
    const { seed } = this.#writer;
    if (type === 'feed')
      return faults.length > 0 ? this.#spoiltFeed(resource, request, faults) : this.#feed(resource, request);
    if ('code' in resource) return this.#ofDispatch(resource, resource.code, request);
    if (type === 'front')
      return this.#page(outlet, 200, frontPage(seed, outlet, this.#teasers(outlet, request.at, 20)));
    if (type === 'list') return this.#list(outlet, request.at);
    if (type === 'robots') return textAnswer(200, 'text/plain', 'User-agent: *\nDisallow: /admin/\n');
    return this.#page(outlet, 404, noticePage(seed, outlet, 'missing'));
  }

  #feed(resource: Extract<Resource, { type: 'feed' }>, request: SiteRequest): Answer {
    const { outlet, format, category } = resource;
    const { seed } = this.#writer;
    const standing = this.#index.at(outlet, request.at);
    const traits = outletTraits(seed, outlet);
    const zip = request.acceptsGzip && traits.compresses;
    const name = `${outlet.key} ${format} ${category ?? ''} ${standing.changed}`;
    const answer = (): Answer => {
      const plain = (): Buffer => {
        const built = this.#builder.build(resource, standing);
        const document = {
          ...built,
          hub: this.#hub,
          ...(!this.#cacheHints && { ttlMinutes: null }),
        };
        return encodeText(writers[format](document), format === 'json' ? 'utf-8' : document.encoding);
      };
      const body = zip
        ? this.#cache.get(`${name} gzip`, () => gzipSync(plain(), { level: 4 }))
        : this.#cache.get(name, plain);
      const type =
        format === 'json' ? mediaTypes[format] : `${mediaTypes[format]}; charset=${traits.encoding}`;
      const headers = {
        'content-type': type,
        vary: 'accept-encoding',
        // RSS 1.0 has no place for it in the document.
        ...(this.#hub !== null && format === 'rss1' && { link: this.#links(outlet, this.#hub) }),
      };
      return { status: 200, headers: zip ? { ...headers, 'content-encoding': 'gzip' } : headers, body };
    };
    return withoutHints(withValidators(seed, outlet, standing.changed, request, answer), this.#cacheHints);
  }

  #links(outlet: Outlet, hub: string): string {
    const self = feedAddress(this.#writer.seed, outlet, 'rss1');
    return `<${hub}>; rel="hub", <${self}>; rel="self"`;
  }

  /** Never the same twice, so it has no validators and is not cached. */
  #spoiltFeed(
    resource: Extract<Resource, { type: 'feed' }>,
    { at, nth }: SiteRequest,
    faults: readonly DocumentFault[],
  ): Answer {
    const { outlet, format } = resource;
    let document = this.#builder.build(resource, this.#index.at(outlet, at));
    for (const fault of faults) document = spoilDocument(document, fault, { now: at, nth });
    let text = writers[format](document);
    let actual = format === 'json' ? 'utf-8' : document.encoding;
    let declared: string | null = document.encoding;
    for (const fault of faults) {
      if (fault.kind === 'malformed') text = spoilText(text, fault.how);
      if (fault.kind === 'encoding') ({ actual, declared } = fault);
    }
    if (declared === null) text = text.replace(' encoding=""', '');
    const type = declared === null ? mediaTypes[format] : `${mediaTypes[format]}; charset=${declared}`;
    return textAnswer(200, type, encodeText(text, actual));
  }

  #ofDispatch({ type, outlet }: Resource, code: DispatchCode, { at }: SiteRequest): Answer {
    const { seed } = this.#writer;
    const missing = (): Answer => this.#page(outlet, 404, noticePage(seed, outlet, 'missing'));
    const planned = this.#planner.byCode(code);
    if (planned === undefined || planned.plan.appears > at) return missing();
    if (type === 'redirector') return redirectAnswer(302, this.#writer.address(planned));
    if (type === 'discussion') return this.#discussion(outlet, planned, at);
    if (planned.plan.outlet.host !== outlet.host) return missing();
    return this.#article(planned, at);
  }

  #article(planned: Planned, at: Micros): Answer {
    const { seed } = this.#writer;
    const article = this.#writer.article(planned, at);
    const { outlet } = article;
    if (article.withdrawn) return this.#page(outlet, 410, noticePage(seed, outlet, 'withdrawn'));
    const others = this.#teasers(outlet, at, teasersMax + 1).filter(
      ({ address }) => address !== article.address,
    );
    return this.#page(outlet, 200, articlePage(seed, article, others.slice(0, teasersMax)));
  }

  #discussion(outlet: Outlet, planned: Planned, at: Micros): Answer {
    const article = this.#writer.article(planned, at);
    const { title, address } = article;
    const teaser = { title, address, summary: '', publishedAt: null };
    return this.#page(outlet, 200, frontPage(this.#writer.seed, outlet, [teaser]));
  }

  #list(outlet: Outlet, at: Micros): Answer {
    const posts = this.#teasers(outlet, at, 20).map(({ title, address, summary, publishedAt }) => ({
      title,
      url: address,
      excerpt: summary,
      date: publishedAt,
    }));
    return textAnswer(200, 'application/json', JSON.stringify({ posts }, null, 1));
  }

  #teasers(outlet: Outlet, at: Micros, most: number): Teaser[] {
    const { entries } = this.#index.at(outlet, at);
    return entries.slice(0, most).flatMap(({ code }) => {
      const planned = this.#planner.byCode(code);
      if (planned === undefined) return [];
      const { title, address, summary } = this.#writer.article(planned, at);
      const { published } = planned.plan;
      return [{ title, address, summary, publishedAt: published === null ? null : isoMicros(published) }];
    });
  }

  #page(outlet: Outlet, status: number, html: string): Answer {
    const { encoding } = outletTraits(this.#writer.seed, outlet);
    return textAnswer(status, `text/html; charset=${encoding}`, encodeText(html, encoding));
  }
}

function withoutHints(answer: Answer, cacheHints: boolean): Answer {
  if (cacheHints) return answer;
  const { 'cache-control': _, ...headers } = answer.headers;
  return { ...answer, headers };
}
