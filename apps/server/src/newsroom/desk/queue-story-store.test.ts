import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import type { Id } from '../../foundation/ids.ts';
import type { StoryDecision } from '../stories/story-decision-store.ts';
import { insertStoryDecisions } from '../stories/story-decision-store.ts';
import { createEditorDesk } from './editor-desk.ts';
import { listJournal } from './journal-store.ts';
import { listDoubtfulGroupings } from './queue-story-store.ts';

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
beforeEach(() => clock.advance({ minutes: 1 }));

const reason = 'One event.';
const doubts = async () =>
  (await listDoubtfulGroupings(store.database, { now: clock.now(), countMax: 50 })).map(({ id }) => id);

const dismiss = (id: string) => desk.dismiss({ subject: { kind: 'entry', id } });

async function story(sourceName: string) {
  const itemId = await record.publish({ sourceName });
  const { storyId } = valueOf(await record.publisher.openStory({ title: sourceName, itemIds: [itemId] }));
  // An item of its own entry, so that decisions about it have a subject.
  await store.asSuperuser(
    `WITH site AS (INSERT INTO newsroom.domain (name, due_at) VALUES ($1 || '.example', now()) RETURNING name),
     source AS (INSERT INTO newsroom.source (id, name, owner, first_party, tier, participation, feed_url, list_form,
         domain, created_at, state, due_at)
       SELECT gen_random_uuid(), 'Lab', 'Lab', false, 2, 'editorial', 'https://' || name, '{"kind": "feed"}', name,
         now(), 'active', now() FROM site RETURNING id)
     INSERT INTO newsroom.entry (id, source_id, url, title, text, discovered_at, first_import)
     SELECT $1::uuid, id, 'https://lab.example/1', 'Lab', '', now(), false FROM source`,
    [itemId],
  );
  return { itemId, storyId };
}

async function decide(
  kind: 'open' | 'join',
  itemId: Id<'item'>,
  { storyId, other, likelihood }: { storyId: Id<'story'>; other: Id<'story'>; likelihood: number },
): Promise<void> {
  const verdict = {
    storyId: other,
    likelihood,
    founderLikelihood: 0.5,
    clash: null,
    closestId: itemId,
    features: {},
  };
  const decision: StoryDecision = {
    decidedAt: clock.now(),
    kind,
    itemId,
    storyId,
    otherStoryId: null,
    ruleVersion: '1',
    detail: { verdicts: [verdict] },
  };
  await insertStoryDecisions(store.database, [decision]);
}

test('a doubt about a grouping is listed until this doubt is decided, and again when the decision is undone', async () => {
  const [one, two, three] = [await story('A'), await story('B'), await story('C')];
  await decide('open', one.itemId, { storyId: one.storyId, other: two.storyId, likelihood: 0.5 });
  expect(await doubts()).toEqual([one.itemId]);
  // Another decision about one of the stories.
  valueOf(await desk.mergeStories({ absorbedId: three.storyId, survivorId: two.storyId, reason }));
  expect(await doubts()).toEqual([one.itemId]);
  valueOf(await desk.mergeStories({ absorbedId: one.storyId, survivorId: two.storyId, reason }));
  expect(await doubts()).toEqual([]);
  const [merge] = await listJournal(store.database, { subject: one.storyId, countMax: 1 });
  valueOf(await desk.undo({ id: merge?.id ?? '', reason }));
  // The editors have separated the two.
  expect(await doubts()).toEqual([]);
});

test('a dismissed doubt returns when the dismissal is undone, and does not hide a later doubt', async () => {
  const [one, two, three] = [await story('D'), await story('E'), await story('F')];
  await decide('open', one.itemId, { storyId: one.storyId, other: two.storyId, likelihood: 0.5 });
  valueOf(await dismiss(one.itemId));
  expect(await doubts()).toEqual([]);
  expect(await dismiss(one.itemId)).toEqual({ ok: false, reason: 'nothing_to_decide' });
  const [dismissal] = await listJournal(store.database, { subject: one.itemId, countMax: 1 });
  valueOf(await desk.undo({ id: dismissal?.id ?? '', reason }));
  expect(await doubts()).toEqual([one.itemId]);
  valueOf(await dismiss(one.itemId));
  await decide('open', one.itemId, { storyId: one.storyId, other: three.storyId, likelihood: 0.4 });
  expect(await doubts()).toEqual([one.itemId]);
});

test('an entry without a doubt cannot be dismissed', async () => {
  const { itemId, storyId } = await story('G');
  await decide('open', itemId, { storyId, other: (await story('H')).storyId, likelihood: 0.2 });
  const refused = { ok: false, reason: 'nothing_to_decide' };
  expect(await dismiss(itemId)).toEqual(refused);
  expect(await dismiss(record.ids.next())).toEqual(refused);
});
