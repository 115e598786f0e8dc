import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import type { Id } from '../../foundation/ids.ts';
import { createEditorDesk } from './editor-desk.ts';
import { listJournal } from './journal-store.ts';
import { readUndoable } from './undoable.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
let desk: ReturnType<typeof createEditorDesk>;
beforeAll(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
  desk = createEditorDesk({ database: store.database, clock, publisher: record.publisher, language: 'en' });
});
afterAll(() => store.drop());

const reason = 'It is better.';
const journalOf = (subject: string) => listJournal(store.database, { subject, countMax: 50 });
const newestOf = async (subject: string) => (await journalOf(subject))[0]?.id ?? '';
const isOffered = async (subject: string, id: string): Promise<boolean> =>
  (await readUndoable(store.database, await journalOf(subject), clock.now())).has(id);
const undo = (id: string) => desk.undo({ id, reason: 'A mistake.' });

test('a selection of another report of the reading group is undone before', async () => {
  const groupId = record.ids.next<'reading-group'>();
  const one = await record.publishSelected({ groupId, sourceName: 'A' });
  const other = await record.publish({ groupId, sourceName: 'B' });
  valueOf(await desk.unselectItem({ itemId: one, reason }));
  const unselected = await newestOf(one);
  valueOf(await desk.selectItem({ itemId: other, reason }));
  const selected = await newestOf(other);
  valueOf(await desk.unselectItem({ itemId: other, reason }));
  const last = await newestOf(other);
  for (const [subject, id] of [
    [other, last],
    [other, selected],
    [one, unselected],
  ] as const) {
    // With `one` selected again, neither of the two decisions about `other` could be undone.
    expect(await isOffered(one, unselected)).toBe(id === unselected);
    expect(await isOffered(subject, id)).toBe(true);
    expect(await undo(id)).toMatchObject({ ok: true });
  }
});

/** A story of two reports with a digest of the first one, and another story. */
async function openStories() {
  const open = async (itemIds: readonly Id<'item'>[]) =>
    valueOf(await record.publisher.openStory({ title: 'An event', itemIds })).storyId;
  const [first, second, third] = [await record.publish(), await record.publish(), await record.publish()];
  const [storyId, otherId] = [await open([first, second]), await open([third])];
  const sentences = [{ text: 'By rule.', cites: [first] }];
  const digest = { text: 'By rule.', sentences, contradictions: [] };
  valueOf(await record.publisher.reviseStory({ storyId, changes: { digest } }));
  const rewriteDigest = async (): Promise<string> => {
    const written = { language: 'en', sentences: [{ text: 'By an editor.', cites: [first] }] } as const;
    valueOf(await desk.rewriteDigest({ storyId, ...written, reason, unverified: 'A test.' }));
    return newestOf(storyId);
  };
  return { storyId, otherId, second, rewriteDigest };
}

const digestOf = async (storyId: Id<'story'>) =>
  valueOf(await record.publisher.inspectStory({ storyId })).digest?.text;

test('the undo of a split that left the digest does not return a digest whose undo came first', async () => {
  const { storyId, second, rewriteDigest } = await openStories();
  const rewritten = await rewriteDigest();
  valueOf(await desk.splitStory({ storyId, itemIds: [second], title: 'Another event', reason }));
  const split = await newestOf(storyId);
  expect(await undo(rewritten)).toMatchObject({ ok: true });
  expect(await undo(split)).toMatchObject({ ok: true });
  expect(await digestOf(storyId)).toBe('By rule.');
});

test('a digest written before a story was merged into this one is undone after the merge', async () => {
  const { storyId, otherId, rewriteDigest } = await openStories();
  const rewritten = await rewriteDigest();
  valueOf(await desk.mergeStories({ absorbedId: otherId, survivorId: storyId, reason }));
  const merged = await newestOf(otherId);
  expect(await isOffered(storyId, rewritten)).toBe(false);
  expect(await undo(rewritten)).toMatchObject({ ok: false });
  expect(await undo(merged)).toMatchObject({ ok: true });
  expect(await undo(rewritten)).toMatchObject({ ok: true });
  expect(await digestOf(storyId)).toBe('By rule.');
});

test('a split is undone after the remaining story that was merged into another one', async () => {
  const { storyId, otherId, second } = await openStories();
  valueOf(await desk.splitStory({ storyId, itemIds: [second], title: 'Another event', reason }));
  const split = await newestOf(storyId);
  valueOf(await desk.mergeStories({ absorbedId: storyId, survivorId: otherId, reason }));
  const merged = await newestOf(storyId);
  expect(await isOffered(storyId, split)).toBe(false);
  for (const id of [merged, split]) {
    expect(await isOffered(storyId, id)).toBe(true);
    expect(await undo(id)).toMatchObject({ ok: true });
  }
});
