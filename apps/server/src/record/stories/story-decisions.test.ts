import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import type { Id } from '../../foundation/ids.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
beforeAll(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
});
afterAll(() => store.drop());

async function open(title: string, itemIds: readonly Id<'item'>[] = []): Promise<Id<'story'>> {
  return valueOf(await record.publisher.openStory({ title, itemIds })).storyId;
}

async function storyRow(id: Id<'story'>) {
  return store.database.selectFrom('record.story').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

async function neighboursOf(id: Id<'story'>): Promise<readonly string[]> {
  const rows = await store.database
    .selectFrom('record.story_neighbour')
    .select('neighbour_id')
    .where('story_id', '=', id)
    .orderBy('position')
    .execute();
  return rows.map((row) => row.neighbour_id);
}

function digestCiting(...cites: Id<'item'>[]) {
  return { text: 'So far.', sentences: [{ text: 'So far.', cites }], contradictions: [] };
}

function contradiction(earlier: Id<'item'>, later: Id<'item'>) {
  const contradictions = [{ statement: 'They differ.', earlier: [earlier], later: [later] }];
  return { text: 'So far.', sentences: [], contradictions };
}

describe('a withdrawn report', () => {
  test('takes a digest along that cites it, in a sentence or in a contradiction, and no other', async () => {
    const { publisher } = record;
    const afterWithdrawal = async (
      digestOf: (
        stays: Id<'item'>,
        leaves: Id<'item'>,
      ) => ReturnType<typeof contradiction | typeof digestCiting>,
    ) => {
      const [stays, leaves] = [await record.publish(), await record.publish()];
      const storyId = await open('Event', [stays, leaves]);
      const digest = digestOf(stays, leaves);
      valueOf(await publisher.reviseStory({ storyId, changes: { digest } }));
      valueOf(await publisher.withdrawItem({ itemId: leaves }));
      return storyRow(storyId);
    };
    expect((await afterWithdrawal((_, leaves) => digestCiting(leaves))).digest).toBeNull();
    expect((await afterWithdrawal((stays, leaves) => contradiction(leaves, stays))).digest).toBeNull();
    expect((await afterWithdrawal((stays, leaves) => contradiction(stays, leaves))).digest).toBeNull();
    expect(await afterWithdrawal((stays) => digestCiting(stays))).toMatchObject({
      digest: { text: 'So far.', updatedAt: '2026-11-15T08:00:00.000Z' },
      report_count: 1,
    });
  });

  test('takes its words along where they had become the story’s title', async () => {
    const withdrawn = await record.publish({ title: 'Withdrawn words', hoursAgo: 9 });
    await record.publish({ title: 'Unrelated' });
    const stays = await record.publish({ title: 'Other words', hoursAgo: 5 });
    const storyId = await open('Withdrawn words', [withdrawn, stays]);
    valueOf(await record.publisher.withdrawItem({ itemId: withdrawn }));
    expect(await storyRow(storyId)).toMatchObject({ title: 'Other words', report_count: 1 });
    valueOf(await record.publisher.withdrawItem({ itemId: stays }));
    expect(await storyRow(storyId)).toMatchObject({
      title: '',
      report_count: 0,
      first_report_at: null,
      latest_at: null,
    });
  });
});

describe('merging', () => {
  test('a chain of merges leads every old id straight to the last survivor', async () => {
    const [one, two, three] = [
      await open('One', [await record.publish()]),
      await open('Two'),
      await open('Three'),
    ];
    valueOf(await record.publisher.mergeStories({ absorbedId: one, survivorId: two }));
    valueOf(await record.publisher.mergeStories({ absorbedId: two, survivorId: three }));
    expect([(await storyRow(one)).merged_into, (await storyRow(two)).merged_into]).toEqual([three, three]);
    expect(await storyRow(three)).toMatchObject({ report_count: 1, merged_into: null });
  });

  test('neighbours of the absorbed story become neighbours of the survivor, never of itself, never twice', async () => {
    const [absorbed, survivor, beside, both] = [
      await open('A'),
      await open('B'),
      await open('C'),
      await open('D'),
    ];
    const related = (storyId: Id<'story'>) =>
      ({ storyId, kind: 'related', relation: 'about the same' }) as const;
    const revise = async (storyId: Id<'story'>, ...neighbours: Id<'story'>[]) =>
      valueOf(
        await record.publisher.reviseStory({ storyId, changes: { neighbours: neighbours.map(related) } }),
      );
    await revise(absorbed, beside);
    await revise(survivor, absorbed, beside);
    await revise(beside, absorbed);
    await revise(both, survivor, absorbed);
    valueOf(await record.publisher.mergeStories({ absorbedId: absorbed, survivorId: survivor }));
    expect(await neighboursOf(absorbed)).toEqual([]);
    expect(await neighboursOf(survivor)).toEqual([beside]);
    expect(await neighboursOf(beside)).toEqual([survivor]);
    expect(await neighboursOf(both)).toEqual([survivor]);
  });

  test('is refused with itself, with a story that is gone, and with one that is not there', async () => {
    const [one, two, three] = [await open('One'), await open('Two'), await open('Three')];
    const merge = (absorbedId: Id<'story'>, survivorId: Id<'story'>) =>
      record.publisher.mergeStories({ absorbedId, survivorId });
    expect(await merge(one, one)).toEqual({ ok: false, reason: 'same_story' });
    valueOf(await merge(one, two));
    expect(await merge(one, three)).toEqual({ ok: false, reason: 'merged_story' });
    expect(await merge(three, one)).toEqual({ ok: false, reason: 'merged_story' });
    expect(await merge(record.ids.next(), one)).toEqual({ ok: false, reason: 'unknown_story' });
  });
});

describe('splitting', () => {
  test('moves reports to a story of their own and drops a digest that cites them', async () => {
    const items = [await record.publish(), await record.publish(), await record.publish()];
    const storyId = await open('Two events', items);
    valueOf(await record.publisher.reviseStory({ storyId, changes: { digest: digestCiting(items[0]!) } }));
    const itemIds = items.slice(0, 1);
    const split = valueOf(await record.publisher.splitStory({ storyId, itemIds, title: 'One event' }));
    expect(await storyRow(split.storyId)).toMatchObject({ title: 'One event', report_count: 1 });
    expect(await storyRow(storyId)).toMatchObject({ digest: null, report_count: 2 });
  });
  test('is refused for nothing, for all of it and for what is elsewhere', async () => {
    const items = [await record.publish(), await record.publish()];
    const storyId = await open('Event', items);
    const refusal = { ok: false, reason: 'not_a_part' };
    for (const itemIds of [[], items, [await record.publish()]]) {
      expect(await record.publisher.splitStory({ storyId, itemIds, title: 'Part' })).toEqual(refusal);
    }
  });
});

describe('revising', () => {
  test('a digest may cite only reports of its own story that stand', async () => {
    const [own, other] = [await record.publish(), await record.publish()];
    const storyId = await open('Event', [own]);
    const revise = (digest: ReturnType<typeof digestCiting>) =>
      record.publisher.reviseStory({ storyId, changes: { digest } });
    expect(await revise(digestCiting(other))).toEqual({ ok: false, reason: 'cites_outside_story' });
    valueOf(await record.publisher.withdrawItem({ itemId: own }));
    expect(await revise(digestCiting(own))).toEqual({ ok: false, reason: 'cites_outside_story' });
  });
  test('neighbours are at most eight, each once, and not the story itself', async () => {
    const storyId = await open('Event');
    const others = await Promise.all(Array.from({ length: 9 }, (_, n) => open(`Other ${n}`)));
    const revise = (ids: readonly Id<'story'>[]) =>
      record.publisher.reviseStory({
        storyId,
        changes: { neighbours: ids.map((id) => ({ storyId: id, kind: 'related', relation: 'x' })) },
      });
    const refusal = { ok: false, reason: 'impossible_neighbours' };
    expect(await revise(others)).toEqual(refusal);
    expect(await revise([storyId])).toEqual(refusal);
    expect(await revise([others[0]!, others[0]!])).toEqual(refusal);
    expect(await revise(others.slice(0, 8))).toEqual({ ok: true, value: 'revised' });
  });
});
