import { setTimeout as delay } from 'node:timers/promises';

import { createWorld } from '@daybook/newswire';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { queryOnce } from '../http/api-child.ts';
import { startScriptedOutlets } from '../newsroom/scripted-outlets.ts';

/** Publishers on loopback that publish until they are told to finish. */
export interface Newswire {
  readonly port: number;
  readonly urls: readonly string[];
  readonly opml: () => string;
  /** Publishes, and makes every source due at short intervals, which no publisher's own pace would. */
  readonly publishTo: (superuserUrl: string) => {
    /** Addresses that were not published exactly once within two minutes, except those that need not be. */
    readonly finish: (excused?: ReadonlySet<string>) => Promise<readonly string[]>;
    readonly stop: () => void;
  };
  readonly refuse: () => Promise<() => Promise<void>>;
  readonly close: () => Promise<void>;
}

const outletCount = 6;
const dueEveryMs = 3_000;
const publishedWithinMs = 120_000;

/** Publishes and is polled at the time of this clock. */
export async function startNewswire({
  nowMs = systemClock.nowMs,
  publishEveryMs = 1_000,
} = {}): Promise<Newswire> {
  const outlets = await startScriptedOutlets(outletCount);
  const world = createWorld({ seed: 47, startsAt: 0, itemsPerDay: 1_000 });
  const dispatches = world.dispatches()[Symbol.iterator]();
  const publish = (): void => {
    const { value, done } = dispatches.next();
    if (done === true) throw new Error('the world has no more dispatches');
    const wording = { title: value.title, text: value.body() };
    outlets.publish(outlets.articles.length % outletCount, wording, new Date(nowMs()));
  };
  return {
    port: outlets.port,
    get urls() {
      return outlets.articles.map(({ url }) => url);
    },
    opml: () => {
      const lines = Array.from(
        { length: outletCount },
        (_, outlet) =>
          `<outline type="rss" text="Outlet ${outlet}" xmlUrl="http://outlet-${outlet}.example/feed"/>`,
      );
      return `<opml version="2.0"><body>${lines.join('')}</body></opml>`;
    },
    publishTo: (superuserUrl) => {
      const publishing = setInterval(publish, publishEveryMs);
      const makeDue = (): void => void queryOnce(superuserUrl, dueQuery(nowMs())).catch(() => []);
      const polling = setInterval(makeDue, dueEveryMs);
      const stop = (): void => {
        clearInterval(publishing);
        clearInterval(polling);
      };
      return {
        stop,
        finish: async (excused = new Set()) => {
          clearInterval(publishing);
          const deadline = performance.now() + publishedWithinMs;
          const urls = outlets.articles.map(({ url }) => url);
          for (;;) {
            const unpublished = await findUnpublished(superuserUrl, urls);
            const missing = unpublished.filter((url) => !excused.has(url));
            if (missing.length === 0 || performance.now() > deadline) {
              stop();
              return missing;
            }
            await delay(500);
          }
        },
      };
    },
    refuse: outlets.refuse,
    close: outlets.close,
  };
}

function dueQuery(nowMs: number): string {
  const now = `to_timestamp(${nowMs / 1_000})`;
  return `
    WITH due AS (UPDATE newsroom.source SET due_at = ${now} WHERE state = 'active' AND due_at > ${now} RETURNING domain)
    UPDATE newsroom.domain SET due_at = ${now} WHERE name IN (SELECT domain FROM due)`;
}

async function findUnpublished(superuserUrl: string, urls: readonly string[]): Promise<readonly string[]> {
  const list = urls.map((url) => `'${url}'`).join(', ');
  const rows = await queryOnce(
    superuserUrl,
    `SELECT original_url AS url, count(*)::int AS times FROM record.item WHERE original_url IN (${list})
     GROUP BY original_url`,
  );
  const times = new Map(rows.map(({ url, times: count }) => [String(url), Number(count)]));
  return urls.filter((url) => times.get(url) !== 1);
}
