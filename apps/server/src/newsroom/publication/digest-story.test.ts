import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { TestEngine } from '../../../test/engine.ts';
import { startTestEngine } from '../../../test/engine.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import type { ModelServerReply } from '../../../test/model-server.ts';
import { openModelServer } from '../../../test/model-server.ts';
import { systemClock } from '../../foundation/clock.ts';
import { sha256 } from '../../foundation/hash.ts';
import type { Id } from '../../foundation/ids.ts';
import { createModelBreaker } from '../../foundation/models/model-breaker.ts';
import { createModelCalls } from '../../foundation/models/model-calls.ts';
import { createModelEndpoint } from '../../foundation/models/model-endpoint.ts';
import type { recorded } from '../../record/index.ts';
import type { ModelWriterDeps } from '../copy/model/ask-model.ts';
import { readPrompt } from '../copy/model/prompt.ts';
import { createEditorDesk } from '../desk/editor-desk.ts';
import { listJournal } from '../desk/journal-store.ts';
import { digestWork, requestDigestsSoon } from './digest-story.ts';

let database: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
let engine: TestEngine | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
  record = createRecordFactory({ database: database.database, clock: systemClock });
});
afterEach(async () => {
  await engine?.stop(5_000);
  engine = undefined;
});
afterAll(() => database.drop());

async function startDigests(writer: ModelWriterDeps | null = null): Promise<void> {
  const { publisher } = record;
  const deps = { database: database.database, publisher, clock: systemClock, aliases: [], writer };
  engine = await startTestEngine(database, digestWork(deps));
}

const facts = {
  round: 'Veltrane has raised $120 million in a round led by Ninth Ferry Partners.',
  staff: 'Veltrane employs 1,630 people in Linjiang and Ostrava.',
  centres: 'The money will pay for 4 data centres in Linjiang.',
};

async function tell(summary: string, sourceName: string): Promise<Id<'item'>> {
  return record.publish({ title: `Veltrane news by ${sourceName}`, language: 'en', summary, sourceName });
}

async function open(...itemIds: Id<'item'>[]): Promise<Id<'story'>> {
  return valueOf(await record.publisher.openStory({ title: 'Veltrane raises money', itemIds })).storyId;
}

type Sentences = recorded.StoryDigest['sentences'];

async function sentencesOf(id: Id<'story'>): Promise<Sentences | null> {
  const query = database.database.selectFrom('record.story').select('digest').where('id', '=', id);
  const { digest } = await query.executeTakeFirstOrThrow();
  return (digest as { readonly sentences: Sentences } | null)?.sentences ?? null;
}

async function digestOf(id: Id<'story'>): Promise<Sentences | null> {
  return (await sentencesOf(id))?.map(({ text, cites }) => ({ text, cites })) ?? null;
}

/** As a reader with the item's text computes it. */
async function textHashOf(itemId: Id<'item'>, text: string): Promise<string> {
  const { salt } = await database.database
    .selectFrom('record.log_content')
    .select('salt')
    .where('subject', '=', itemId)
    .where('revision', '=', 1)
    .executeTakeFirstOrThrow();
  return sha256(Buffer.concat([salt ?? Buffer.alloc(0), Buffer.from(text)]));
}

const waiting = { timeout: 20_000, interval: 50 };

test('a story of two owners gets a digest, a new item extends it, and a withdrawal causes a new digest', async () => {
  const [one, two] = [await tell(facts.round, 'The Halden Wire'), await tell(facts.staff, 'Brno Daily')];
  const storyId = await open(one, two);
  await startDigests();
  await expect
    .poll(() => digestOf(storyId), waiting)
    .toEqual([
      { text: facts.round, cites: [one] },
      { text: facts.staff, cites: [two] },
    ]);
  const quote = {
    itemId: one,
    sourceName: 'The Halden Wire',
    spans: [facts.round],
    textHash: await textHashOf(one, `Veltrane news by The Halden Wire\n${facts.round}`),
    saltRevision: 1,
  };
  expect((await sentencesOf(storyId))?.map(({ quotes }) => quotes)).toMatchObject([
    [quote],
    [{ itemId: two, spans: [facts.staff] }],
  ]);
  const three = await tell(facts.centres, 'Linjiang Post');
  valueOf(await record.publisher.assignToStory({ storyId, itemIds: [three] }));
  await database.database
    .transaction()
    .execute((inside) => requestDigestsSoon(inside, systemClock, [storyId]));
  await expect
    .poll(async () => (await digestOf(storyId))?.at(-1), waiting)
    .toEqual({
      text: facts.centres,
      cites: [three],
    });
  valueOf(await record.publisher.withdrawItem({ itemId: two }));
  expect(await digestOf(storyId)).toBeNull();
  await expect
    .poll(() => digestOf(storyId), waiting)
    .toEqual([
      { text: facts.round, cites: [one] },
      { text: facts.centres, cites: [three] },
    ]);
  valueOf(await record.publisher.withdrawItem({ itemId: three }));
  const row = database.database
    .selectFrom('newsroom.story_digest')
    .select(['due_at', 'written'])
    .where('story_id', '=', storyId);
  await expect.poll(() => row.executeTakeFirst(), waiting).toEqual({ due_at: null, written: true });
  // One owner remains: no digest is written, and none is requested again.
  expect(await digestOf(storyId)).toBeNull();
}, 60_000);

