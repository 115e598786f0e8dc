import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { TestDesk } from '../../../test/desk.ts';
import { startTestDesk } from '../../../test/desk.ts';
import { valueOf } from '../../../test/factories/record-factory.ts';
import type { Id } from '../../foundation/ids.ts';
import { addMs } from '../../foundation/instant.ts';
import { releaseEmbargoed } from '../publication/entry-hold-store.ts';
import { versionOf } from './journal.ts';

let desks: TestDesk;
let stage: TestDesk['stage'];
let newsroom: TestDesk['newsroom'];
let record: TestDesk['record'];
beforeAll(async () => {
  desks = await startTestDesk();
  ({ stage, newsroom, record } = desks);
});
afterAll(() => stage.stop());
beforeEach(() => stage.age());

describe('a decision', () => {
  test('writes one entry with who, why, before and after', async () => {
    const desk = await desks.deskOf(newsroom.owner);
    const itemId = await record.publish();
    valueOf(await desk.selectItem({ itemId, reason: 'It matters.' }));
    expect(await desks.journalOf(itemId)).toMatchObject([
      {
        action: 'select',
        subject: { kind: 'item', id: itemId },
        actor: { kind: 'person', name: expect.any(String) },
        reason: 'It matters.',
        before: { selected: false, title: 'A model was released' },
        after: { selected: true },
        undoes: null,
        undoneBy: null,
      },
    ]);
  });

  test('is taken once for a repeated request, also if both arrive at the same time', async () => {
    const desk = await desks.deskOf(newsroom.owner);
    const itemIds = [
      await record.publish({ sourceName: 'One' }),
      await record.publish({ sourceName: 'Two' }),
    ];
    const { storyId } = valueOf(await record.publisher.openStory({ title: 'One event', itemIds }));
    const requestId = record.ids.next();
    const split = () =>
      desk.splitStory({
        storyId,
        itemIds: itemIds.slice(1),
        title: 'A model was released',
        reason: 'Two events.',
        requestId,
      });
    const results = await Promise.all([split(), split()]);
    expect(results.map((result) => (result.ok ? 'split' : result.reason)).sort()).toEqual([
      'repeated_request',
      'split',
    ]);
    expect(await split()).toMatchObject({ reason: 'repeated_request' });
    expect(await desks.journalOf(storyId)).toHaveLength(1);
  });

  test('is refused for a form that is based on another version, and returns the current one', async () => {
    const desk = await desks.deskOf(newsroom.owner);
    const itemId = await record.publish();
    valueOf(await desk.selectItem({ itemId, reason: 'It matters.' }));
    const [entry] = await desks.journalOf(itemId);
    const stale = versionOf(entry?.before ?? raise());
    const current = versionOf(entry?.after ?? raise());
    const changes = { category: 'industry' as const };
    const refused = await desk.correctItem({ itemId, changes, reason: 'x', version: stale });
    expect(refused).toMatchObject({ reason: 'stale_version', current: { selected: true } });
    valueOf(await desk.correctItem({ itemId, changes, reason: 'x', version: current }));
    expect(await desks.journalOf(itemId)).toHaveLength(2);
  });

  test('leaves nothing behind if it is refused', async () => {
    const desk = await desks.deskOf(newsroom.owner);
    const itemId = await record.publish();
    expect(await desk.unselectItem({ itemId, reason: 'No.' })).toEqual({ ok: false, reason: 'not_selected' });
    expect(await desks.journalOf(itemId)).toEqual([]);
  });
});

