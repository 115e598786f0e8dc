import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { valueOf } from '../../../test/factories/record-factory.ts';
import { untilWaiting } from '../../../test/waiting-session.ts';
import type { TestReader } from '../../../test/watch.ts';
import { startTestWatch } from '../../../test/watch.ts';
import type { Id } from '../../foundation/ids.ts';
import { gramsOfTerms } from '../../foundation/search-text.ts';

let stage: Awaited<ReturnType<typeof startTestWatch>>;
let reader: TestReader;
beforeAll(async () => {
  stage = await startTestWatch();
  reader = await stage.newReader();
  await stage.match();
});
afterAll(() => stage.stop());

describe('a new item', () => {
  test('matches the searches whose every term it contains and whose excluded term it does not', async () => {
    const found = await reader.save({ q: '开源 模型' });
    const excluded = await reader.save({ q: '开源', without: '发布会' });
    const latin = await reader.save({ q: 'gpu prices' });
    await stage.factory.publish({ title: '新的开源模型', summary: '在发布会上' });
    await stage.factory.publish({ title: 'GPU shortage', summary: 'Prices rise again' });
    await stage.match();
    expect(await reader.titlesOf(found)).toEqual(['新的开源模型']);
    expect(await reader.titlesOf(excluded)).toEqual([]);
    expect(await reader.titlesOf(latin)).toEqual(['GPU shortage']);
  });

  test('is compared with source, category, language and set, and not shown of a hidden source or category', async () => {
    const { id: wire } = stage.factory.source('Evening Wire');
    const { id: blog } = stage.factory.source('Lab Blog');
    const of = { sourceName: 'Evening Wire', category: 'paper', language: 'de-DE' } as const;
    const ids = {
      source: await reader.save({ source: wire }),
      category: await reader.save({ category: 'paper' }),
      german: await reader.save({ category: 'paper', language: 'de' }),
      french: await reader.save({ category: 'paper', language: 'fr' }),
      selected: await reader.save({ source: wire, mode: 'selected' }),
      hiddenSource: await reader.save({ category: 'paper', hiddenSources: [wire] }),
      hiddenCategory: await reader.save({ q: 'superconductors', hiddenCategories: ['paper'] }),
      otherSource: await reader.save({ source: blog }),
    };
    const item = await stage.factory.publish({ ...of, title: 'Superconductors at last' });
    await stage.match();
    const matched = async () => {
      const titles = Object.entries(ids).map(async ([name, id]) =>
        (await reader.titlesOf(id)).length > 0 ? name : '',
      );
      return (await Promise.all(titles)).filter((name) => name !== '').sort();
    };
    expect(await matched()).toEqual(['category', 'german', 'source']);
    valueOf(await stage.factory.publisher.selectItem({ itemId: item, reason: 'First' }));
    await stage.match();
    expect(await matched()).toEqual(['category', 'german', 'selected', 'source']);
  });

  test('matches once, however often it changes, and is gone when it is withdrawn', async () => {
    const id = await reader.save({ q: 'lithography' });
    const item = await stage.factory.publish({ title: 'Lithography machines' });
    await stage.match();
    valueOf(
      await stage.factory.publisher.reviseItem({
        itemId: item,
        changes: { title: 'New lithography machines' },
      }),
    );
    await stage.match();
    expect(await reader.titlesOf(id)).toEqual(['New lithography machines']);
    valueOf(await stage.factory.publisher.withdrawItem({ itemId: item }));
    expect(await reader.titlesOf(id)).toEqual([]);
  });

  test('is found when a revision brings the word', async () => {
    const id = await reader.save({ q: 'photonics' });
    const item = await stage.factory.publish({ title: 'A start-up' });
    await stage.match();
    expect(await reader.titlesOf(id)).toEqual([]);
    valueOf(
      await stage.factory.publisher.reviseItem({ itemId: item, changes: { title: 'A photonics start-up' } }),
    );
    await stage.match();
    expect(await reader.titlesOf(id)).toEqual(['A photonics start-up']);
  });

  test('is not found by the former words of a query that changes while items are compared', async () => {
    const id = await reader.save({ q: 'tidal' });
    await stage.factory.publish({ title: 'Tidal power' });
    const { matching } = await stage.database.database.transaction().execute(async (transaction) => {
      await sql`UPDATE watch.saved_search SET q = 'lunar', terms = '{lunar}' WHERE id = ${id}`.execute(
        transaction,
      );
      const begun = stage.match();
      await untilWaiting(stage.database, 'saved_search');
      return { matching: begun };
    });
    await matching;
    expect(await reader.titlesOf(id)).toEqual([]);
  });

  test('is no match if it is old news of a new source', async () => {
    const id = await reader.save({ q: 'archaeology' });
    const publishedAt = stage.clock.now() - 30n * 86_400_000_000n;
    await stage.factory.publish({ title: 'Archaeology by machine', publishedAt: publishedAt as never });
    await stage.match();
    expect(await reader.titlesOf(id)).toEqual([]);
  });
});

describe('the number of sources', () => {
  test('shows the items of a story once enough independent sources report it, also after a merge', async () => {
    const id = await reader.save({ q: 'earthquake sensors', minSources: 2 });
    const publish = (sourceName: string): Promise<Id<'item'>> =>
      stage.factory.publish({ title: `Earthquake sensors, by ${sourceName}`, sourceName });
    const items = [await publish('First Wire'), await publish('Second Wire'), await publish('Third Wire')];
    const { publisher } = stage.factory;
    const open = async (itemIds: readonly Id<'item'>[]) =>
      valueOf(await publisher.openStory({ title: 'Sensors', itemIds })).storyId;
    const one = await open([items[0]!]);
    await stage.match();
    expect(await reader.titlesOf(id)).toEqual([]);
    valueOf(await publisher.assignToStory({ storyId: one, itemIds: [items[1]!] }));
    valueOf(await publisher.reviseItem({ itemId: items[1]!, changes: { summary: 'Second' } }));
    await stage.match();
    expect(await reader.titlesOf(id)).toHaveLength(2);
    const two = await open([items[2]!]);
    await stage.match();
    expect(await reader.titlesOf(id)).toHaveLength(2);
    valueOf(await publisher.mergeStories({ absorbedId: two, survivorId: one }));
    await stage.match();
    expect(await reader.titlesOf(id)).toHaveLength(3);
  });
});

test('a search is filed under its rarest gram, and found after it was filed again', async () => {
  const before = await reader.save({ q: 'common rarely' });
  for (let at = 0; at < 20; at += 1) await stage.factory.publish({ title: `A common matter ${at}` });
  await stage.match();
  const refile = stage.recurringTasks.find(({ name }) => name === 'refile-saved-searches');
  await refile?.run({ step: (_name: string, work: () => Promise<unknown>) => work() } as never);
  const after = await reader.save({ q: 'common rarely' });
  const rows = await stage.database.asSuperuser(
    'SELECT filed_under::text FROM watch.saved_search WHERE id IN ($1, $2)',
    [before, after],
  );
  const rare = new Set(gramsOfTerms(['rarely']).map(String));
  expect(rows.map(({ filed_under: key }) => rare.has(String(key)))).toEqual([true, true]);
  await stage.factory.publish({ title: 'Common, yet rarely seen' });
  await stage.match();
  expect(await reader.titlesOf(before)).toEqual(['Common, yet rarely seen']);
  expect(await reader.titlesOf(after)).toEqual(['Common, yet rarely seen']);
});
