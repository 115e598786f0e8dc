import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../test/clock.ts';
import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { createRecordFactory, hoursBefore, valueOf } from '../../test/factories/record-factory.ts';
import { RecordModel } from '../../test/record-model.ts';
import { fromTimestamptz } from '../foundation/database/timestamptz.ts';
import type { Id } from '../foundation/ids.ts';
import { timelineAtOf } from './items/item.ts';
import { verifyRecord } from './verify.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

type Record = ReturnType<typeof createRecordFactory>;
interface Step {
  readonly kind: (typeof kinds)[number];
  readonly one: number;
  readonly other: number;
  readonly flag: boolean;
}

// Items are frequent enough for the other decisions to find some.
const kinds = [
  'publish',
  'publish',
  'publish',
  'revise',
  'select',
  'select',
  'unselect',
  'regroup',
  'withdraw',
  'open',
  'assign',
  'assign',
  'digest',
  'digest',
  'merge',
  'split',
  'edition',
] as const;
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds),
  one: fc.nat(30),
  other: fc.nat(30),
  flag: fc.boolean(),
});

test('after any sequence of decisions, every projection equals a plain model of the record', async () => {
  let period = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 90 }), async (steps) => {
      const record = createRecordFactory({ database: store.database, clock });
      const model = new RecordModel();
      period += 1;
      for (const one of steps) await take(record, model, one, period);
      await agree(model);
      const findings = await verifyRecord(store.database, clock.now());
      expect(findings.filter(({ offenders }) => offenders.length > 0)).toEqual([]);
    }),
    { numRuns: 15 },
  );
}, 120_000);

async function take(record: Record, model: RecordModel, step: Step, period: number): Promise<void> {
  if (step.kind === 'publish') return publishOne(record, model, step);
  if (step.kind === 'edition') return issueOne(record, model, period);
  const items = model.standing();
  const item = items[step.one % Math.max(1, items.length)];
  const stories = model.openStories();
  const story = stories[step.other % Math.max(1, stories.length)];
  if (item !== undefined) await decideItem(record, model, step, item, story);
  if (story !== undefined) await decideStory(record, model, step, story);
}

type ModelItem = ReturnType<RecordModel['standing']>[number];
type ModelStory = ReturnType<RecordModel['openStories']>[number];

async function publishOne({ publisher, draft, ids }: Record, model: RecordModel, step: Step): Promise<void> {
  const items = model.standing();
  const groupId = step.flag
    ? ids.next()
    : (items[step.other % Math.max(1, items.length)]?.groupId ?? ids.next());
  const request = draft({
    groupId: groupId as Id<'reading-group'>,
    hoursAgo: step.one * 5,
    sourceName: `source ${step.other % 3}`,
    title: `title ${step.one}`,
    publishedAt: step.flag ? hoursBefore(clock.now(), step.one * 5 + step.other * 7) : null,
    firstImport: step.other % 2 === 0,
  });
  const { itemId } = valueOf(await publisher.publishItem(request));
  model.items.set(itemId, {
    id: itemId,
    sourceId: request.source.id,
    discoveredAt: request.discoveredAt,
    timelineAt: timelineAtOf({ ...request, firstImport: request.firstImport ?? false }),
    groupId,
    storyId: null,
    publishedAt: request.publishedAt,
    title: request.title,
    selected: false,
    withdrawn: false,
  });
}

async function issueOne({ publisher }: Record, model: RecordModel, period: number): Promise<void> {
  const items = model.standing().map(({ id }) => id);
  const label = `${2000 + period}-03`;
  const cited = items.slice(0, 4);
  const [first] = cited;
  if (first === undefined || model.editions.has(label)) return;
  const [sectioned, flashes] = [cited.slice(0, 2), cited.slice(2)];
  const contents = {
    headline: 'Headline',
    overview: 'Overview',
    headlineCites: [first],
    overviewCites: [],
    sections: [{ key: 'all', label: 'All', itemIds: sectioned }],
    flashes,
  };
  valueOf(await publisher.issueEdition({ kind: 'monthly', period: label, contents }));
  model.editions.set(label, { revision: 1, items: cited, headlineCites: [first] });
}