describe('the journal', () => {
  async function selected(): Promise<Id<'item'>> {
    const itemId = await record.publish();
    valueOf(await (await desks.deskOf(newsroom.owner)).selectItem({ itemId, reason: 'It matters.' }));
    return itemId;
  }

  test.each(['UPDATE newsroom.journal_entry SET detail = detail', 'DELETE FROM newsroom.journal_entry'])(
    'refuses every login: %s',
    async (statement) => {
      await selected();
      await expect(stage.database.asSuperuser(statement)).rejects.toThrow('not changed or deleted');
    },
  );

  test('refuses changed words, and erases them with the withdrawal of the item', async () => {
    const itemId = await selected();
    await expect(
      stage.database.asSuperuser(`UPDATE newsroom.journal_words SET words = 'x', salt = salt`),
    ).rejects.toThrow('not changed or deleted');
    const desk = await desks.deskOf(newsroom.owner);
    valueOf(await desk.unselectItem({ itemId, reason: 'No.' }));
    valueOf(await desk.withdrawItem({ itemId, reason: 'Wrong.' }));
    const [withdrawal, , selection] = await desks.journalOf(itemId);
    expect(withdrawal).toMatchObject({ action: 'withdraw', reason: 'Wrong.', before: null, isErased: false });
    expect(selection).toMatchObject({ action: 'select', reason: null, before: null, isErased: true });
    const left = await stage.database.asSuperuser(
      `SELECT words, salt FROM newsroom.journal_words WHERE $1::uuid = ANY(item_ids)`,
      [itemId],
    );
    expect(left.length).toBeGreaterThan(0);
    for (const row of left) expect(row).toEqual({ words: null, salt: null });
    for (const { detail } of await desks.journalOf(itemId))
      expect(JSON.stringify(detail)).not.toMatch(/matters|released/);
  });
});

function raise(): never {
  throw new Error('missing');
}

describe('undo', () => {
  const stateOf = (itemId: Id<'item'>) =>
    stage.database.database
      .selectFrom('record.item')
      .select(['title', 'category', 'selected', 'reason', 'story_id'])
      .where('id', '=', itemId)
      .executeTakeFirst();
  const newest = async (subject: string): Promise<string> =>
    (await desks.journalOf(subject))[0]?.id ?? raise();

  test('restores selection, reason and category, once, and in any order', async () => {
    const desk = await desks.deskOf(newsroom.owner);
    const itemId = await record.publishSelected();
    const before = await stateOf(itemId);
    valueOf(await desk.unselectItem({ itemId, reason: 'Not important.' }));
    const unselected = await newest(itemId);
    const changes = { category: 'industry' as const };
    valueOf(await desk.correctItem({ itemId, changes, reason: 'It is about a company.' }));
    const corrected = await newest(itemId);
    valueOf(await desk.undo({ id: unselected, reason: 'A mistake.' }));
    valueOf(await desk.undo({ id: corrected, reason: 'A mistake.' }));
    expect(await stateOf(itemId)).toEqual(before);
    expect(await desk.undo({ id: corrected, reason: 'Again.' })).toEqual({
      ok: false,
      reason: 'already_undone',
    });
    expect(
      (await desks.journalOf(itemId)).map(({ action, undoneBy }) => [action, undoneBy !== null]),
    ).toEqual([
      ['correct', false],
      ['select', false],
      ['correct', true],
      ['unselect', true],
    ]);
  });

  test('of a selection restores the item that represented the reading group, with its reason', async () => {
    const desk = await desks.deskOf(newsroom.owner);
    const groupId = record.ids.next<'reading-group'>();
    const one = await record.publishSelected({ groupId, sourceName: 'A' });
    const two = await record.publish({ groupId, sourceName: 'B' });
    const [before, beforeOther] = [await stateOf(one), await stateOf(two)];
    valueOf(await desk.selectItem({ itemId: two, reason: 'It is the original.' }));
    expect((await stateOf(one))?.selected).toBe(false);
    valueOf(await desk.undo({ id: await newest(two), reason: 'A mistake.' }));
    expect([await stateOf(one), await stateOf(two)]).toEqual([before, beforeOther]);
  });

  test('is refused for a correction that a later one changed, and for a withdrawal', async () => {
    const desk = await desks.deskOf(newsroom.owner);
    const itemId = await record.publish();
    valueOf(await desk.correctItem({ itemId, changes: { category: 'industry' }, reason: 'One.' }));
    const first = await newest(itemId);
    valueOf(await desk.correctItem({ itemId, changes: { category: 'paper' }, reason: 'Two.' }));
    expect(await desk.undo({ id: first, reason: 'x' })).toEqual({ ok: false, reason: 'changed_since' });
    valueOf(await desk.withdrawItem({ itemId, reason: 'Wrong.' }));
    const refused = { ok: false, reason: 'cannot_be_undone' };
    expect(await desk.undo({ id: await newest(itemId), reason: 'x' })).toEqual(refused);
    expect(await desk.undo({ id: first, reason: 'x' })).toEqual(refused);
  });

  test('separates merged stories and merges separated ones', async () => {
    const desk = await desks.deskOf(newsroom.owner);
    const [one, two] = [await record.publish({ sourceName: 'A' }), await record.publish({ sourceName: 'B' })];
    const open = async (id: Id<'item'>) =>
      valueOf(await record.publisher.openStory({ title: 'A model was released', itemIds: [id] })).storyId;
    const [survivorId, absorbedId] = [await open(one), await open(two)];
    valueOf(await desk.mergeStories({ survivorId, absorbedId, reason: 'One event.' }));
    valueOf(await desk.undo({ id: await newest(absorbedId), reason: 'Two events.' }));
    expect((await stateOf(two))?.story_id).not.toBe(survivorId);
    valueOf(await desk.undo({ id: await newest(survivorId), reason: 'One event after all.' }));
    expect((await stateOf(two))?.story_id).toBe(survivorId);
  });

  test('needs the permission of the inverse decision', async () => {
    const itemId = await record.publishSelected();
    valueOf(await (await desks.deskOf(newsroom.owner)).unselectItem({ itemId, reason: 'No.' }));
    const reporter = await desks.deskOf(await desks.addMemberWith('reporter'));
    await expect(reporter.undo({ id: await newest(itemId), reason: 'x' })).rejects.toThrow('forbidden');
  });
});