test('a story reported in two languages gets a digest in each, from the items of that language', async () => {
  const english = await tell(facts.round, 'The Halden Wire');
  const summary = 'Veltrane 在麟江和奥斯特拉发共有 1630 名员工。';
  const chinese = await record.publish({
    title: 'Veltrane 员工数',
    language: 'zh',
    summary,
    sourceName: '北麓',
  });
  const storyId = await open(english, chinese);
  await startDigests();
  const query = database.database
    .selectFrom('record.story')
    .select(['digest', 'other_digest'])
    .where('id', '=', storyId);
  await expect
    .poll(() => query.executeTakeFirstOrThrow(), waiting)
    .toMatchObject({
      digest: { text: facts.round, sentences: [{ text: facts.round, cites: [english] }] },
      other_digest: { text: summary, sentences: [{ text: summary, cites: [chinese] }] },
    });
  valueOf(await record.publisher.withdrawItem({ itemId: chinese }));
  expect(await query.executeTakeFirstOrThrow()).toEqual({ digest: null, other_digest: null });
}, 60_000);

test('a later report that contradicts the title of its story replaces the title', async () => {
  const one = await tell(facts.round, 'The Halden Wire');
  const storyId = valueOf(
    await record.publisher.openStory({ title: 'Veltrane raises $120 million', itemIds: [one] }),
  ).storyId;
  const title = 'Veltrane raised $95 million, papers show';
  const denied = 'The round of Veltrane was $95 million and not $120 million, two people say.';
  const two = await record.publish({ title, language: 'en', summary: denied, sourceName: 'Brno Daily' });
  valueOf(await record.publisher.assignToStory({ storyId, itemIds: [two] }));
  await startDigests();
  const story = database.database.selectFrom('record.story').select('title').where('id', '=', storyId);
  await expect.poll(() => story.executeTakeFirst(), waiting).toEqual({ title });
}, 40_000);

test('a title that an editor wrote stays when a later report contradicts it, until the editor undoes it', async () => {
  const one = await tell(facts.round, 'The Halden Wire');
  const storyId = valueOf(
    await record.publisher.openStory({ title: 'Veltrane raises $120 million', itemIds: [one] }),
  ).storyId;
  const desk = createEditorDesk({
    database: database.database,
    clock: systemClock,
    publisher: record.publisher,
    language: 'en',
  });
  const title = 'Veltrane has raised $120 million';
  const retitled = { storyId, title, itemIds: [one], reason: 'shorter' };
  expect(await desk.retitleStory(retitled)).toMatchObject({ ok: true });
  const denied = 'The round of Veltrane was $95 million and not $120 million, two people say.';
  const newer = 'Veltrane raised $95 million, papers show';
  const two = await record.publish({
    title: newer,
    language: 'en',
    summary: denied,
    sourceName: 'Brno Daily',
  });
  valueOf(await record.publisher.assignToStory({ storyId, itemIds: [two] }));
  await startDigests();
  await expect.poll(() => digestOf(storyId), waiting).not.toBeNull();
  const story = database.database.selectFrom('record.story').select('title').where('id', '=', storyId);
  expect(await story.executeTakeFirst()).toEqual({ title });
  expect(await desk.proposeStoryTitle(storyId)).toBe(newer);
  const [entry] = await listJournal(database.database, { subject: storyId, countMax: 1 });
  expect(await desk.undo({ id: entry?.id ?? '', reason: 'longer' })).toMatchObject({ ok: true });
  await database.database
    .transaction()
    .execute((inside) => requestDigestsSoon(inside, systemClock, [storyId]));
  await expect.poll(() => story.executeTakeFirst(), waiting).toEqual({ title: newer });
  expect(await desk.proposeStoryTitle(storyId)).toBeNull();
}, 60_000);

test('two items of one owner do not cause a digest', async () => {
  const alone = await open(await tell(facts.round, 'Brno Daily'), await tell(facts.staff, 'Brno Daily'));
  const pair = await open(await tell(facts.round, 'Brno Daily'), await tell(facts.staff, 'Linjiang Post'));
  await startDigests();
  await expect.poll(() => digestOf(pair), waiting).not.toBeNull();
  expect(await digestOf(alone)).toBeNull();
}, 40_000);

test('with a model the digest has its text; if an item leaves meanwhile, the model is called again', async () => {
  const [one, two] = [await tell(facts.round, 'The Halden Wire'), await tell(facts.staff, 'Brno Daily')];
  const three = await tell(facts.centres, 'Linjiang Post');
  const storyId = await open(one, two, three);
  const text = 'Veltrane employs 1,630 people in Ostrava and Linjiang.';
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<ModelServerReply>();
  const server = await openModelServer((_, nth) => {
    if (nth > 0) return { answer: { sentences: [{ text, cites: [2] }] } };
    asked.resolve();
    return answer.promise;
  });
  onTestFinished(() => server.close());
  const { url: baseUrl } = server;
  const calls = createModelCalls({
    endpoint: createModelEndpoint({ baseUrl, apiKey: '', structuredOutput: 'json', timeoutMs: 20_000 }),
    breaker: createModelBreaker({ elapsedMs: () => 0 }),
    budget: { take: async () => ({ granted: true }) },
  });
  await startDigests({ calls, model: 'large', prompt: readPrompt('write-digest') });
  await asked.promise;
  valueOf(await record.publisher.withdrawItem({ itemId: three }));
  const centres = 'Veltrane will pay for 4 data centres in Linjiang.';
  answer.resolve({ answer: { sentences: [{ text: centres, cites: [3] }] } });
  await expect.poll(() => digestOf(storyId), waiting).toEqual([{ text, cites: [two] }]);
  expect(server.requests).toHaveLength(2);
}, 40_000);
