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

/** The other ends of its links, strongest first. */
async function linkedTo(id: Id<'story'>): Promise<readonly string[]> {
  const rows = await store.database
    .selectFrom('record.story_link')
    .selectAll()
    .where((where) => where.or([where('one_id', '=', id), where('other_id', '=', id)]))
    .orderBy('strength', 'desc')
    .execute();
  return rows.map(({ one_id, other_id }) => (one_id === id ? other_id : one_id));
}

const related = (storyId: Id<'story'>, strength = 0.5) => ({ storyId, kind: 'related', strength }) as const;

function digestCiting(...cites: Id<'item'>[]) {
  return { text: 'So far.', sentences: [{ text: 'So far.', cites }], contradictions: [] };
}

function contradiction(earlier: Id<'item'>, later: Id<'item'>) {
  const contradictions = [{ statement: 'They differ.', earlier: [earlier], later: [later] }];
  return { text: 'So far.', sentences: [], contradictions };
}

test('a new title of an item renames the story that was named after it, and no other', async () => {
  const itemId = await record.publish({ title: 'First title' });
  const storyId = await open('First title', [itemId]);
  valueOf(await record.publisher.reviseItem({ itemId, changes: { title: 'Second title' } }));
  expect((await storyRow(storyId)).title).toBe('Second title');
  valueOf(await record.publisher.reviseStory({ storyId, changes: { title: 'By an editor' } }));
  valueOf(await record.publisher.reviseItem({ itemId, changes: { title: 'Third title' } }));
  expect((await storyRow(storyId)).title).toBe('By an editor');
});

