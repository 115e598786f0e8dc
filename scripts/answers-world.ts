import { startCluster } from '@daybook/local-postgres';
import { createWorld } from '@daybook/newswire';

import { connectDatabase } from '../apps/server/src/foundation/database/database.ts';
import type { Database } from '../apps/server/src/foundation/database/database.ts';
import { createLogins } from '../apps/server/src/foundation/database/logins.ts';
import type { Id } from '../apps/server/src/foundation/ids.ts';
import { createIdSource } from '../apps/server/src/foundation/ids.ts';
import { createLogger } from '../apps/server/src/foundation/logger.ts';
import { createEditorDesk } from '../apps/server/src/newsroom/index.ts';
import { createPublisher } from '../apps/server/src/record/wiring.ts';
import { migrateDatabase } from '../apps/server/src/wiring/migrate-database.ts';
import { createTestClock } from '../apps/server/test/clock.ts';
import type { NewsApp } from '../apps/server/test/news-app.ts';
import { startNewsApp } from '../apps/server/test/news-app.ts';
import { playHistory } from '../apps/simulation/src/play-history.ts';

export type Get = NewsApp['get'];

/** With two weeklies and a monthly. */
const [startsAt, until] = ['2026-02-22T00:00:00.000Z', '2026-03-10T03:00:00.000Z'];
const readAt = '2026-03-10T03:10:00.000Z';
const ledgerEpoch = '11111111-2222-4333-8444-555555555555';
const changesPath = '/api/v1/selected/changes?limit=50&cursor=';

/**
 * The api over a newsroom whose clock, ids and publishers are the same in every run; `changes` is the path of all
 * changes since the beginning.
 */
export async function withAnswersWorld(work: (get: Get, changes: string) => Promise<void>): Promise<void> {
  const cluster = await startCluster({ settings: { fsync: 'off' } });
  const urls = await createLogins({ superuserUrl: cluster.url(), database: 'daybook', password: 'answers' });
  await migrateDatabase(urls.owner, createLogger('warn', 'migrate'));
  const withApi = async <Value>(read: (get: Get) => Promise<Value>): Promise<Value> => {
    const app = await startNewsApp({ database: { urls }, clock: createTestClock(readAt) });
    try {
      return await read(app.get);
    } finally {
      await app.stop();
    }
  };
  const { database, close } = connectDatabase({
    url: urls.application,
    name: 'answers',
    connectionsMax: 8,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 30_000,
  });
  try {
    await database.updateTable('record.ledger_head').set({ epoch: ledgerEpoch }).execute();
    const empty = await withApi((get) => get('/api/v1/selected/snapshot'));
    const world = createWorld({ seed: 20_260_222, startsAt: Date.parse(startsAt), itemsPerDay: 40 });
    await playHistory(
      database,
      { world, startsAt: createTestClock(startsAt).now() },
      { until: createTestClock(until).now(), language: 'en', seed: 'answers' },
    );
    await correct(database, await withApi(readTopics));
    await withApi((get) => work(get, changesPath + String(empty.json()['cursor'])));
  } finally {
    await close();
    await cluster.remove();
  }
}

interface Topic {
  readonly id: Id<'item'>;
  readonly links: { readonly story: string };
}

async function readTopics(get: Get): Promise<readonly Topic[]> {
  return (await get('/api/v1/hot-topics')).json()['items'] as readonly Topic[];
}

/** One correction of each kind. */
async function correct(database: Database, topics: readonly Topic[]): Promise<void> {
  const [first, second, third, fourth, fifth] = topics;
  if (!first || !second || !third || !fourth || !fifth) throw new Error('the ranking has too few topics');
  const clock = createTestClock(until);
  const ids = createIdSource({ clock, randomBytes: (size) => new Uint8Array(size) });
  const publisher = createPublisher({ database, clock, ids });
  const desk = createEditorDesk({ database, clock, publisher, language: 'en' });
  const storyOf = ({ links }: Topic) => links.story.split('/').at(-1) as Id<'story'>;
  const merge = { absorbedId: storyOf(third), survivorId: storyOf(fourth) };
  const [reason, unverified] = ['The report was wrong.', 'An invented title.'];
  const decisions = [
    () => desk.withdrawItem({ itemId: first.id, reason }),
    () => desk.correctItem({ itemId: second.id, changes: { title: 'Another title' }, reason, unverified }),
    () => desk.correctEdition({ kind: 'daily', period: '2026-03-09', note: reason }),
    () => desk.mergeStories({ ...merge, reason }),
    () =>
      desk.splitStory({
        storyId: storyOf(fifth),
        itemIds: [fifth.id],
        title: 'Another event',
        reason,
        unverified,
      }),
  ];
  for (const decide of decisions) {
    const decided = await decide();
    if (!decided.ok) throw new Error(`a correction was refused: ${decided.reason}`);
    clock.advance({ minutes: 1 });
  }
}
