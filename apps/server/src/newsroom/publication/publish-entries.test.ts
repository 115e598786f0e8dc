import { randomBytes } from 'node:crypto';

import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { TestEngine } from '../../../test/engine.ts';
import { startTestEngine, untilStatus } from '../../../test/engine.ts';
import { openModelServer } from '../../../test/model-server.ts';
import { createTestNewsroom } from '../../../test/newsroom.ts';
import { startPublisher } from '../../../test/publisher-server.ts';
import { systemClock } from '../../foundation/clock.ts';
import { createIdSource } from '../../foundation/ids.ts';
import { createLogger } from '../../foundation/logger.ts';
import { createModelBreaker } from '../../foundation/models/model-breaker.ts';
import { createModelCalls } from '../../foundation/models/model-calls.ts';
import { createModelEndpoint } from '../../foundation/models/model-endpoint.ts';
import { createPublisher } from '../../record/index.ts';
import { createEditorDesk } from '../corrections/editor-desk.ts';
import type { NewsroomDeps } from '../newsroom-work.ts';
import { newsroomWork } from '../newsroom-work.ts';
import { addSources } from '../sources/add-sources.ts';
import type { SourceSettings } from '../sources/source.ts';
import { settingsFor } from '../sources/source.ts';
import type { EntryId } from '../wire/land/entry-store.ts';
import { markEntryWithdrawn } from '../wire/land/left-entry-store.ts';

let database: TestDatabase;
let engine: TestEngine | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await engine?.stop(5_000);
  engine = undefined;
});
afterAll(() => database.drop());

test('what a publisher lists becomes items in stories, and what it edits revises them', async () => {
  let title = 'Halden Labs releases Corvid 3 with a window of two million words';
  const published = new Date(systemClock.nowMs() - 3_600_000).toUTCString();
  const { fetcher } = await startPublisher((_, response) => {
    response.end(
      `<rss version="2.0"><channel><title>Halden</title><item><guid>1</guid><link>http://halden.example/1</link><title>${title}</title><pubDate>${published}</pubDate><description>Halden Labs released Corvid 3 on Monday. The model reads two million words at once, twice as many as Corvid 2, and costs 3 dollars per million words.</description></item></channel></rss>`,
    );
  });
  const ids = createIdSource({ clock: systemClock, randomBytes });
  const publisher = createPublisher({ database: database.database, clock: systemClock, ids });
  await addSources({ database: database.database, clock: systemClock, ids, publisher }, [
    settingsFor(new URL('http://halden.example/feed'), {
      name: 'Halden Labs',
      tier: 1,
      firstParty: true,
      categoryHint: 'ai-models',
    }),
  ]);
  const logger = createLogger('silent', 'test');
  const work = newsroomWork({
    database: database.database,
    clock: systemClock,
    ids,
    publisher,
    fetcher,
    logger,
    random: () => 0,
    domainsMax: 5,
    pace: { intervalMinMs: 100, intervalMaxMs: 100, spacingMs: 0 },
  });
  engine = await startTestEngine(database, work);
  const items = () =>
    database.database
      .selectFrom('record.item')
      .innerJoin('record.source', 'record.source.id', 'record.item.source_id')
      .select(['record.item.title', 'category', 'selected', 'record.item.language', 'record.source.name'])
      .select(['original_url', 'revised_at'])
      .execute();
  await expect.poll(items, { timeout: 15_000 }).toEqual([
    {
      title,
      category: 'ai-models',
      selected: true,
      language: 'en',
      name: 'Halden Labs',
      original_url: 'http://halden.example/1',
      revised_at: null,
    },
  ]);
  const story = database.database.selectFrom('newsroom.story_decision').select('kind');
  expect(await story.execute()).toEqual([{ kind: 'open' }]);
  title = 'Halden Labs releases Corvid 3 with a window of three million words';
  await expect.poll(items, { timeout: 15_000 }).toMatchObject([{ title, revised_at: expect.any(String) }]);
  const stories = database.database.selectFrom('record.story').select('title');
  expect(await stories.execute()).toEqual([{ title }]);
}, 40_000);

