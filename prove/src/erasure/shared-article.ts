import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SharedArticle {
  title: string;
  text: string;
}

/** Three publishers on loopback: the second lists the article of the first, the third reports the same event. */
export interface SharingPublishers {
  readonly port: number;
  readonly feeds: readonly string[];
  /** By number; the newest is listed first. */
  readonly articles: SharedArticle[];
  readonly close: () => Promise<void>;
}

const hosts = ['first.example', 'list.example', 'third.example'] as const;

export async function startSharingPublishers(): Promise<SharingPublishers> {
  const articles: SharedArticle[] = [];
  const server = createServer((request, response) => {
    const { host } = request.headers;
    if (request.url !== '/feed') {
      response.writeHead(404).end();
      return;
    }
    const items = articles.map(({ title, text }, number) => {
      const isOther = host === hosts[2];
      const link = isOther ? `http://${hosts[2]}/${number}` : `http://${hosts[0]}/${number}`;
      const shown = isOther ? otherReport(number) : { title, text };
      return `<item><guid>${link}</guid><link>${link}</link><title>${shown.title}</title><description>${shown.text}</description></item>`;
    });
    const feed = `<rss version="2.0"><channel><title>${host}</title>${items.reverse().join('')}</channel></rss>`;
    response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feed);
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  return {
    port: (server.address() as AddressInfo).port,
    feeds: hosts.map((host) => `http://${host}/feed`),
    articles,
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

const makers = [
  'Halden',
  'Ostrava',
  'Vltava',
  'Brenner',
  'Lysefjord',
  'Corrib',
  'Tisza',
  'Arno',
  'Douro',
  'Elbe',
];

/** A report with a word that occurs in no other text. */
export function reportWith(word: string, number: number): SharedArticle {
  const maker = `${makers[number % makers.length]} Labs`;
  return {
    title: `${maker} releases the ${word} ${number} model for ${120 + number} million dollars`,
    text: `${maker} released the ${word} ${number} model on Monday. The ${word} ${number} model cost ${120 + number} million dollars and was trained on 4,000 chips. ${maker} says that ${word} reads two million words at once.`,
  };
}

/** Of the same event, without the word. */
function otherReport(number: number): SharedArticle {
  const maker = `${makers[number % makers.length]} Labs`;
  return {
    title: `${maker} releases a model for ${120 + number} million dollars`,
    text: `${maker} released a model on Monday that cost ${120 + number} million dollars and was trained on 4,000 chips.`,
  };
}
