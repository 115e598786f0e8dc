import type { Suite, SuiteContext } from '@daybook/evidence';
import { quantile } from '@daybook/evidence';

import { retryConcurrentChanges } from '../../../apps/server/src/foundation/database/concurrent-change.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { isoMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { aliasTable, builtInAliases } from '../../../apps/server/src/newsroom/stories/matching/aliases.ts';
import { shippedStoryModel } from '../../../apps/server/src/newsroom/stories/matching/story-model.ts';
import type { StoryDeps } from '../../../apps/server/src/newsroom/stories/place-items.ts';
import { rollWindow } from '../../../apps/server/src/record/wiring.ts';
import { createTestClock } from '../../../apps/server/test/clock.ts';
import { publishAsItem } from '../../../apps/server/test/publish-item.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import { countBrokenPromises } from '../news/record-promises.ts';
import type { ReplayedItem } from '../stories/replayed-items.ts';
import { readReplay } from '../stories/replayed-items.ts';

const quickItems = 400;
const storiesPrinted = 30;

export const suite: Suite = {
  name: 'replay-34-days',
  nightly: true,
  summary:
    '34 days of real AI news pass through the parser and into stories without a lost or duplicated report.',
  promise:
    'Two publishers publish the items of `replay/ai-news-34-days.jsonl` (with `--quick` the last 400), as feeds through the parser, into reading groups and stories; both send every item. Every entry becomes one item, in one story or, if it is a roundup, in none, and `record verify` finds no fault.',
  dataSets: ['replay/ai-news-34-days.jsonl'],
  run: async (context) => {
    const replay = readReplay(context.data('replay/ai-news-34-days.jsonl'));
    const items = context.quick ? replay.items.slice(-quickItems) : replay.items;
    const clock = createTestClock(isoMicroseconds((items[0] as ReplayedItem).discoveredAt));
    const stage = await setNewsStage(context.root, { clock });
    try {
      context.figure({ name: 'rows of the file', value: replay.rows, unit: 'rows' });
      const lost = replay.rows - replay.items.length;
      context.figure({
        name: 'rows that the parser lost or duplicated',
        value: lost,
        unit: 'rows',
        goal: { exactly: 0 },
      });
      const deps = {
        clock,
        ids: stage.factory.ids,
        aliases: aliasTable(builtInAliases()),
        model: shippedStoryModel(),
      };
      const timesMs = await publishTwice(stage, deps, items, (item) =>
        clock.set(isoMicroseconds(item.discoveredAt)),
      );
      await countOutcome(context, stage, items, timesMs);
      // As the worker does every day.
      await rollWindow(stage.database, clock.now());
      await countBrokenPromises(context, stage.newsReader, clock.now());
      await printStories(context, stage);
    } finally {
      await stage.remove();
    }
  },
};

/** Two publishers submit each item at once; returns the milliseconds of those that published it. */
async function publishTwice(
  stage: NewsStage,
  deps: StoryDeps,
  items: readonly ReplayedItem[],
  arrive: (item: ReplayedItem) => void,
): Promise<readonly number[]> {
  const timesMs: number[] = [];
  for (const item of items) {
    arrive(item);
    await Promise.all(
      [1, 2].map(async () => {
        const startedAt = performance.now();
        if (await publishOnce(stage, deps, item)) timesMs.push(performance.now() - startedAt);
      }),
    );
  }
  return timesMs;
}

/** False where the other publisher came first. */
async function publishOnce(
  { database, factory }: NewsStage,
  deps: StoryDeps,
  { id, source, title, url, publishedAt, discoveredAt }: ReplayedItem,
): Promise<boolean> {
  const published = await retryConcurrentChanges(database, () =>
    database.transaction().execute((transaction) =>
      factory.publisher.within(transaction, (decisions) =>
        publishAsItem(deps, transaction, decisions, {
          id,
          source: factory.source(source),
          title,
          originalTitle: null,
          summary: '',
          category: 'industry',
          originalUrl: url,
          publishedAt,
          discoveredAt,
          score: null,
        }),
      ),
    ),
  );
  if (!published.ok && published.reason !== 'already_published') throw new Error(published.reason);
  return published.ok;
}

async function countOutcome(
  context: SuiteContext,
  { database }: NewsStage,
  items: readonly ReplayedItem[],
  timesMs: readonly number[],
): Promise<void> {
  const published = await database.selectFrom('record.item').select(['id', 'group_id', 'story_id']).execute();
  const known = new Set(published.map(({ id }) => id));
  const missing = new Set(items.map(({ id }) => id)).difference(known as Set<Id<'item'>>).size;
  const stories = Map.groupBy(
    published.filter(({ story_id }) => story_id !== null),
    ({ story_id }) => story_id,
  );
  const sizes = Array.from(stories.values(), (members) => members.length);
  const figure = (name: string, value: number, unit: string): void => context.figure({ name, value, unit });
  context.figure({ name: 'reports', value: items.length, unit: 'reports' });
  context.figure({ name: 'reports lost', value: missing, unit: 'reports', goal: { exactly: 0 } });
  const doubled = published.length - known.size + timesMs.length - items.length;
  context.figure({ name: 'reports published twice', value: doubled, unit: 'reports', goal: { exactly: 0 } });
  figure('reading groups', new Set(published.map(({ group_id }) => group_id)).size, 'groups');
  figure('stories', stories.size, 'stories');
  figure('stories of several reports', sizes.filter((size) => size > 1).length, 'stories');
  figure('reports in the largest story', Math.max(...sizes), 'reports');
  figure('roundups, in no story', published.filter(({ story_id }) => story_id === null).length, 'reports');
  figure('time to publish a report, median', quantile(timesMs, 0.5), 'ms');
  figure('time to publish a report, 95th percentile', quantile(timesMs, 0.95), 'ms');
}

/** For a person to read: the stories of the most items. */
async function printStories(context: SuiteContext, { database }: NewsStage): Promise<void> {
  const stories = await database
    .selectFrom('record.story')
    .select(['id', 'report_count'])
    .where('report_count', '>', 1)
    .orderBy('report_count', 'desc')
    .orderBy('id')
    .limit(context.quick ? 3 : storiesPrinted)
    .execute();
  for (const { id, report_count } of stories) {
    const titles = await database
      .selectFrom('record.item')
      .select('title')
      .where('story_id', '=', id)
      .orderBy('discovered_at')
      .execute();
    context.note(`story of ${report_count} reports`);
    for (const { title } of titles) context.note(`  ${title}`);
  }
}