/** A feed of one entry at each host; what has landed is published by an engine of its own. */
async function landed(
  hosts: Readonly<Record<string, Partial<SourceSettings>>>,
  more: Partial<NewsroomDeps>,
  told: typeof release = release,
) {
  const { fetcher } = await startPublisher((request, response) => {
    response.end(
      `<rss version="2.0"><channel><title>${request.headers.host}</title><item><guid>1</guid><link>http://${request.headers.host}/1</link><title>${told.title}</title><description>${told.text}</description></item></channel></rss>`,
    );
  });
  const newsroom = createTestNewsroom(database, systemClock, fetcher, more);
  const entryIds: EntryId[] = [];
  for (const [host, settings] of Object.entries(hosts)) {
    const source = await newsroom.add(`http://${host}/feed`, { name: host, ...settings });
    await newsroom.poll(source);
    const entries = await newsroom.entries();
    entryIds.push(
      ...entries.filter(({ source_id }) => source_id === source.id).map(({ id }) => id as EntryId),
    );
  }
  const { publication } = newsroom.deskDeps.polls;
  engine = await startTestEngine(database, { workflows: [publication] });
  return { entryIds, publication, engine, newsroom };
}

const release = {
  title: 'Ostrava Labs releases Peregrine 7 for 120 million dollars',
  text: 'Ostrava Labs released Peregrine 7 on Monday. The model cost 120 million dollars and was trained on 4,000 chips in Brno.',
};

