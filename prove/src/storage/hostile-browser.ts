import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { launchBrowser } from '../../../apps/server/test/browser.ts';
import type { HostileFile } from './hostile-files.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

/** A foreign site on the same host, so that cookies are sent: it embeds the given resources, and counts. */
export interface HostileSite {
  readonly origin: string;
  /** The address that displayed or executed content reports to. */
  readonly beacon: string;
  readonly reports: () => readonly string[];
  readonly serve: (path: string, mediaType: string, body: Buffer | string) => void;
  readonly stop: () => Promise<void>;
}

export async function startHostileSite(): Promise<HostileSite> {
  const reports: string[] = [];
  const pages = new Map<string, { readonly mediaType: string; readonly body: Buffer | string }>();
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    if (url.startsWith('/ran')) reports.push(url);
    const page = pages.get(url);
    response.writeHead(page === undefined ? 204 : 200, { 'content-type': page?.mediaType ?? 'image/png' });
    response.end(page?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    beacon: `${origin}/ran`,
    reports: () => reports,
    serve: (path, mediaType, body) => void pages.set(path, { mediaType, body }),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface OpenedAddresses {
  /** By going there. */
  readonly visited: readonly string[];
  /** From a page of the hostile site, also as its script and its style. */
  readonly embedded: readonly string[];
  /** The same, but not as script or style: of another origin's bucket these would be its own page's affair. */
  readonly framed: readonly string[];
  /** Our own pages, which show names. */
  readonly pages: readonly string[];
}

const perPage = 8;

/** Opens all addresses; returns how many pages of ours were shown. */
export async function openAll(
  site: HostileSite,
  cookie: { readonly name: string; readonly value: string },
  addresses: OpenedAddresses,
): Promise<{ readonly shown: number; readonly downloads: number }> {
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ acceptDownloads: false });
    await context.addCookies([{ ...cookie, domain: '127.0.0.1', path: '/' }]);
    const page = await context.newPage();
    let downloads = 0;
    page.on('download', () => (downloads += 1));
    page.on('dialog', (dialog) => void dialog.dismiss());
    for (const address of addresses.visited) await visit(page, address);
    await embed(page, site, addresses.embedded, [...inFrames, ...asCode]);
    await embed(page, site, addresses.framed, inFrames);
    let shown = 0;
    for (const address of addresses.pages) {
      const answer = await page.goto(address);
      await page.mouse.move(200, 300);
      shown += answer?.status() === 200 ? 1 : 0;
    }
    return { shown, downloads };
  } finally {
    await browser.close();
  }
}

/** An attachment is saved instead, which ends the visit. */
async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address).catch((error: unknown) => {
    if (!/Download is starting|ERR_ABORTED/.test(String(error))) throw error;
  });
}

const inFrames = [
  (address: string) => `<iframe src="${address}"></iframe>`,
  (address: string) => `<object data="${address}"></object>`,
  (address: string) => `<embed src="${address}">`,
  (address: string) => `<img src="${address}"><video src="${address}"></video>`,
];
const asCode = [
  (address: string) => `<script src="${address}"></script>`,
  (address: string) => `<script type="module" src="${address}"></script>`,
  (address: string) => `<link rel="stylesheet" href="${address}">`,
];

async function embed(
  page: Page,
  site: HostileSite,
  addresses: readonly string[],
  ways: readonly ((address: string) => string)[],
): Promise<void> {
  for (let at = 0; at < addresses.length; at += perPage) {
    const escaped = addresses.slice(at, at + perPage).map((address) => address.replaceAll('&', '&amp;'));
    const body = escaped.flatMap((address) => ways.map((way) => way(address))).join('\n');
    const path = `/embed/${at}/${ways.length}`;
    site.serve(path, 'text/html', `<!doctype html><title>embeds</title>${body}`);
    await page.goto(`${site.origin}${path}`);
  }
}

/** Which of these run or are shown without protection: whether the reports are reliable. */
export async function runUnstopped(site: HostileSite, files: readonly HostileFile[]): Promise<number> {
  const before = site.reports().length;
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    for (const [index, { mediaType, bytes }] of files.entries()) {
      site.serve(`/unstopped/${index}`, mediaType, bytes);
      await visit(page, `${site.origin}/unstopped/${index}`);
    }
    await embed(
      page,
      site,
      files.map((_, index) => `${site.origin}/unstopped/${index}`),
      asCode,
    );
  } finally {
    await browser.close();
  }
  return site.reports().length - before;
}