async function decideItem(
  { publisher, ids }: Record,
  model: RecordModel,
  { kind, other, flag }: Step,
  item: ModelItem,
  story: ModelStory | undefined,
): Promise<void> {
  const itemId = item.id;
  if (kind === 'revise') {
    const publishedAt = flag ? hoursBefore(item.discoveredAt, other) : item.publishedAt;
    const changes = { title: `title ${other}`, publishedAt };
    valueOf(await publisher.reviseItem({ itemId, changes }));
    model.revise(item, changes.title, publishedAt);
  } else if (kind === 'select') {
    valueOf(await publisher.selectItem({ itemId, reason: 'It matters.' }));
    model.select(item);
  } else if (kind === 'unselect') {
    valueOf(await publisher.unselectItem({ itemId }));
    model.unselect(item);
  } else if (kind === 'regroup') {
    const items = model.standing();
    const groupId = flag ? ids.next() : (items[other % items.length]?.groupId ?? ids.next());
    await publisher.regroupItem({ itemId, groupId: groupId as Id<'reading-group'> });
    model.regroup(item, groupId);
  } else if (kind === 'withdraw') {
    valueOf(await publisher.withdrawItem({ itemId }));
    model.withdraw(item);
  } else if (kind === 'open') {
    const { storyId } = valueOf(await publisher.openStory({ title: `story ${other}`, itemIds: [itemId] }));
    model.stories.set(storyId, { id: storyId, digestCites: null, mergedInto: null });
    model.assign(item, storyId);
  } else if (kind === 'assign' && story !== undefined) {
    valueOf(await publisher.assignToStory({ storyId: story.id, itemIds: [itemId] }));
    model.assign(item, story.id);
  }
}

async function decideStory(
  { publisher }: Record,
  model: RecordModel,
  { kind, one }: Step,
  story: ModelStory,
): Promise<void> {
  const reports = model.standing().filter(({ storyId }) => storyId === story.id);
  if (kind === 'digest') {
    const cites = reports.map(({ id }) => id);
    const digest = { text: 'All.', sentences: [{ text: 'All.', cites }], contradictions: [] };
    valueOf(await publisher.reviseStory({ storyId: story.id, changes: { digest } }));
    story.digestCites = cites;
  } else if (kind === 'merge') {
    const stories = model.openStories();
    const survivor = stories[one % stories.length];
    if (survivor === undefined || survivor.id === story.id) return;
    valueOf(await publisher.mergeStories({ absorbedId: story.id, survivorId: survivor.id }));
    model.merge(story, survivor);
  } else if (kind === 'split' && reports.length > 1) {
    const part = reports.slice(0, 1 + (one % (reports.length - 1)));
    const itemIds = part.map(({ id }) => id);
    const { storyId } = valueOf(await publisher.splitStory({ storyId: story.id, itemIds, title: 'Part' }));
    model.stories.set(storyId, { id: storyId, digestCites: null, mergedInto: null });
    for (const item of part) model.assign(item, storyId);
  }
}

async function agree(model: RecordModel): Promise<void> {
  const ids = ['00000000-0000-0000-0000-000000000000', ...model.items.keys()];
  const { database } = store;
  const shown = await database.selectFrom('record.window_item').selectAll().where('id', 'in', ids).execute();
  const window = shown.map((row) => [
    row.id,
    {
      timelineKey: fromTimestamptz(row.timeline_key),
      publishedKey: fromTimestamptz(row.published_key),
      selected: row.selected,
      title: (JSON.parse(row.body.replace('\u0001', '')) as { title: string }).title,
    },
  ]);
  expect(new Map(window as [string, unknown][])).toEqual(model.window());
  const entries = await database
    .selectFrom('record.ledger_entry')
    .select(['item_id as id', 'removed'])
    .where('item_id', 'in', ids)
    .orderBy('position')
    .execute();
  expect(entries).toEqual(model.ledger);
  for (const story of model.stories.values()) {
    const row = await database
      .selectFrom('record.story')
      .selectAll()
      .where('id', '=', story.id)
      .executeTakeFirstOrThrow();
    expect({
      reports: row.report_count,
      sources: row.source_count,
      first: row.first_report_at === null ? null : fromTimestamptz(row.first_report_at),
      digest: row.digest !== null,
      mergedInto: row.merged_into,
    }).toEqual(model.storyView(story));
  }
  for (const [period, edition] of model.editions) {
    const rows = await database
      .selectFrom('record.edition as edition')
      .leftJoin('record.edition_citation as citation', (join) =>
        join
          .onRef('citation.kind', '=', 'edition.kind')
          .onRef('citation.period', '=', 'edition.period')
          .onRef('citation.revision', '=', 'edition.revision'),
      )
      .select(['edition.revision', 'citation.item_id'])
      .where('edition.period', '=', period)
      .execute();
    expect(new Set(rows.map(({ item_id }) => item_id).filter((id) => id !== null))).toEqual(
      new Set(edition.items),
    );
    expect(rows[0]?.revision).toBe(edition.revision);
  }
}
