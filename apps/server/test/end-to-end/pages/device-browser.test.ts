import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Id } from '../../../src/foundation/ids.ts';
import { launchBrowser, launchLastingBrowser, noBrowser } from '../../browser.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, valueOf } from '../../factories/record-factory.ts';
import type { NewsApp } from '../../news-app.ts';
import { startNewsApp } from '../../news-app.ts';

const clock = createTestClock('2026-11-15T12:00:00.000Z');

/** A line to the server that can be cut, or refuse requests for one path. */
async function openLine(port: number) {
  const sockets = new Set<Socket>();
  const refused = { path: '' };
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => client.destroy()).on('close', () => sockets.delete(socket));
    }
    client.on('data', (part) => {
      if (refused.path !== '' && String(part).startsWith(`GET ${refused.path} `)) client.destroy();
    });
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: at } = server.address() as AddressInfo;
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port: at, cut, refused, restore: () => once(server.listen(at, '127.0.0.1'), 'listening') };
}

describe.skipIf(noBrowser !== null)('what a reader marks on a device, in a real browser', () => {
  let database: TestDatabase;
  let factory: ReturnType<typeof createRecordFactory>;
  let app: NewsApp;
  let line: Awaited<ReturnType<typeof openLine>>;
  let folder: string;
  let context: BrowserContext;
  let origin: string;
  const items: Id<'item'>[] = [];
  const requests: string[] = [];
  const publish = (title: string, sourceName: string): Promise<Id<'item'>> =>
    factory.publishSelected({ title, sourceName, language: 'en' });

  beforeAll(async () => {
    database = await createTestDatabase();
    factory = createRecordFactory({ database: database.database, clock });
    app = await startNewsApp({ database, clock });
    line = await openLine(app.port);
    origin = `http://localhost:${line.port}`;
    items.push(await publish('A lab opens', 'Halden Wire'), await publish('A model ships', 'Brno Daily'));
    const contents = {
      headline: 'News of the day',
      overview: 'An overview.',
      headlineCites: [],
      overviewCites: [],
      sections: [{ key: 'all', label: 'All', itemIds: items }],
      flashes: [],
    };
    valueOf(await factory.publisher.issueEdition({ kind: 'daily', period: '2026-11-15', contents }));
    folder = await mkdtemp(join(tmpdir(), 'daybook-browser-'));
    await restart();
  }, 120_000);
  afterAll(async () => {
    await context?.close();
    await line?.cut();
    await app?.stop();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The browser ends and starts again, with what pages stored. */
  async function restart(): Promise<void> {
    await context?.close();
    context = await launchLastingBrowser(folder);
    context.on('request', (request) =>
      requests.push(`${request.method()} ${new URL(request.url()).pathname}${request.postData() ?? ''}`),
    );
  }
  async function visit(path: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${origin}${path}`);
    return page;
  }
  const itemPath = (at: number): string => `/items/${items[at]}`;
  const press = async (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();
  const shows = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).waitFor();

  test('read marks, saved items and hidden sources survive a restart of the browser', async () => {
    const page = await visit(itemPath(0));
    await press(page, 'Save on this device');
    await shows(page, 'Saved on this device');
    await page.goto(`${origin}${itemPath(1)}`);
    await press(page, 'Hide this source');
    await shows(page, 'Source is hidden');
    await restart();
    const timeline = await visit('/timeline');
    await timeline.getByText('Items of hidden sources that are not shown: 1.').waitFor();
    expect(await timeline.getByText('A model ships').isVisible()).toBe(false);
    await timeline.locator('.read', { hasText: 'A lab opens' }).waitFor();
    const device = await visit('/device');
    await device.getByRole('link', { name: 'A lab opens' }).waitFor();
    await device.getByText('Pages marked as read: 2.').waitFor();
    await press(device, 'Show again');
    await device.getByText('No hidden sources.').waitFor();
    await timeline.reload();
    await timeline.getByText('A model ships').waitFor();
  });

  test('the front page counts the items since the last visit', async () => {
    const page = await visit('/');
    expect(await page.locator('[data-since]').isVisible()).toBe(false);
    clock.advance({ minutes: 1 });
    await publish('A chip arrives', 'Halden Wire');
    await context.clock.setFixedTime(Date.now() + 40 * 60_000);
    const reloaded = async () => {
      await page.reload();
      return page.locator('[data-since]').textContent();
    };
    await expect.poll(reloaded, { timeout: 20_000 }).toBe('1 new item since your last visit');
    await page.reload();
    await page.getByText('1 new item since your last visit').waitFor();
  });

  test('the last editions are read offline, and an item that was withdrawn leaves the device', async () => {
    const page = await visit('/device');
    await press(page, 'Store for offline reading');
    await shows(page, 'Stop and delete the stored pages');
    await context.setOffline(true);
    await line.cut();
    await page.goto(`${origin}/daily/2026-11-15`);
    await page.getByText('A lab opens').first().waitFor();
    await page.goto(`${origin}/hot`);
    await page.getByRole('heading', { name: 'On this device' }).waitFor();

    // A page that cannot be read again stays, as long as nothing was withdrawn.
    line.refused.path = '/daily/2026-11-15';
    const storedAt = () => page.evaluate<string[]>('caches.keys()');
    const before = await storedAt();
    const stored = () =>
      page.evaluate<string>(
        `caches.match('/daily/2026-11-15').then((page) => page?.text() ?? 'deleted')
          .then((text) => text.includes('A lab opens') ? 'A lab opens' : text.slice(0, 20))`,
      );
    let minutes = 60;
    await line.restore();
    // An open page asks the worker to read again as soon as it is online; a page that is left asks no more.
    const reconnect = async () => {
      await context.setOffline(true);
      await context.setOffline(false);
    };
    await context.setOffline(false);
    await page.goto(`${origin}/device`);
    const refreshed = async () => {
      await reconnect();
      return (await storedAt()).toSorted().join() !== before.toSorted().join();
    };
    await expect.poll(refreshed, { timeout: 20_000 }).toBe(true);
    expect(await stored()).toBe('A lab opens');

    valueOf(await factory.publisher.withdrawItem({ itemId: items[0] as Id<'item'> }));
    const saved = async () => {
      await context.clock.setFixedTime(Date.now() + (minutes += 15) * 60_000);
      await page.goto(`${origin}/device`);
      await page.getByText('Pages marked as read: 1.').waitFor();
      return page.locator('[data-list=saved]').textContent();
    };
    await expect.poll(saved, { timeout: 20_000 }).toBe('');
    const storedAgain = async () => {
      await reconnect();
      return stored();
    };
    await expect.poll(storedAgain, { timeout: 20_000 }).toBe('deleted');
    line.refused.path = '';
    await press(page, 'Stop and delete the stored pages');
    await shows(page, 'Store for offline reading');
    expect(await page.evaluate('caches.keys()')).toEqual([]);
  });

  test('everything on the device is deleted at once', async () => {
    const page = await visit('/device');
    await press(page, 'Delete all data on this device');
    const read = page.getByText('Pages marked as read: 0.');
    await read.waitFor();
    expect(await read.isVisible()).toBe(true);
  });

  test('everything is deleted without HTTPS too, where a browser has neither workers nor caches', async () => {
    const browser = await launchBrowser({ host: 'daybook.test', port: line.port });
    try {
      const page = await browser.newPage();
      await page.goto(`http://daybook.test${itemPath(1)}`);
      await shows(page, 'Save on this device');
      await page.goto('http://daybook.test/device');
      await page.getByText('Pages marked as read: 1.').waitFor();
      await press(page, 'Delete all data on this device');
      const read = page.getByText('Pages marked as read: 0.');
      await read.waitFor();
      expect(await read.isVisible()).toBe(true);
    } finally {
      await browser.close();
    }
  });

  test('no request contains what was read, saved or hidden', () => {
    const allowed =
      /^GET \/(?:assets\/[\w.-]+|favicon\.svg|offline\.js|manifest\.webmanifest|device|timeline|hot|daily\/2026-11-15|items\/[\w-]+|api\/v1\/(?:corrections|items|dailies|weeklies|monthlies))?$/;
    expect(requests.filter((request) => !allowed.test(request))).toEqual([]);
    // The pages of items that were opened above.
    const opened = [0, 1].map((at) => `GET ${itemPath(at)}`);
    expect(requests.filter((request) => request.includes('/items/'))).toEqual(opened);
  });
});
