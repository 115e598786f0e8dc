import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../test/clock.ts';
import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { createRecordFactory, valueOf } from '../../test/factories/record-factory.ts';
import { untilWaiting } from '../../test/waiting-session.ts';
import type { Id } from '../foundation/ids.ts';
import { refused } from '../foundation/result.ts';
import { decide, decided } from './decision.ts';
import { issueEdition } from './editions/issue-edition.ts';
import { insertReadingGroups, selectReadingGroupsForUpdate } from './items/reading-group-store.ts';
import { assignToStory } from './stories/assign-to-story.ts';
import { verifyRecord } from './verify.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('four writers deciding about the same rows never fail and publish positions in order in a valid record', async () => {
  const record = createRecordFactory({ database: store.database, clock });
  const { publisher, ids } = record;
  const groups = Array.from({ length: 3 }, () => ids.next<'reading-group'>());
  const items: Id<'item'>[] = [];
  for (let n = 0; n < 24; n += 1) items.push(await record.publish({ groupId: groups[n % 3]!, hoursAgo: n }));
  const stories: Id<'story'>[] = [];
  for (let n = 0; n < 4; n += 1) {
    const itemIds = items.slice(n * 6, n * 6 + 6);
    stories.push(valueOf(await publisher.openStory({ title: `story ${n}`, itemIds })).storyId);
  }
  const contentsOf = (itemIds: Id<'item'>[]) => ({
    headline: 'Headline',
    overview: 'Overview',
    headlineCites: itemIds.slice(0, 1),
    overviewCites: [],
    sections: [{ key: 'all', label: 'All', itemIds }],
    flashes: [],
  });
  for (const period of ['2026-09', '2026-10']) {
    await publisher.issueEdition({ kind: 'monthly', period, contents: contentsOf(items.slice(0, 20)) });
  }

  const write = async (seed: number): Promise<void> => {
    const random = randomOf(seed);
    const anItem = (): Id<'item'> => items[random(items.length)]!;
    const aStory = (): Id<'story'> => stories[random(stories.length)]!;
    const choices: readonly (() => Promise<unknown>)[] = [
      async () => {
        const published = await publisher.publishItem(
          record.draft({ groupId: groups[random(3)]!, storyId: aStory(), hoursAgo: random(100) }),
        );
        if (published.ok) items.push(published.value.itemId);
      },
      () => publisher.selectItem({ itemId: anItem(), reason: `reason ${random(3)}` }),
      () => publisher.selectItem({ itemId: anItem(), reason: `reason ${random(3)}` }),
      () => publisher.unselectItem({ itemId: anItem() }),
      () => publisher.reviseItem({ itemId: anItem(), changes: { title: `title ${random(9)}` } }),
      () => publisher.regroupItem({ itemId: anItem(), groupId: groups[random(3)]! }),
      () => (random(4) === 0 ? publisher.withdrawItem({ itemId: anItem() }) : Promise.resolve()),
      () => publisher.assignToStory({ storyId: aStory(), itemIds: [anItem(), anItem(), anItem()] }),
      () => publisher.splitStory({ storyId: aStory(), itemIds: [anItem()], title: 'Part' }),
      async () => {
        if (random(3) > 0) return;
        await publisher.mergeStories({ absorbedId: aStory(), survivorId: aStory() });
        const opened = valueOf(await publisher.openStory({ title: 'Another', itemIds: [] }));
        stories.push(opened.storyId);
      },
      () =>
        publisher.reviseStory({
          storyId: aStory(),
          changes: {
            digest: { text: 'x', sentences: [{ text: 'x', cites: [anItem()] }], contradictions: [] },
          },
        }),
      () =>
        publisher.linkStories([
          {
            storyId: aStory(),
            links: [{ storyId: aStory(), kind: 'related', strength: random(10) / 10 }],
          },
        ]),
      () =>
        publisher.reviseEdition({
          kind: 'monthly',
          period: random(2) === 0 ? '2026-09' : '2026-10',
          contents: contentsOf([...new Set([anItem(), anItem(), anItem()])]),
        }),
      () => publisher.correctEdition({ kind: 'monthly', period: '2026-10', note: 'A name was wrong.' }),
    ];
    for (let n = 0; n < 80; n += 1) await choices[random(choices.length)]!();
  };

  const writers = Promise.all([1, 2, 3, 4].map(write));
  expect(await latecomers(writers)).toEqual([]);
  const findings = await verifyRecord(store.database, clock.now());
  expect(findings.filter(({ offenders }) => offenders.length > 0)).toEqual([]);
}, 120_000);