describe('a withdrawn item', () => {
  test('deletes a digest that cites it, in a sentence or in a contradiction, and no other', async () => {
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

  test('deletes its digest in the other language from the row and from the public log', async () => {
    const itemId = await record.publish({ title: 'A report' });
    const storyId = await open('Event', [itemId, await record.publish()]);
    const digest = { ...digestCiting(itemId), text: 'Withdrawn sentence.' };
    valueOf(await record.publisher.reviseStory({ storyId, changes: { otherDigest: digest } }));
    valueOf(await record.publisher.withdrawItem({ itemId }));
    expect(await storyRow(storyId)).toMatchObject({ digest: null, other_digest: null });
    const logged = await store.asSuperuser(
      `SELECT revision, salt IS NOT NULL AS is_proven, was FROM record.log_content
       WHERE kind = 'story' AND subject = $1 ORDER BY revision`,
      [storyId],
    );
    expect(logged).toEqual([
      { revision: 1, is_proven: true, was: { other_digest: null } },
      { revision: 2, is_proven: false, was: { other_digest: null } },
      { revision: 3, is_proven: true, was: null },
    ]);
  });

  test('erases its text where it had become the story’s title', async () => {
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

describe('merging stories', () => {
  test('redirects every old id of a chain of merges directly to the last survivor', async () => {
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

  test('leaves no title with the absorbed story, which no later withdrawal reaches', async () => {
    const absorbed = await open('Named after a report', [
      await record.publish({ title: 'Named after a report' }),
    ]);
    valueOf(await record.publisher.mergeStories({ absorbedId: absorbed, survivorId: await open('Other') }));
    expect((await storyRow(absorbed)).title).toBe('');
  });

  test('moves links of the absorbed story to the survivor, never to itself, never twice', async () => {
    const [absorbed, survivor, beside, both] = [
      await open('A'),
      await open('B'),
      await open('C'),
      await open('D'),
    ];
    const link = async (storyId: Id<'story'>, ...others: Id<'story'>[]) =>
      valueOf(await record.publisher.linkStories([{ storyId, links: others.map((id) => related(id)) }]));
    await link(absorbed, beside, survivor);
    await link(both, survivor, absorbed);
    valueOf(await record.publisher.mergeStories({ absorbedId: absorbed, survivorId: survivor }));
    expect(await linkedTo(absorbed)).toEqual([]);
    expect(new Set(await linkedTo(survivor))).toEqual(new Set([beside, both]));
    expect(await linkedTo(beside)).toEqual([survivor]);
    expect(await linkedTo(both)).toEqual([survivor]);
  });

  test('preserves the stronger link if both were linked to a third story', async () => {
    const [absorbed, survivor, third] = [await open('A'), await open('B'), await open('C')];
    const stronger = { storyId: third, kind: 'storyline', strength: 0.9 } as const;
    valueOf(await record.publisher.linkStories([{ storyId: absorbed, links: [stronger] }]));
    valueOf(await record.publisher.linkStories([{ storyId: survivor, links: [related(third, 0.2)] }]));
    valueOf(await record.publisher.mergeStories({ absorbedId: absorbed, survivorId: survivor }));
    const links = await store.database
      .selectFrom('record.story_link')
      .select(['kind', 'strength'])
      .where((where) => where.or([where('one_id', '=', third), where('other_id', '=', third)]))
      .execute();
    expect(links).toEqual([{ kind: 'storyline', strength: 0.9 }]);
  });

  test('is refused with itself, with a merged story and with an unknown story', async () => {
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

describe('splitting a story', () => {
  test('moves items to a story of their own and deletes a digest that cites them', async () => {
    const items = [await record.publish(), await record.publish(), await record.publish()];
    const storyId = await open('Two events', items);
    valueOf(await record.publisher.reviseStory({ storyId, changes: { digest: digestCiting(items[0]!) } }));
    const itemIds = items.slice(0, 1);
    const split = valueOf(await record.publisher.splitStory({ storyId, itemIds, title: 'One event' }));
    expect(await storyRow(split.storyId)).toMatchObject({ title: 'One event', report_count: 1 });
    expect(await storyRow(storyId)).toMatchObject({ digest: null, report_count: 2 });
  });
  test('renames the story if the item that it was named after leaves', async () => {
    const [first, second] = [
      await record.publish({ title: 'First report', hoursAgo: 9 }),
      await record.publish({ title: 'Second report' }),
    ];
    const storyId = await open('First report', [first, second]);
    valueOf(await record.publisher.splitStory({ storyId, itemIds: [first], title: 'Another event' }));
    expect((await storyRow(storyId)).title).toBe('Second report');
  });
  test('is refused without items, with all items and with items of other stories', async () => {
    const items = [await record.publish(), await record.publish()];
    const storyId = await open('Event', items);
    const refusal = { ok: false, reason: 'not_a_part' };
    for (const itemIds of [[], items, [await record.publish()]]) {
      expect(await record.publisher.splitStory({ storyId, itemIds, title: 'Part' })).toEqual(refusal);
    }
  });
});

describe('revising a story', () => {
  test('accepts a digest only if it cites items of the story that are not withdrawn', async () => {
    const [own, other] = [await record.publish(), await record.publish()];
    const storyId = await open('Event', [own]);
    const revise = (digest: ReturnType<typeof digestCiting>) =>
      record.publisher.reviseStory({ storyId, changes: { digest } });
    expect(await revise(digestCiting(other))).toEqual({ ok: false, reason: 'cites_outside_story' });
    valueOf(await record.publisher.withdrawItem({ itemId: own }));
    expect(await revise(digestCiting(own))).toEqual({ ok: false, reason: 'cites_outside_story' });
  });
});

describe('linking stories', () => {
  test('stores a link once, shows it at both ends and updates it when repeated', async () => {
    const [one, other] = [await open('One'), await open('Other')];
    valueOf(await record.publisher.linkStories([{ storyId: one, links: [related(other)] }]));
    valueOf(await record.publisher.linkStories([{ storyId: other, links: [related(one, 0.8)] }]));
    expect(await linkedTo(one)).toEqual([other]);
    expect(await linkedTo(other)).toEqual([one]);
    valueOf(await record.publisher.unlinkStories({ storyId: other, otherIds: [one] }));
    expect(await linkedTo(one)).toEqual([]);
  });

  test('drops the weakest link beyond eight at either end', async () => {
    const [centre, late] = [await open('Centre'), await open('Late')];
    const others = await Promise.all(Array.from({ length: 8 }, (_, n) => open(`Other ${n}`)));
    const links = others.map((id, n) => related(id, (n + 1) / 10));
    valueOf(await record.publisher.linkStories([{ storyId: centre, links }]));
    valueOf(await record.publisher.linkStories([{ storyId: late, links: [related(centre, 0.15)] }]));
    expect(await linkedTo(centre)).toEqual([...others.slice(1).toReversed(), late]);
    expect(await linkedTo(others[0]!)).toEqual([]);
  });

  test('is refused to the story itself, twice to the same story, and to a merged story', async () => {
    const [one, other, merged] = [await open('One'), await open('Other'), await open('Merged')];
    valueOf(await record.publisher.mergeStories({ absorbedId: merged, survivorId: other }));
    const link = (...ids: Id<'story'>[]) =>
      record.publisher.linkStories([{ storyId: one, links: ids.map((id) => related(id)) }]);
    expect(await link(one)).toEqual({ ok: false, reason: 'impossible_links' });
    expect(await link(other, other)).toEqual({ ok: false, reason: 'impossible_links' });
    expect(await link(merged)).toEqual({ ok: false, reason: 'merged_story' });
  });
});