describe('entries that are not published', () => {
  /** An entry of a source that nothing polls. */
  async function land(): Promise<Id<'item'>> {
    const [id, sourceId] = [record.ids.next<'item'>(), record.ids.next<'source'>()];
    await stage.database.asSuperuser(
      `WITH site AS (INSERT INTO newsroom.domain (name, due_at) VALUES ($1 || '.example', now()) RETURNING name),
       source AS (INSERT INTO newsroom.source (id, name, owner, first_party, tier, participation, feed_url, list_form,
           domain, created_at, state, due_at)
         SELECT $1::uuid, 'Lab', 'Lab', false, 2, 'editorial', 'https://' || name, '{"kind": "feed"}', name, now(),
           'active', now() FROM site RETURNING id)
       INSERT INTO newsroom.entry (id, source_id, url, title, text, discovered_at, first_import)
       SELECT $2::uuid, id, 'https://lab.example/1', 'Lab opens', '', '2026-11-14T00:00:00Z', false FROM source`,
      [sourceId, id],
    );
    return id;
  }
  const entryOf = async (id: string) =>
    (
      await stage.database.asSuperuser(
        `SELECT outcome, discovered_at > '2026-11-14T00:00:00Z' AS is_later FROM newsroom.entry WHERE id = $1`,
        [id],
      )
    )[0];

  test('are held until they are released, as discovered at the release', async () => {
    const desk = await desks.deskOf(newsroom.owner);
    const id = await land();
    valueOf(await desk.holdEntry({ id, reason: 'Waiting for a second source.' }));
    expect(await entryOf(id)).toEqual({ outcome: 'held', is_later: false });
    expect(await desk.reviews()).toEqual([]);
    valueOf(await desk.releaseEntry({ id }));
    expect(await entryOf(id)).toEqual({ outcome: null, is_later: true });
    expect(await desk.releaseEntry({ id })).toEqual({ ok: false, reason: 'not_held' });
  });

  test('are released at the end of an embargo, with an entry of the rule', async () => {
    const desk = await desks.deskOf(newsroom.owner);
    const id = await land();
    const until = addMs(stage.clock.now(), 60_000);
    valueOf(await desk.holdEntry({ id, reason: 'Embargo.', until }));
    await releaseEmbargoed(stage.database.database, stage.clock.now());
    expect(await entryOf(id)).toMatchObject({ outcome: 'held' });
    await releaseEmbargoed(stage.database.database, addMs(until, 1));
    expect(await entryOf(id)).toEqual({ outcome: null, is_later: true });
    expect(await desks.journalOf(id)).toMatchObject([
      { action: 'release', actor: { kind: 'rule', rule: 'embargo' } },
      { action: 'hold', actor: { kind: 'person' } },
    ]);
  });

  test('are dropped until the decision is undone', async () => {
    const desk = await desks.deskOf(newsroom.owner);
    const id = await land();
    valueOf(await desk.dropEntry({ id, reason: 'An advertisement.' }));
    expect(await entryOf(id)).toMatchObject({ outcome: 'held' });
    const [entry] = await desks.journalOf(id);
    valueOf(await desk.undo({ id: entry?.id ?? raise(), reason: 'It is news.' }));
    expect(await entryOf(id)).toMatchObject({ outcome: null });
  });
});