/** Polls until the work is done. Positions up to the head of an earlier poll must have been visible then. */
async function latecomers(work: Promise<unknown>): Promise<readonly bigint[]> {
  const late: bigint[] = [];
  const progress = { done: false };
  const finished = work.finally(() => {
    progress.done = true;
  });
  let seen = new Map<bigint, string>();
  let head = 0n;
  while (!progress.done) {
    const rows = await store.database
      .selectFrom('record.ledger_entry')
      .select(['position', 'item_id'])
      .orderBy('position')
      .execute();
    for (const { position, item_id } of rows) {
      if (position <= head && seen.get(position) !== item_id) late.push(position);
    }
    seen = new Map(rows.map(({ position, item_id }) => [position, item_id]));
    head = rows.at(-1)?.position ?? 0n;
  }
  await finished;
  return late;
}

test('an item that is being cited cannot be withdrawn before the edition is stored', async () => {
  const { publisher, publish, ids } = createRecordFactory({ database: store.database, clock });
  const itemId = await publish();
  const cited = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const contents = {
    headline: 'Headline',
    overview: 'Overview',
    headlineCites: [itemId],
    overviewCites: [],
    sections: [{ key: 'all', label: 'All', itemIds: [itemId] }],
    flashes: [],
  };
  const issuing = decide({ database: store.database, clock, ids }, async (work) => {
    const issued = await issueEdition(work, { kind: 'daily', period: '2026-11-11', contents });
    cited.resolve();
    await released.promise;
    return issued;
  });
  await cited.promise;
  const withdrawing = publisher.withdrawItem({ itemId });
  await untilWaiting(store, 'no key update');
  released.resolve();
  expect(await issuing).toEqual({ ok: true, value: { revision: 1 } });
  expect(await withdrawing).toMatchObject({
    ok: true,
    value: { revisedEditions: [{ kind: 'daily', period: '2026-11-11' }] },
  });
});

test('an item that leaves a story just before a merge stays in its new story', async () => {
  const { publisher, publish, ids } = createRecordFactory({ database: store.database, clock });
  const leaving = await publish();
  const open = async (title: string, itemIds: Id<'item'>[]): Promise<Id<'story'>> =>
    valueOf(await publisher.openStory({ title, itemIds })).storyId;
  const absorbedId = await open('Absorbed', [leaving, await publish()]);
  const survivorId = await open('Survivor', [await publish()]);
  const elsewhere = await open('Elsewhere', []);
  const moved = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const moving = decide({ database: store.database, clock, ids }, async (work) => {
    const assigned = await assignToStory(work, { storyId: elsewhere, itemIds: [leaving] });
    moved.resolve();
    await released.promise;
    return assigned;
  });
  await moved.promise;
  const merging = publisher.mergeStories({ absorbedId, survivorId });
  await untilWaiting(store, 'no key update');
  released.resolve();
  expect((await moving).ok).toBe(true);
  expect(valueOf(await merging).movedItemIds).not.toContain(leaving);
  const findings = await verifyRecord(store.database, clock.now());
  expect(findings.filter(({ offenders }) => offenders.length > 0)).toEqual([]);
});

const emptyGroup = (id: Id<'reading-group'>) => ({
  id,
  firstAppearedAt: clock.now(),
  representativeId: null,
});

test('two decisions that deadlock both succeed in the end', async () => {
  const { ids } = createRecordFactory({ database: store.database, clock });
  const deps = { database: store.database, clock, ids };
  const [one, two] = [ids.next<'reading-group'>(), ids.next<'reading-group'>()];
  await insertReadingGroups(store.database, [one, two].map(emptyGroup));
  const bothHoldOne = Promise.withResolvers<void>();
  let holding = 0;
  let attempts = 0;
  const inOrder = (ordered: readonly Id<'reading-group'>[]) =>
    decide(deps, async (work) => {
      attempts += 1;
      // A retry uses the other's order: two transactions of one order cannot deadlock again.
      for (const id of attempts > 2 ? ordered.toReversed() : ordered) {
        // Ignores the lock order of decisions, which would not wait here.
        await selectReadingGroupsForUpdate(work.database, [id], { noWait: false });
        holding += 1;
        if (holding === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
      }
      return decided('done');
    });
  expect(await Promise.all([inOrder([one, two]), inOrder([two, one])])).toEqual([
    { ok: true, value: 'done' },
    { ok: true, value: 'done' },
  ]);
  expect(attempts).toBe(3);
});

test('a refused decision leaves no changes, not even those written before the refusal', async () => {
  const { ids } = createRecordFactory({ database: store.database, clock });
  const id = ids.next<'reading-group'>();
  const result = await decide({ database: store.database, clock, ids }, async ({ database }) => {
    await insertReadingGroups(database, [emptyGroup(id)]);
    return refused('no');
  });
  expect(result).toEqual({ ok: false, reason: 'no' });
  expect(await selectReadingGroupsForUpdate(store.database, [id], { noWait: false })).toEqual([]);
});