const itemRow = (id: EntryId) =>
  database.database
    .selectFrom('record.item')
    .select(['title', 'summary', 'selected', 'score', 'reason'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

test('the company’s own report takes the place of the reprint that came first, which keeps its lower score', async () => {
  const {
    entryIds,
    publication,
    engine: running,
  } = await landed(
    {
      'reprint.example': { tier: 3 },
      'ostrava.example': { tier: 1, firstParty: true },
      'late.example': { tier: 3 },
    },
    {},
  );
  for (const [at, id] of entryIds.entries()) {
    await running.enqueue(publication, { id: `group-${at}`, input: { entryIds: [id] } });
    await untilStatus(database, `group-${at}`, 'SUCCESS');
  }
  const [reprint, own, late] = await Promise.all(entryIds.map(itemRow));
  expect([reprint?.selected, own?.selected, late?.selected]).toEqual([false, true, false]);
  expect(own?.score).toBeGreaterThan(late?.score ?? 100);
}, 40_000);

test('a reading group whose representative is withdrawn, by its publisher or by an editor, is spoken for by the best report that stands', async () => {
  const told = {
    title: 'OpenAI releases Peregrine 8, trained on 9,000 GPUs for 340 million dollars',
    text: 'OpenAI released Peregrine 8 on Tuesday. It was trained on 9,000 GPUs in Olomouc and cost 340 million dollars.',
  };
  const {
    entryIds,
    publication,
    engine: running,
    newsroom,
  } = await landed(
    {
      'first.group.example': { tier: 3 },
      'openai.group.example': { tier: 1, firstParty: true },
      'press.group.example': { tier: 2 },
      'forum.group.example': { tier: 2, participation: 'signal' },
    },
    {},
    told,
  );
  const { database: store, clock, publisher } = newsroom.deskDeps;
  const publish = async (id: string, ids: readonly EntryId[]): Promise<void> => {
    await running.enqueue(publication, { id, input: { entryIds: [...ids] } });
    await untilStatus(database, id, 'SUCCESS');
  };
  const selected = async (): Promise<readonly boolean[]> =>
    (await Promise.all(entryIds.map(itemRow))).map((item) => item.selected);
  for (const [at, id] of entryIds.entries()) await publish(`represented-${at}`, [id]);
  const [first, own, press] = entryIds as [EntryId, EntryId, EntryId];
  expect(await selected()).toEqual([false, true, false, false]);

  await store.transaction().execute((transaction) => markEntryWithdrawn(transaction, own, clock.now()));
  await publish('represented-withdrawn', [own]);
  expect(await selected()).toEqual([false, false, true, false]);

  const desk = createEditorDesk({ database: store, clock, publisher, language: 'en' });
  expect(await desk.withdrawItem({ itemId: press, reason: 'Copied.' })).toMatchObject({ ok: true });
  expect(await selected()).toEqual([true, false, false, false]);

  expect(await desk.withdrawItem({ itemId: first, reason: 'Copied.' })).toMatchObject({ ok: true });
  expect(await selected()).toEqual([false, false, false, false]);
}, 40_000);

test('a reprint counts as the first report once the one that it repeats is withdrawn', async () => {
  const told = {
    title: 'Nvidia acquires Moravia Robotics for 2.1 billion dollars',
    text: 'Nvidia acquired Moravia Robotics on Wednesday for 2.1 billion dollars. The company of 300 people is in Ostrava.',
  };
  const {
    entryIds,
    publication,
    engine: running,
    newsroom,
  } = await landed({ 'one.reprint.example': { tier: 2 }, 'two.reprint.example': { tier: 2 } }, {}, told);
  const { database: store, clock } = newsroom.deskDeps;
  const [first, reprint] = entryIds as [EntryId, EntryId];
  const publish = async (id: string, entryId: EntryId): Promise<void> => {
    await running.enqueue(publication, { id, input: { entryIds: [entryId] } });
    await untilStatus(database, id, 'SUCCESS');
  };
  await publish('reprint-1', first);
  const { score: alone } = await itemRow(first);
  await publish('reprint-2', reprint);
  expect((await itemRow(reprint)).score).toBeLessThan(alone ?? 0);
  await store.transaction().execute((transaction) => markEntryWithdrawn(transaction, first, clock.now()));
  await publish('reprint-3', first);
  expect(await itemRow(reprint)).toMatchObject({
    selected: true,
    score: alone,
    reason: expect.stringContaining('First report'),
  });
}, 40_000);

test('with a model each entry is a run of its own: two calls at most, asked once however often it is handed over', async () => {
  const sentence = 'Ostrava Labs trained Peregrine 7 on 4,000 chips in Brno.';
  const server = await openModelServer((_, nth) => ({
    answer: { title: '', sentences: [nth === 0 ? 'Ostrava Labs cut 900 jobs.' : sentence] },
  }));
  onTestFinished(() => server.close());
  const calls = createModelCalls({
    endpoint: createModelEndpoint({
      baseUrl: server.url,
      apiKey: '',
      structuredOutput: 'json',
      timeoutMs: 5_000,
    }),
    breaker: createModelBreaker({ elapsedMs: () => 0 }),
    budget: { take: async () => ({ granted: true }) },
  });
  const {
    entryIds,
    publication,
    engine: running,
  } = await landed(
    { 'one.written.example': {}, 'two.written.example': {} },
    { model: { calls, itemModel: 'small', digestModel: 'small' } },
  );
  for (const id of ['written', 'written']) await running.enqueue(publication, { id, input: { entryIds } });
  for (const id of entryIds) {
    await untilStatus(database, `written-${id}`, 'SUCCESS');
    expect(await itemRow(id)).toMatchObject({ title: release.title, summary: sentence });
  }
  await running.enqueue(publication, { id: 'written-later', input: { entryIds } });
  for (const id of entryIds) await untilStatus(database, `written-later-${id}`, 'SUCCESS');
  expect(server.requests).toHaveLength(3);
}, 40_000);

test('an entry that cannot be published keeps none of its batch back, and the run fails where it is seen', async () => {
  const items = [1, 2, 3].map(
    (number) =>
      `<item><guid>${number}</guid><link>http://batch.example/${number}</link><title>Ostrava Labs opens office number ${number}</title></item>`,
  );
  const { fetcher } = await startPublisher((_, response) => {
    response.end(`<rss version="2.0"><channel><title>Batch</title>${items.join('')}</channel></rss>`);
  });
  const newsroom = createTestNewsroom(database, systemClock, fetcher);
  const source = await newsroom.add('http://batch.example/feed', { name: 'Batch' });
  await newsroom.poll(source);
  const entries = (await newsroom.entries()).filter(({ source_id }) => source_id === source.id);
  const entryIds = entries.map(({ id }) => id as EntryId);
  await database.asSuperuser("UPDATE newsroom.entry SET language = 'not a tag' WHERE id = $1", [entryIds[1]]);
  const { publication } = newsroom.deskDeps.polls;
  engine = await startTestEngine(database, { workflows: [publication] });
  await engine.enqueue(publication, { id: 'batch', input: { entryIds } });
  await untilStatus(database, 'batch', 'ERROR');
  const published = await database.database
    .selectFrom('record.item')
    .select('id')
    .where('source_id', '=', source.id)
    .execute();
  expect(new Set(published.map(({ id }) => id))).toEqual(new Set([entryIds[0], entryIds[2]]));
}, 40_000);
