import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { SourceSettings } from '../../../apps/server/src/ingest/sources/source.ts';
import { settingsFor } from '../../../apps/server/src/ingest/sources/source.ts';

export interface ScriptedArticle {
  readonly url: string;
  readonly outlet: number;
  title: string;
  text: string;
  readonly publishedAt: Date;
  edits: number;
  /** `vanished`: in no feed, while its page stays. `withdrawn`: in no feed, and its page answers 410. */
  state: 'listed' | 'vanished' | 'withdrawn';
}

/** Publishers on loopback whose articles a suite adds, changes and removes. */
export interface ScriptedOutlets {
  readonly port: number;
  readonly articles: readonly ScriptedArticle[];
  readonly sources: () => SourceSettings[];
  readonly publish: (outlet: number, wording: ArticleWording, publishedAt?: Date) => ScriptedArticle;
  /** Refuses connections from now on; the returned function accepts them again. */
  readonly refuse: () => Promise<() => Promise<void>>;
  readonly close: () => Promise<void>;
}

export interface ArticleWording {
  readonly title: string;
  readonly text: string;
}

export async function startScriptedOutlets(count: number): Promise<ScriptedOutlets> {
  const articles: ScriptedArticle[] = [];
  const answer = ({ headers, url = '' }: IncomingMessage, response: ServerResponse): void => {
    const host = String(headers.host);
    if (url === '/feed') {
      const listed = articles.filter((one) => hostOf(one.outlet) === host && one.state === 'listed');
      response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feedOf(host, listed));
      return;
    }
    const article = articles.find((one) => one.url === `http://${host}${url}`);
    const status = article === undefined ? 404 : article.state === 'withdrawn' ? 410 : 200;
    response.writeHead(status, { 'content-type': 'text/html' }).end(`<html><body>${status}</body></html>`);
  };
  const server = createServer(answer);
  const listen = async (port: number): Promise<void> => {
    const listening = Promise.withResolvers<void>();
    server.listen(port, '127.0.0.1', listening.resolve);
    await listening.promise;
  };
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = Promise.withResolvers<void>();
    server.close(() => closed.resolve());
    server.closeAllConnections();
    await closed.promise;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    articles,
    sources: () =>
      Array.from({ length: count }, (_, outlet) =>
        settingsFor(new URL(`http://${hostOf(outlet)}/feed`), {
          // Scripts contain real texts of any subject.
          allSubjects: true,
          name: `Outlet ${outlet}`,
          tier: ((outlet % 4) + 1) as 1 | 2 | 3 | 4,
          firstParty: outlet % 4 === 0,
        }),
      ),
    publish: (outlet, wording, publishedAt = new Date()) => {
      const url = `http://${hostOf(outlet)}/${articles.length}`;
      const article: ScriptedArticle = { url, outlet, ...wording, publishedAt, edits: 0, state: 'listed' };
      articles.push(article);
      return article;
    },
    refuse: async () => {
      await close();
      return () => listen(port);
    },
    close,
  };
}

function hostOf(outlet: number): string {
  return `outlet-${outlet}.example`;
}

/** The newest first, as feeds are. */
function feedOf(host: string, articles: readonly ScriptedArticle[]): string {
  const items = articles
    .toReversed()
    .map(
      ({ url, title, text, publishedAt }) =>
        `<item><guid>${url}</guid><link>${url}</link><title>${escaped(title)}</title><pubDate>${publishedAt.toUTCString()}</pubDate><description>${escaped(htmlOf(text))}</description></item>`,
    );
  return `<rss version="2.0"><channel><title>${host}</title>${items.join('')}</channel></rss>`;
}

function htmlOf(text: string): string {
  return text
    .split('\n')
    .map((paragraph) => `<p>${escaped(paragraph)}</p>`)
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
