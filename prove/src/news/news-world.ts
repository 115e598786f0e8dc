import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import type { editions } from '../../../apps/server/src/record/index.ts';
import { hoursBefore, valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import type { RecordFactory } from './news-stage.ts';

export interface NewsWorld {
  readonly storyIds: readonly Id<'story'>[];
  readonly mergedIds: readonly Id<'story'>[];
  readonly periods: readonly { readonly kind: 'daily' | 'weekly' | 'monthly'; readonly period: string }[];
}

export const categories = ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'] as const;
const sourceNames = ['Harbour Wire', 'Model Gazette', '前沿观察', 'Kernel Notes', '算力周刊'];
const titles = [
  'Lumen opens its planning model',
  '海岸实验室发布新模型',
  'Prices of inference fall again',
  '100 % of "quoted" <b>tags</b> & \\backslashes_',
  'A benchmark is withdrawn',
];

/** Content of every kind, so that every address has content to show. */
export async function fillRecord(factory: RecordFactory, items: number): Promise<NewsWorld> {
  const ids: Id<'item'>[] = [];
  for (let index = 0; index < items; index += 1) {
    const publish = index % 2 === 0 ? factory.publishSelected : factory.publish;
    ids.push(
      await publish({
        title: `${titles[index % titles.length]} ${index}`,
        category: categories[index % categories.length] as string,
        sourceName: sourceNames[index % sourceNames.length] as string,
        language: index % titles.length === 1 ? 'zh' : 'en',
        hoursAgo: (index * 167) / items,
      }),
    );
  }
  const storyIds: Id<'story'>[] = [];
  for (let index = 0; index < 6; index += 1) {
    const itemIds = ids.slice(index * 5, index * 5 + 5);
    storyIds.push(valueOf(await factory.publisher.openStory({ title: `Story ${index}`, itemIds })).storyId);
  }
  const [first, second, ...standing] = storyIds as [Id<'story'>, Id<'story'>, ...Id<'story'>[]];
  valueOf(await factory.publisher.mergeStories({ absorbedId: first, survivorId: second }));
  await writeDigest(factory, second, ids.slice(5, 10));
  await publishRanking(factory, ids.slice(0, 20));
  const periods: NewsWorld['periods'] = [
    ...['2026-11-12', '2026-11-13', '2026-11-14'].map((period) => ({ kind: 'daily' as const, period })),
    ...['2026-W45', '2020-W53'].map((period) => ({ kind: 'weekly' as const, period })),
    ...['2026-09', '2026-10'].map((period) => ({ kind: 'monthly' as const, period })),
  ];
  for (const { kind, period } of periods) await issue(factory, kind, period, ids.slice(0, 8));
  return { storyIds: [second, ...standing], mergedIds: [first], periods };
}

async function writeDigest(
  factory: RecordFactory,
  storyId: Id<'story'>,
  itemIds: readonly Id<'item'>[],
): Promise<void> {
  const [one = '' as Id<'item'>, other = '' as Id<'item'>] = itemIds;
  const sentences = [
    { text: 'The model reads longer texts.', cites: [one, other] },
    { text: 'Its price was not told.', cites: [other] },
  ];
  valueOf(
    await factory.publisher.reviseStory({
      storyId,
      changes: {
        digest: {
          text: sentences.map(({ text }) => text).join(' '),
          sentences,
          contradictions: [{ statement: 'First it was 8, then 11.', earlier: [one], later: [other] }],
        },
      },
    }),
  );
}

/** Topics of two items each. */
export async function publishRanking(factory: RecordFactory, ids: readonly Id<'item'>[]): Promise<void> {
  const reportedAt = hoursBefore(systemClock.now(), 1);
  const candidates = [];
  for (let index = 0; index + 1 < ids.length; index += 2) {
    const pair = ids.slice(index, index + 2);
    const items = pair.map((itemId, at) => ({
      itemId,
      owner: `owner ${at}`,
      sourceName: sourceNames[at] as string,
      firstParty: at === 0,
      weight: 1 + index / 100,
      reportedAt,
    }));
    candidates.push({ itemId: pair[0] as Id<'item'>, items });
  }
  valueOf(await factory.publisher.publishRanking({ candidates }));
}

export async function issue(
  factory: RecordFactory,
  kind: 'daily' | 'weekly' | 'monthly',
  period: string,
  ids: readonly Id<'item'>[],
  inChinese: Pick<editions.EditionContents, 'versions' | 'reports'> = {},
): Promise<void> {
  const contents = {
    ...inChinese,
    headline: `What ${period} brought`,
    overview: 'Models, prices and one correction.',
    headlineCites: [],
    overviewCites: [],
    sections: [{ key: 'models', label: 'Models', itemIds: ids.slice(0, Math.ceil(ids.length / 2)) }],
    flashes: ids.slice(Math.ceil(ids.length / 2)),
  };
  valueOf(await factory.publisher.issueEdition({ kind, period, contents }));
}
