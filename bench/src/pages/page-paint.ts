import { brotliCompressSync } from 'node:zlib';

import type { SuiteContext } from '@daybook/evidence';
import { median } from '@daybook/evidence';

import type { launchBrowser } from '../../../apps/server/test/browser.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

/** What Chromium's developer tools call fast 4G. */
const network = { offline: false, latency: 165, downloadThroughput: 1_125_000, uploadThroughput: 187_500 };

interface Paint {
  readonly largestMs: number;
  readonly shift: number;
}

const observe = `
  globalThis.paint = { largestMs: 0, shift: 0 };
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) paint.largestMs = entry.startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) paint.shift += entry.value; })
    .observe({ type: 'layout-shift', buffered: true });`;

/** First visits on a phone over 4G, and the sizes of the pages. */
export async function measurePaint(
  context: SuiteContext,
  browser: Browser,
  address: string,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    const paints: Paint[] = [];
    for (let round = 0; round < (context.quick ? 3 : 9); round += 1)
      paints.push(await visit(browser, address + path));
    context.figure({
      name: `${path}: largest part painted on a first visit over 4G, median`,
      value: median(paints.map(({ largestMs }) => largestMs)),
      unit: 'ms',
      goal: { atMost: 1_000 },
    });
    context.figure({
      name: `${path}: cumulative layout shift, largest`,
      value: Math.max(...paints.map(({ shift }) => shift)),
      unit: 'shift',
      goal: { atMost: 0 },
    });
    const body = Buffer.from(await (await fetch(address + path)).arrayBuffer());
    const files = [...body.toString().matchAll(/(?:src|href)="(\/assets\/[^"]+\.(css|js))"/g)];
    const weights = await Promise.all(
      files.map(async ([, file, kind]) => ({ kind, bytes: await weight(address + file) })),
    );
    const scripts = weights.filter(({ kind }) => kind === 'js').reduce((sum, { bytes }) => sum + bytes, 0);
    const whole = weights.reduce((sum, { bytes }) => sum + bytes, brotliCompressSync(body).length);
    context.figure({
      name: `${path}: page, styles and scripts, compressed`,
      value: whole / 1_000,
      unit: 'KB',
      goal: { atMost: 100 },
    });
    context.figure({
      name: `${path}: scripts, compressed`,
      value: scripts / 1_000,
      unit: 'KB',
      goal: { atMost: 15 },
    });
  }
}

async function visit(browser: Browser, url: string): Promise<Paint> {
  const visitor = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const page = await visitor.newPage();
    const session = await visitor.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', network);
    await page.addInitScript(observe);
    await page.goto(url, { waitUntil: 'networkidle' });
    return await page.evaluate<Paint>('globalThis.paint');
  } finally {
    await visitor.close();
  }
}

async function weight(url: string): Promise<number> {
  return brotliCompressSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length;
}
