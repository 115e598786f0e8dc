import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { startCluster } from '@daybook/local-postgres';
import { createWorld } from '@daybook/newswire';

import { dayMs, hourMs, systemClock } from '../apps/server/src/foundation/clock.ts';
import { connectDatabase } from '../apps/server/src/foundation/database/database.ts';
import { createLogins } from '../apps/server/src/foundation/database/logins.ts';
import { addMs, instantToMs } from '../apps/server/src/foundation/instant.ts';
import { createLogger } from '../apps/server/src/foundation/logger.ts';
import { migrateDatabase } from '../apps/server/src/wiring/migrate-database.ts';
import type { launchBrowser } from '../apps/server/test/browser.ts';
import { fillWithHistory, playHistory } from '../apps/simulation/src/play-history.ts';
import { choosePort } from './development-ports.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

interface NewsSite {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** What a site can look like; by default more than a month of the simulated world. */
const states = {
  month: (applicationUrl: string) =>
    fillWithHistory(applicationUrl, { until: systemClock.now(), language: 'en' }),
  empty: () => Promise.resolve(),
  'first-hour': (applicationUrl: string) => fillFor(applicationUrl, 2 * hourMs, 40),
  quiet: (applicationUrl: string) => fillFor(applicationUrl, 3 * dayMs, 4),
  busy: (applicationUrl: string) => fillFor(applicationUrl, 2 * dayMs, 120),
};
type NewsState = keyof typeof states;
export const newsStates = Object.keys(states) as readonly NewsState[];

async function fillFor(applicationUrl: string, spanMs: number, itemsPerDay: number): Promise<void> {
  const until = systemClock.now();
  const startsAt = addMs(until, -spanMs);
  // The first poll of a source also brings what it published in the days before.
  const world = createWorld({
    seed: 7,
    startsAt: instantToMs(addMs(startsAt, -3 * dayMs)),
    days: 3 + Math.ceil(spanMs / dayMs) + 1,
    itemsPerDay,
  });
  const { database, close } = connectDatabase({
    url: applicationUrl,
    name: 'pictures',
    connectionsMax: 8,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 30_000,
  });
  try {
    await playHistory(database, { world, startsAt }, { until, language: 'en' });
  } finally {
    await close();
  }
}

async function openNewsSite(state: NewsState): Promise<NewsSite> {
  const cluster = await startCluster({ settings: { fsync: 'off' } });
  const urls = await createLogins({ superuserUrl: cluster.url(), database: 'daybook', password: 'pictures' });
  await migrateDatabase(urls.owner, createLogger('warn', 'migrate'));
  await states[state](urls.application);
  const port = await choosePort({ setting: 'PORT', preferred: 8180 }, {});
  const origin = `http://localhost:${port}`;
  const api = spawn(process.execPath, ['apps/server/src/bin/daybook.ts', 'api'], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: urls.application,
      DATABASE_READER_URL: urls.newsReader,
      PORT: String(port),
      DAYBOOK_BASE_URL: origin,
      DAYBOOK_DRAIN_NOTICE_MS: '0',
    },
  });
  while (
    !(await fetch(`${origin}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    ))
  )
    await delay(200);
  return {
    origin,
    stop: async () => {
      api.kill('SIGTERM');
      await once(api, 'exit');
      await cluster.remove();
    },
  };
}

interface Scene {
  readonly name: string;
  readonly path: string;
}

/** The pages to picture: fixed pages, and an existing item, story and edition. */
async function scenesOf(origin: string): Promise<readonly Scene[]> {
  const read = async <Body>(path: string): Promise<Body> =>
    (await fetch(origin + path)).json() as Promise<Body>;
  const { items } = await read<{ items: { id: string; links: { story?: string } }[] }>('/api/v1/hot-topics');
  const stories = items.flatMap(({ links }) =>
    links.story === undefined ? [] : [new URL(links.story).pathname],
  );
  const newest = await read<{ items: { id: string }[] }>('/api/v1/items?limit=1');
  const fixed = [
    'timeline',
    'hot',
    'daily',
    'weekly',
    'monthly',
    'sources',
    'about',
    'api',
    'docs',
    'terms',
    'problems',
  ];
  return [
    { name: 'front', path: '/' },
    ...fixed.map((name) => ({ name, path: `/${name}` })),
    { name: 'search', path: `/search?q=${encodeURIComponent('模型')}` },
    { name: 'archive', path: '/daily/archive' },
    { name: 'story', path: stories[0] ?? '/hot' },
    { name: 'item', path: `/items/${newest.items[0]?.id ?? ''}` },
    { name: 'not-found', path: '/nothing' },
  ];
}

/** Pages that differ from state to state. */
const changing: ReadonlySet<string> = new Set(['front', 'story', 'hot', 'daily', 'weekly', 'archive']);

/** The theme and language of a page in the documentation, and its visible part. */
const shown = [
  { name: 'front', width: 1440, height: 1150, colorScheme: 'light', language: 'en' },
  { name: 'front', width: 360, height: 1150, colorScheme: 'dark', language: 'zh' },
  { name: 'story', width: 1440, height: 1150, colorScheme: 'light', language: 'en' },
  { name: 'daily', width: 1440, height: 1150, colorScheme: 'dark', language: 'en' },
  { name: 'hot', width: 820, height: 1150, colorScheme: 'light', language: 'en' },
  { name: 'search', width: 360, height: 1150, colorScheme: 'light', language: 'zh' },
] as const;

const every = [360, 820, 1440].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    (['en', 'zh'] as const).map((language) => ({ width, colorScheme, language })),
  ),
);

interface Picture {
  readonly file: string;
  readonly path: string;
  readonly width: number;
  /** Without it the whole page. */
  readonly height?: number;
  readonly colorScheme: 'light' | 'dark';
}

/** Pictures of the reader pages; the files of those for the documentation. */
export async function takeNewsPictures(
  browser: Browser,
  folder: string,
  isEvery: boolean,
  state: NewsState = 'month',
): Promise<readonly string[]> {
  const site = await openNewsSite(state);
  try {
    const all = await scenesOf(site.origin);
    const scenes = state === 'month' ? all : all.filter(({ name }) => changing.has(name));
    const named = (language: 'en' | 'zh', path: string): string =>
      language === 'en' ? path : `/zh${path === '/' ? '' : path}`;
    const pictures: readonly Picture[] = isEvery
      ? scenes.flatMap(({ name, path }) =>
          every.map(({ width, colorScheme, language }) => ({
            file: `${folder}/${state === 'month' ? '' : `${state}-`}${name}-${width}-${colorScheme}-${language}.png`,
            path: named(language, path),
            width,
            colorScheme,
          })),
        )
      : shown.map(({ name, language, ...look }) => ({
          ...look,
          file: `${folder}/${name}-${look.width}-${look.colorScheme}-${language}.png`,
          path: named(language, scenes.find((scene) => scene.name === name)?.path ?? '/'),
        }));
    for (const picture of pictures) await takePicture(browser, site.origin, picture);
    return pictures.map(({ file }) => file);
  } finally {
    await site.stop();
  }
}

async function takePicture(
  browser: Browser,
  origin: string,
  { file, path, width, height, colorScheme }: Picture,
): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height: height ?? 900 }, colorScheme });
  await page.goto(origin + path, { waitUntil: 'networkidle' });
  await page.screenshot({ path: file, fullPage: height === undefined });
  await page.close();
}
