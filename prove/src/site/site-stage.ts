import { valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import type { NewsWorld } from '../news/news-world.ts';
import { fillRecord } from '../news/news-world.ts';

export interface SiteStage extends NewsStage {
  readonly port: number;
  readonly world: NewsWorld;
  /** One of every kind of page, in the default language. */
  readonly pages: readonly string[];
}

const quiet = {
  DAYBOOK_RATE_PER_MINUTE: '1000000',
};

/** The site as an api process serves it, over a record with content of every kind. */
export async function setSiteStage(root: string): Promise<SiteStage> {
  const stage = await setNewsStage(root);
  try {
    const world = await fillRecord(stage.factory, 60);
    const [itemId] = await newestItems(stage);
    await correct(stage, world);
    const port = await stage.startApi(quiet);
    const fixed = [
      '/',
      '/timeline',
      '/search',
      '/hot',
      '/daily',
      '/weekly',
      '/monthly',
      '/sources',
      '/archive',
      '/corrections',
      '/about',
      '/api',
      '/terms',
      '/problems',
      '/problems/not-found',
      '/docs',
      '/docs/news',
      '/docs/guides/news-api',
      '/docs/guides/configuration',
    ];
    const [storyId] = world.storyIds;
    const pages = [
      ...fixed,
      '/timeline?mode=all&category=paper',
      '/search?q=model',
      '/search?q=nothing+of+this',
      '/daily/archive',
      '/weekly/archive',
      '/monthly/archive',
      `/items/${itemId}`,
      `/story/${storyId}`,
      ...world.periods.map(({ kind, period }) => `/${kind}/${period}`),
    ];
    return { ...stage, port, world, pages };
  } catch (error) {
    await stage.remove();
    throw error;
  }
}

async function correct({ factory: { publisher } }: NewsStage, world: NewsWorld): Promise<void> {
  const [edition] = world.periods;
  if (edition !== undefined)
    valueOf(await publisher.correctEdition({ ...edition, note: 'A name was spelled wrong.' }));
}

async function newestItems({ database }: NewsStage): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('record.item')
    .select('id')
    .orderBy('discovered_at', 'desc')
    .limit(1)
    .execute();
  return rows.map(({ id }) => id);
}

/** The same page in the other language. */
export function inChinese(path: string): string {
  return path === '/' ? '/zh' : `/zh${path}`;
}
