import { randomBytes } from 'node:crypto';
import { once } from 'node:events';

import { seededRandom } from '@daybook/evidence';
import { createWorld } from '@daybook/newswire';
import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { retryConcurrentChanges } from '../../../apps/server/src/foundation/database/concurrent-change.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import type { DB } from '../../../apps/server/src/foundation/database/generated/database-types.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { splitStory } from '../../../apps/server/src/newsroom/stories/editor-decisions.ts';
import { aliasTable, builtInAliases } from '../../../apps/server/src/newsroom/stories/matching/aliases.ts';
import { shippedStoryModel } from '../../../apps/server/src/newsroom/stories/matching/story-model.ts';
import type { Decisions } from '../../../apps/server/src/record/index.ts';
import { createRecordFactory } from '../../../apps/server/test/factories/record-factory.ts';
import { publishAsItem } from '../../../apps/server/test/publish-item.ts';
import { simulatedId } from '../../../apps/simulation/src/simulated-id.ts';
import type { PlantedItem } from '../stories/planted-events.ts';
import { plantedMark, plantedItems } from '../stories/planted-events.ts';
import type { StoryChange, StoryWorkerDemand } from '../stories/story-orders.ts';

// One of several newsrooms that publish, merge, split and withdraw until they are killed. What each change did is
// written in its own transaction.
const demand = JSON.parse(process.argv[2] ?? '') as StoryWorkerDemand;
const { database } = connectDatabase({
  url: demand.url,
  name: 'prove story worker',
  connectionsMax: 2,
  statementTimeoutMs: 60_000,
  connectTimeoutMs: 10_000,
});
const record = createRecordFactory({ database, clock: systemClock, randomBytes });
const stories = {
  clock: systemClock,
  ids: record.ids,
  aliases: aliasTable(builtInAliases()),
  model: shippedStoryModel(),
};
const random = seededRandom(demand.seed);
const worldStartsAt = Date.UTC(2026, 9, 1);

/** One transaction; the change is noted last, under every lock it took. */
async function change(
  work: (transaction: Transaction<DB>, decisions: Decisions) => Promise<(() => Promise<StoryChange>) | null>,
): Promise<void> {
  await retryConcurrentChanges(database, () =>
    database.transaction().execute(async (transaction) => {
      const done = await record.publisher.within(transaction, (decisions) => work(transaction, decisions));
      if (done === null) return;
      await sql`INSERT INTO public.story_change (change) VALUES (${JSON.stringify(await done())})`.execute(
        transaction,
      );
    }),
  );
}

interface WorkerItem extends Omit<PlantedItem, 'event' | 'dueMs'> {
  readonly event: number | null;
}

async function publish({ key, title, summary, url, source, event }: WorkerItem): Promise<void> {
  const itemId = simulatedId('item', key, worldStartsAt);
  await change(async (transaction, decisions) => {
    const item = { ...record.draft({ title, summary, originalUrl: url, sourceName: source }), id: itemId };
    const published = await publishAsItem(stories, transaction, decisions, {
      ...item,
      source: { ...item.source, id: simulatedId('source', source, worldStartsAt) },
    });
    if (!published.ok) return null;
    const { finalStoryId: storyId, kind } = published.value;
    return async () => {
      const { rows } = await sql<{ survivor: Id<'story'>; absorbed: Id<'story'> }>`
        SELECT story_id AS survivor, other_story_id AS absorbed FROM newsroom.story_decision
        WHERE item_id = ${itemId} AND kind = 'merge' ORDER BY id`.execute(transaction);
      const merges = rows.map(({ survivor, absorbed }) => [survivor, absorbed] as const);
      return { kind: 'publish', itemId, storyId, opened: kind === 'open', merges, event };
    };
  });
}

/** Existing stories, except those of planted events, with their items. */
async function someStories(
  count: number,
  itemsMin: number,
): Promise<readonly { id: Id<'story'>; items: Id<'item'>[] }[]> {
  const { rows } = await sql<{ id: Id<'story'>; items: Id<'item'>[] }>`
    SELECT story.id, array_agg(item.id ORDER BY item.id) AS items
    FROM record.story JOIN record.item ON item.story_id = story.id AND item.withdrawn_at IS NULL
    WHERE story.merged_into IS NULL AND story.title NOT LIKE ${`%${plantedMark}%`}
    GROUP BY story.id HAVING count(*) >= ${itemsMin} ORDER BY random() LIMIT ${count}`.execute(database);
  return rows;
}

async function merge(): Promise<void> {
  const [survivor, absorbed] = await someStories(2, 1);
  if (survivor === undefined || absorbed === undefined) return;
  const merged = { survivorId: survivor.id, absorbedId: absorbed.id };
  await change(async (_, decisions) => {
    const done = await decisions.mergeStories(merged);
    return done.ok ? async () => ({ kind: 'merge', ...merged }) : null;
  });
}

async function split(): Promise<void> {
  const [story] = await someStories(1, 2);
  if (story === undefined) return;
  const itemIds = story.items.slice(0, 1);
  await change(async (transaction, decisions) => {
    const request = { storyId: story.id, itemIds, title: 'A part of it' };
    const done = await splitStory(stories, transaction, decisions, request);
    return done.ok
      ? async () => ({ kind: 'split', storyId: story.id, newStoryId: done.value.storyId, itemIds })
      : null;
  });
}

async function withdraw(): Promise<void> {
  const [story] = await someStories(1, 1);
  const itemId = story?.items[0];
  if (itemId === undefined) return;
  await change(async (_, decisions) => {
    const done = await decisions.withdrawItem({ itemId });
    return done.ok ? async () => ({ kind: 'withdraw', itemId }) : null;
  });
}

const world = createWorld({ seed: 11, startsAt: worldStartsAt, days: 2, itemsPerDay: demand.items });
const reports = Array.from(world.dispatches(), ({ key, title, summary, url, outlet }): WorkerItem => ({
  key,
  title,
  summary,
  url,
  source: outlet.name,
  event: null,
})).filter((_, at) => at % demand.workers === demand.worker);
const planted = plantedItems(demand.worker);
const known = await database.selectFrom('record.item').select('id').execute();
const published = new Set(known.map(({ id }) => id));
const isNew = ({ key }: WorkerItem): boolean => !published.has(simulatedId('item', key, worldStartsAt));
const waiting = reports.filter(isNew);
const due = planted.filter(isNew);

process.send?.('ready');
const [beganAtMs] = (await once(process, 'message')) as [number];

for (let turn = 0; ; turn += 1) {
  const [event] = due;
  // Every second turn is for other work, so that a slow machine does more than catch up with planted events.
  if (turn % 2 === 0 && event !== undefined && Date.now() >= beganAtMs + event.dueMs) {
    due.shift();
    await publish(event);
    continue;
  }
  const dice = random();
  const next = waiting[0];
  if (dice < 0.5 && next !== undefined) {
    waiting.shift();
    await publish(next);
  } else if (dice < 0.7) await merge();
  else if (dice < 0.85) await split();
  else await withdraw();
}
