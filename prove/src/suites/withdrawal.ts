import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import { placeInArchive } from '../news/archived-item.ts';
import { requestOnce } from '../news/http-question.ts';
import type { Surface } from '../news/item-surfaces.ts';
import { placeEverywhere } from '../news/item-surfaces.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import { fillRecord } from '../news/news-world.ts';

const promisedMs = 1_000;
const attemptsMax = 40;
const attemptEveryMs = 150;

export const suite: Suite = {
  name: 'withdrawal',
  summary: 'A withdrawn item disappears from every surface of three api processes within a second.',
  headline: 'longest time until',
  promise:
    'An item is withdrawn. One second later no surface of three api processes shows it: items, search, hot topics, its story, the reports that cited it, the mirror, the documents for agents, the feeds, the pages in both languages, the texts of a language in which only it appeared, preview pictures, the archive with the file of its month and, if it was the only report of its story, the sitemap. This includes cached responses.',
  run: async (context) => {
    const stage = await setNewsStage(context.root);
    try {
      await proveWithdrawals(context, stage);
    } finally {
      await stage.remove();
    }
  },
};

async function proveWithdrawals(context: SuiteContext, stage: NewsStage): Promise<void> {
  await fillRecord(stage.factory, 60);
  const quiet = { DAYBOOK_RATE_PER_MINUTE: '1000000' };
  const ports = await Promise.all([1, 2, 3].map(() => stage.startApi(quiet)));
  const rounds = context.quick ? 1 : 20;
  const counts = { looked: 0, missing: 0, shown: 0, slowestMs: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const placed = await placeEverywhere(stage.factory, round, ports[0] as number);
    const archived = await placeInArchive(stage, round);
    const surfaces = [...placed.surfaces, ...placed.chineseSurfaces, ...archived.surfaces];
    const views = ports.flatMap((port) => surfaces.map((surface) => ({ port, ...surface })));
    const missing = await showing(views, false);
    for (const { port, path } of missing) context.note(`round ${round}: port ${port} never showed ${path}`);
    counts.missing += missing.length;
    for (const itemId of [...placed.itemIds, archived.itemId])
      valueOf(await stage.factory.publisher.withdrawItem({ itemId }));
    const goneAfterMs = await untilGone(views);
    const late = goneAfterMs <= promisedMs ? [] : await showing(views, true);
    for (const { port, path } of late) context.note(`round ${round}: port ${port} still shows ${path}`);
    counts.looked += views.length;
    counts.shown += goneAfterMs <= promisedMs ? 0 : Math.max(1, late.length);
    counts.slowestMs = Math.max(counts.slowestMs, goneAfterMs);
  }
  context.figure({ name: 'items withdrawn', value: rounds, unit: 'items' });
  context.figure({ name: 'surfaces watched, over three processes', value: counts.looked, unit: 'surfaces' });
  context.figure({
    name: 'surfaces that did not show the item before',
    value: counts.missing,
    unit: 'surfaces',
    goal: { exactly: 0 },
  });
  context.figure({
    name: 'surfaces that show it after one second',
    value: counts.shown,
    unit: 'surfaces',
    goal: { exactly: 0 },
  });
  context.figure({
    name: 'longest time until all three are clean, requests included',
    value: Math.round(counts.slowestMs),
    unit: 'ms',
  });
}

interface View extends Surface {
  readonly port: number;
}

/** Those that show the word, or those that do not; before the withdrawal each is requested until it is current. */
async function showing(views: readonly View[], shown: boolean): Promise<readonly View[]> {
  const found = await Promise.all(
    views.map(async (view) => {
      for (let attempt = 0; ; attempt += 1) {
        const holds = await isShown(view);
        if (holds || shown || attempt >= attemptsMax) return holds === shown;
        await delay(attemptEveryMs);
      }
    }),
  );
  return views.filter((_, index) => found[index]);
}

/** Requests each view until it is clean; returns the time from withdrawal to the start of the last one. */
async function untilGone(views: readonly View[]): Promise<number> {
  const withdrawnAt = performance.now();
  const looks = views.map(async (view) => {
    for (;;) {
      const lookedAt = performance.now() - withdrawnAt;
      if (!(await isShown(view))) return lookedAt;
      if (lookedAt > promisedMs) return lookedAt;
      await delay(20);
    }
  });
  return Math.max(...(await Promise.all(looks)));
}

async function isShown({ port, path, shows }: View): Promise<boolean> {
  return shows(await requestOnce(port, path));
}
