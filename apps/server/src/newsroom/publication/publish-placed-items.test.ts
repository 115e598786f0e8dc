import { randomBytes } from 'node:crypto';

import type { Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, hoursBefore, valueOf } from '../../../test/factories/record-factory.ts';
import { publishAsItem } from '../../../test/publish-item.ts';
import { retryConcurrentChanges } from '../../foundation/database/concurrent-change.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import { createIdSource } from '../../foundation/ids.ts';
import type { Decisions } from '../../record/index.ts';
import { verifyRecord } from '../../record/verify.ts';
import { createEditorDesk } from '../desk/editor-desk.ts';
import { splitStory } from '../stories/editor-decisions.ts';
import { explainItem, explainStory } from '../stories/explain-story.ts';
import { aliasTable, builtInAliases } from '../stories/matching/aliases.ts';
import { shippedStoryModel } from '../stories/matching/story-model.ts';
import type { Placement } from '../stories/placement-batch.ts';
import { removeSettledItems } from '../stories/story-upkeep.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
const ids = createIdSource({ clock, randomBytes });
const deps = { clock, ids, aliases: aliasTable(builtInAliases()), model: shippedStoryModel() };
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());
beforeEach(async () => {
  record = createRecordFactory({ database: store.database, clock });
  await store.asSuperuser(
    `TRUNCATE newsroom.story_report, newsroom.story_posting, newsroom.story_term_count, newsroom.story_decision;
     UPDATE newsroom.story_corpus SET reports = 0`,
  );
});

function inTransaction<Value>(
  work: (transaction: Transaction<DB>, decisions: Decisions) => Promise<Value>,
): Promise<Value> {
  return retryConcurrentChanges(store.database, () =>
    store.database
      .transaction()
      .execute((transaction) =>
        record.publisher.within(transaction, (decisions) => work(transaction, decisions)),
      ),
  );
}

/** `summary` is empty unless given: titles decide. */
async function publish(
  title: string,
  { id = record.ids.next<'item'>(), ...rest }: Parameters<typeof record.draft>[0] = {},
): Promise<Placement> {
  const url = `https://outlet.example/${id}`;
  const item = { ...record.draft({ summary: '', originalUrl: url, ...rest, title }), id };
  const published = await inTransaction((transaction, decisions) =>
    publishAsItem(deps, transaction, decisions, item),
  );
  return valueOf(published);
}

async function storyOf(itemId: Id<'item'>): Promise<string | null> {
  const row = await store.database
    .selectFrom('record.item')
    .select('story_id')
    .where('id', '=', itemId)
    .executeTakeFirstOrThrow();
  return row.story_id;
}

async function indexSize(): Promise<Record<string, unknown>> {
  const [row] = await store.asSuperuser(
    `SELECT (SELECT count(*)::int FROM newsroom.story_report) AS reports,
            (SELECT count(*)::int FROM newsroom.story_posting) AS postings,
            (SELECT count(*)::int FROM newsroom.story_term_count) AS terms,
            (SELECT reports::int FROM newsroom.story_corpus) AS corpus`,
  );
  return row ?? {};
}

const funding = 'Corvanta raises $2.4 billion in funding led by Wangchuan Ventures';
const fundingAgain = 'Corvanta secures $2.4B in funding round led by Wangchuan Ventures';
const fundingInChinese = 'Corvanta 完成 24 亿美元融资，Wangchuan Ventures 领投';

describe('an item', () => {
  test('an item of the same event joins its story in either language, and another event opens its own', async () => {
    const first = await publish(funding);
    const second = await publish(fundingAgain, { sourceName: 'Second' });
    const third = await publish(fundingInChinese, { sourceName: 'Third' });
    const other = await publish('Regulators open inquiry into Solmarch over copied lyrics');
    expect([first.kind, second.kind, third.kind, other.kind]).toEqual(['open', 'join', 'join', 'open']);
    expect([second.storyId, third.storyId]).toEqual([first.storyId, first.storyId]);
    expect(other.storyId).not.toBe(first.storyId);
    expect(second.groupId).not.toBe(first.groupId);
  });

  test('an item with the same text shares the reading group as well', async () => {
    const first = await publish('Regulators open inquiry into Solmarch over copied lyrics');
    const reprint = await publish('Regulators open inquiry into Solmarch over copied lyrics!', {
      sourceName: 'Second',
    });
    expect(reprint).toMatchObject({ kind: 'same reading', groupId: first.groupId, storyId: first.storyId });
  });

  test('an item that lists several events is in no story and attracts no other items', async () => {
    const roundup = await publish(`In brief: ${funding}`);
    expect(roundup).toMatchObject({ kind: 'no story', storyId: null });
    expect((await publish(funding)).kind).toBe('open');
  });

  test('an item older than the window does not attract new ones', async () => {
    await publish(funding, { hoursAgo: 15 * 24 });
    expect((await publish(fundingAgain)).kind).toBe('open');
  });

  test('a withdrawn item does not attract new ones', async () => {
    const first = await publish(funding);
    valueOf(await record.publisher.withdrawItem({ itemId: first.itemId }));
    expect((await publish(fundingAgain)).kind).toBe('open');
  });

  test('publishing an item again changes neither the record nor the index', async () => {
    const { itemId } = await publish(funding);
    const before = await indexSize();
    await expect(publish(funding, { id: itemId })).rejects.toThrow('already_published');
    expect(await indexSize()).toEqual(before);
  });

  test('a rolled back transaction leaves no terms in the index', async () => {
    const before = await indexSize();
    const item = { ...record.draft({ title: funding }), id: record.ids.next<'item'>() };
    const undone = inTransaction(async (transaction, decisions) => {
      await publishAsItem(deps, transaction, decisions, item);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await indexSize()).toEqual(before);
  });
});

const verbs = ['insiders say', 'report', 'confirmed', 'announced', 'rumours', 'exclusive'];

describe('first items at the same instant', () => {
  test('open one story, even with several workers', async () => {
    const subjects = [
      'Corvanta opens Lisbon laboratory with Wangchuan',
      'Regulators fine Solmarch 40 million dollars over copied lyrics',
      'Ostrava Robotics recalls 1,200 delivery carts after fires',
      'Zvonek replaces its chief executive in a vote of the board',
    ];
    for (const subject of subjects) {
      const published = await Promise.all(
        Array.from({ length: 6 }, (_, at) => publish(`${subject}, ${verbs[at]}`, { sourceName: `S${at}` })),
      );
      expect(new Set(published.map(({ storyId }) => storyId)).size).toBe(1);
      expect(published.filter(({ kind }) => kind === 'open')).toHaveLength(1);
    }
    const findings = await verifyRecord(store.database, clock.now());
    expect(findings.filter(({ offenders }) => offenders.length > 0)).toEqual([]);
  });
});

/** Two openings of one event with too little in common, and an item that matches both. */
async function twoStoriesOfOneEvent(): Promise<readonly [Placement, Placement]> {
  const one = await publish('Solmarch buys chip designer Harrowgate', { hoursAgo: 48 });
  const other = await publish('Solmarch hires Harrowgate founders to lead silicon unit');
  expect(other.storyId).not.toBe(one.storyId);
  return [one, other];
}

describe('late evidence', () => {
  test('merges two stories into the older one, but never stories that an editor has split', async () => {
    const [one, other] = await twoStoriesOfOneEvent();
    await publish('Solmarch buys chip designer Harrowgate, founders to lead silicon unit');
    const merged = await storyOf(other.itemId);
    expect(merged).toBe(one.storyId);
    const lines = await explainStory(store.database, one.storyId as Id<'story'>);
    expect(lines?.join('\n')).toContain(`story ${other.storyId} became part of story ${one.storyId}`);

    const split = await inTransaction((transaction, decisions) =>
      splitStory(deps, transaction, decisions, {
        storyId: one.storyId as Id<'story'>,
        itemIds: [other.itemId],
        title: 'The founders',
      }),
    );
    const { storyId } = valueOf(split);
    await publish('Solmarch buys chip designer Harrowgate, whose founders are to lead a silicon unit', {
      sourceName: 'Late',
    });
    expect(await storyOf(other.itemId)).toBe(storyId);
    expect(await storyOf(one.itemId)).toBe(one.storyId);
  });
});

describe('an editor', () => {
  test('merges stories that the rules separated, with a public reason and a decision', async () => {
    const one = await publish('Ostrava Robotics opens a plant in Brno');
    const other = await publish('Zvonek Motors recalls its delivery carts');
    const desk = createEditorDesk({
      clock,
      database: store.database,
      publisher: record.publisher,
      language: 'en',
    });
    const [absorbedId, survivorId] = [other.storyId, one.storyId] as [Id<'story'>, Id<'story'>];
    const merge = () => desk.mergeStories({ absorbedId, survivorId, reason: 'The carts are made there.' });
    valueOf(await merge());
    expect(await storyOf(other.itemId)).toBe(survivorId);
    expect((await explainStory(store.database, survivorId))?.join('\n')).toContain(
      `an editor merged story ${absorbedId} into story ${survivorId}`,
    );
    const reasons = () =>
      store.database
        .selectFrom('record.correction')
        .select('reason')
        .where('subject', '=', absorbedId)
        .execute();
    expect(await reasons()).toEqual([{ reason: 'The carts are made there.' }]);
    expect(await merge()).toEqual({ ok: false, reason: 'merged_story' });
    expect(await reasons()).toHaveLength(1);
  });
});

describe('linked stories', () => {
  test('include the next version of the same product, as another story of its storyline', async () => {
    const five = await publish('Corvanta releases Gnomon 5 with longer context for contract drafting');
    const six = await publish('Corvanta releases Gnomon 6 with longer context for contract drafting');
    expect(six).toMatchObject({ kind: 'open' });
    const links = await store.database.selectFrom('record.story_link').selectAll().execute();
    const ids = [five.storyId as string, six.storyId as string].sort((one, other) => (one < other ? -1 : 1));
    expect(links.filter(({ one_id, other_id }) => one_id === ids[0] && other_id === ids[1])).toMatchObject([
      { kind: 'storyline' },
    ]);
  });
});

describe('upkeep', () => {
  test('removes items older than a fortnight from the index, with their counts', async () => {
    await publish('Regulators open inquiry into Solmarch over copied lyrics');
    const before = await indexSize();
    await publish(funding, { hoursAgo: 16 * 24 });
    await publish(fundingAgain, { hoursAgo: 15.5 * 24 });
    expect(await removeSettledItems({ database: store.database, clock })).toBe(2);
    expect(await indexSize()).toEqual(before);
  });
});

describe('the explanation', () => {
  test('the explanation of an item shows its place, the compared items and the matching features', async () => {
    const first = await publish(funding);
    const second = await publish(fundingAgain, { sourceName: 'Second' });
    const text = (await explainItem(store.database, second.itemId))?.join('\n') ?? '';
    expect(text).toContain(`It is in story ${first.storyId} now.`);
    expect(text).toContain(`it joined story ${first.storyId}`);
    expect(text).toContain(`closest item: “${funding}”`);
    expect(text).toContain('the same figure');
    expect(text).toContain(deps.model.version);
  });

  test('the explanation contains no text of a withdrawn item', async () => {
    const first = await publish(funding);
    const second = await publish(fundingAgain, { sourceName: 'Second' });
    valueOf(await record.publisher.withdrawItem({ itemId: first.itemId }));
    const text = (await explainItem(store.database, second.itemId))?.join('\n') ?? '';
    expect(text).not.toContain(funding);
    expect(text).toContain(`“${first.itemId}”, withdrawn`);
  });

  test('the explanation of an unknown item or story is empty', async () => {
    expect(await explainItem(store.database, record.ids.next())).toBeNull();
    expect(await explainStory(store.database, record.ids.next())).toBeNull();
  });
});

describe('an older item', () => {
  test('an item found late joins the story of its event', async () => {
    const first = await publish(funding);
    const late = await publish(fundingAgain, {
      publishedAt: hoursBefore(clock.now(), 20),
      sourceName: 'Late',
    });
    expect(late).toMatchObject({ kind: 'join', storyId: first.storyId });
  });
});
