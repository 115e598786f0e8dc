import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import type { Id } from '../../foundation/ids.ts';
import { editions } from '../../record/index.ts';
import { issueEdition } from '../editions/compile-edition.ts';
import { readDraft } from '../editions/draft-edition.ts';
import { replayEdition } from '../editions/replay-edition.ts';
import type { DraftChange } from './decide-drafts.ts';
import { versionOfDraft } from './drafts.ts';
import { createEditorDesk } from './editor-desk.ts';
import { listJournal } from './journal-store.ts';
import { readPreviewedDraft } from './preview-draft.ts';

const settings = { language: 'en', aliases: [] } as const;
// Every test is about the next day: 07:10 in Shanghai.
const clock = createTestClock('2026-12-01T23:10:00.000Z');
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
let desk: ReturnType<typeof createEditorDesk>;
let day: string;
let items: Readonly<Record<'halden' | 'corvid' | 'tarn', Id<'item'>>>;
beforeAll(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
  const { publisher } = record;
  desk = createEditorDesk({ database: store.database, clock, publisher, ...settings });
});
afterAll(() => store.drop());

/** By rule, Halden leads, then Corvid, then Tarn. */
beforeEach(async () => {
  // Items of the test before are too old for this day.
  clock.advance({ hours: 72 });
  clock.set(`${new Date(clock.nowMs()).toISOString().slice(0, 10)}T23:10:00.000Z`);
  day = new Date(clock.nowMs() + 8 * 3_600_000).toISOString().slice(0, 10);
  const publish = (title: string, score: number) =>
    record.publishSelected({
      title,
      summary: `${title} on ${day}.`,
      sourceName: title,
      score,
      language: 'en',
    });
  items = {
    halden: await publish(`Halden opens an office in Ostrava in ${day}`, 90),
    corvid: await publish(`Corvid 3 costs half as much as Corvid 2 in ${day}`, 70),
    tarn: await publish(`Tarn buys Quill for 20 million dollars in ${day}`, 50),
  };
});

const key = () => ({ kind: 'daily', period: day }) as const;
const edit = (change: DraftChange, form: { readonly version?: string; readonly requestId?: string } = {}) =>
  desk.editDraft({ ...key(), change, ...form });
const draft = () => readDraft(settings, store.database, key());
const journal = () => listJournal(store.database, { subject: day, countMax: 50 });

/** Moves the clock to the hour and publishes as the worker does. */
async function publishAtTheHour(kind: editions.EditionKind = 'daily', period = day): Promise<void> {
  const due = editions.editionCalendar[kind].due(period as never);
  clock.set(new Date(Number(due / 1_000n)).toISOString());
  const deps = { clock, publisher: record.publisher, release: '0.9.0', ...settings };
  await store.database
    .transaction()
    .execute((transaction) => issueEdition(deps, transaction, { kind, period }));
}

async function published(kind: editions.EditionKind = 'daily', period = day) {
  const edition = await editions.readEdition(store.database, kind, period);
  if (edition === null) throw new Error('not published');
  return { ...edition, ids: edition.sections.flatMap((section) => section.items.map(({ id }) => id)) };
}

const replay = async () => (await replayEdition(store.database, settings, key())).outcome;

describe('a draft', () => {
  test('is published at the hour with what editors did, and replays byte for byte', async () => {
    valueOf(await edit({ op: 'pin', itemId: items.tarn }));
    valueOf(await edit({ op: 'drop', itemId: items.halden }));
    const late = await record.publishSelected({
      title: 'Found after the edits',
      sourceName: 'Late',
      score: 99,
    });
    await publishAtTheHour();
    expect((await published()).ids).toEqual([items.tarn, late, items.corvid]);
    expect(await replay()).toBe('same');
    expect((await published()).revision).toBe(1);
  });

  test('is published by rule without edits', async () => {
    await publishAtTheHour();
    expect((await published()).ids).toEqual([items.halden, items.corvid, items.tarn]);
    expect(await replay()).toBe('same');
  });

  test('has an added item that was not selected, and only one of its own time', async () => {
    const fresh = await record.publish({ title: 'Not selected', sourceName: 'Fresh', score: 1 });
    const old = await record.publish({ title: 'Old', sourceName: 'Old', hoursAgo: 90 });
    valueOf(await edit({ op: 'add', itemId: fresh }));
    expect(await edit({ op: 'add', itemId: old })).toMatchObject({ reason: 'cannot_be_added' });
    expect(await edit({ op: 'add', itemId: items.tarn })).toMatchObject({ reason: 'already_in_draft' });
    await publishAtTheHour();
    const edition = await published();
    expect([edition.ids.includes(fresh), edition.unselectedCount]).toEqual([true, 1]);
    expect(await replay()).toBe('same');
  });

  test('opens an hour before publication, closes at the hour, and is closed once published', async () => {
    const now = `${new Date(clock.nowMs()).toISOString().slice(0, 10)}T22:59:59.999Z`;
    clock.set(now);
    expect(await edit({ op: 'pin', itemId: items.tarn })).toMatchObject({ reason: 'draft_closed' });
    clock.set(now.replace('22:59:59.999', '23:59:59.999'));
    valueOf(await edit({ op: 'pin', itemId: items.tarn }));
    clock.advance({ milliseconds: 1 });
    expect(await edit({ op: 'pin', itemId: items.corvid })).toMatchObject({ reason: 'draft_closed' });
    await publishAtTheHour();
    expect((await published()).ids[0]).toBe(items.tarn);
  });

  test('waits with its publication for an edit that is being saved', async () => {
    let save = (): void => {};
    const saving = new Promise<void>((resolve) => {
      save = resolve;
    });
    const holding = store.database.transaction().execute(async (transaction) => {
      const { lockDraft, insertOperation } = await import('../editions/edition-operation-store.ts');
      await lockDraft(transaction, key());
      const operation = { op: 'pin', itemId: items.tarn, event: items.tarn } as const;
      await insertOperation(transaction, key(), { operation, words: {}, itemIds: [] });
      await saving;
    });
    const publishing = publishAtTheHour();
    save();
    await Promise.all([holding, publishing]);
    expect((await published()).ids[0]).toBe(items.tarn);
    expect(await replay()).toBe('same');
  });
});

describe('a weekly draft', () => {
  test('has only entries of its dailies', async () => {
    clock.set('2027-01-02T23:10:00.000Z');
    const dailies = [await record.publishSelected({ title: 'In a daily', sourceName: 'A' })];
    await publishAtTheHour('daily', '2027-01-03');
    const outside = await record.publishSelected({ title: 'Of the next week', sourceName: 'B' });
    clock.set('2027-01-04T01:10:00.000Z');
    const weekly = { kind: 'weekly', period: '2026-W53' } as const;
    const change = { op: 'add', itemId: outside } as const;
    expect(await desk.editDraft({ ...weekly, change })).toMatchObject({ reason: 'cannot_be_added' });
    const words = { op: 'rewrite', language: 'en', headline: 'In a daily', overview: 'In a daily' } as const;
    valueOf(await desk.editDraft({ ...weekly, change: { ...words, unverified: 'A test.' } }));
    const draftOfWeek = await readDraft(settings, store.database, weekly);
    expect(draftOfWeek.entries.map(({ id }) => id)).toContain(dailies[0]);
    expect(draftOfWeek.composed?.contents.byEditor).toContain('overview');
  });
});

describe('words of editors', () => {
  const headline = 'Tarn buys Quill';

  test('replace one language and leave the other as it is', async () => {
    const zh = await record.publishSelected({
      title: '北麓发布了新的规划模型，价格为 30 元',
      summary: '',
      sourceName: '北麓',
      score: 60,
      language: 'zh',
    });
    const before = (await draft()).composed?.contents;
    valueOf(await edit({ op: 'rewrite', language: 'en', headline, overview: '' }));
    await publishAtTheHour();
    const edition = await published();
    expect(edition.headline).toBe(headline);
    expect(edition.overview).toBe(before?.overview);
    expect(edition.versions).toEqual([
      { language: 'zh', headline: '北麓发布了新的规划模型，价格为 30 元', overview: expect.any(String) },
    ]);
    expect(edition.ids).toContain(zh);
    expect(await replay()).toBe('same');
  });

  test('need both texts in a language that the draft has none in', async () => {
    const change = { op: 'rewrite', language: 'zh', headline: 'Tarn 收购 Quill', overview: '' } as const;
    expect(await edit(change)).toMatchObject({ reason: 'both_texts_needed' });
    valueOf(await edit({ ...change, overview: 'Tarn 收购了 Quill。', unverified: '测试。' }));
    await publishAtTheHour();
    const edition = await published();
    expect(edition.versions).toMatchObject([{ language: 'zh', headline: 'Tarn 收购 Quill' }]);
    expect(edition.language).toBe('en');
    expect(await replay()).toBe('same');
  });

  test('that the sources do not support need a public statement', async () => {
    const change = {
      op: 'rewrite',
      language: 'en',
      headline: 'Tarn buys Acme for 99 dollars',
      overview: '',
    } as const;
    expect(await edit(change)).toMatchObject({ reason: 'unsupported_text', findings: expect.any(Array) });
    expect(await journal()).toEqual([]);
    valueOf(await edit({ ...change, unverified: 'Seen by us.' }));
    await publishAtTheHour();
    expect((await published()).notes).toMatchObject([
      { language: 'en', text: 'Not verified against the source: Seen by us.' },
    ]);
    expect(await replay()).toBe('same');
  });

  test('fall back to the rule if their item is withdrawn before the hour, and nothing of them remains', async () => {
    valueOf(await edit({ op: 'rewrite', language: 'en', headline, overview: '' }));
    valueOf(await edit({ op: 'note', language: 'en', note: 'Tarn buys Quill for 20 million dollars.' }));
    valueOf(await desk.withdrawItem({ itemId: items.tarn, reason: 'Wrong.' }));
    await publishAtTheHour();
    const edition = await published();
    expect([edition.headline.startsWith('Halden'), edition.notes]).toEqual([true, []]);
    const fallen = (await journal()).filter(({ action }) => action === 'fall-back');
    expect(fallen.map(({ actor, detail }) => [actor.kind, detail['op'], detail['cause']])).toEqual([
      ['rule', 'note', 'words_erased'],
      ['rule', 'rewrite', 'words_erased'],
    ]);
    const left = await store.asSuperuser(
      `SELECT words::text FROM newsroom.edition_operation WHERE period = $1 AND words::text LIKE '%Quill%'
       UNION ALL SELECT words FROM newsroom.journal_words WHERE words LIKE '%Tarn buys Quill%' AND item_ids @> ARRAY[$2]::uuid[]`,
      [day, items.tarn],
    );
    expect(left).toEqual([]);
    expect(await replay()).toBe('redacted');
  });

  test('and a note that rest on an item withdrawn after publication leave every revision', async () => {
    valueOf(await edit({ op: 'note', language: 'en', note: 'Tarn buys Quill for 20 million dollars.' }));
    await publishAtTheHour();
    expect((await published()).notes).toHaveLength(1);
    valueOf(await desk.withdrawItem({ itemId: items.tarn, reason: 'Wrong.' }));
    expect((await published()).notes).toEqual([]);
    const left = await store.asSuperuser(
      'SELECT revision FROM record.edition_revision WHERE period = $1 AND notes IS NOT NULL',
      [day],
    );
    expect(left).toEqual([]);
    expect(await replay()).toBe('redacted');
  });
});

describe('an edit', () => {
  test('is refused for a form that is based on another version', async () => {
    const version = versionOfDraft(await draft());
    valueOf(await edit({ op: 'pin', itemId: items.tarn }, { version }));
    const stale = await edit({ op: 'drop', itemId: items.corvid }, { version });
    expect(stale).toMatchObject({
      reason: 'stale_version',
      current: { kind: 'draft', edits: [{ op: 'pin' }] },
    });
    expect((await draft()).operations).toHaveLength(1);
  });

  test('is saved once for a repeated request, and by one of two editors with the same form', async () => {
    const version = versionOfDraft(await draft());
    const requestId = record.ids.next();
    const change = { op: 'pin', itemId: items.tarn } as const;
    const twice = await Promise.all([edit(change, { requestId }), edit(change, { requestId })]);
    expect(twice.map((one) => (one.ok ? 'saved' : one.reason)).sort()).toEqual(['repeated_request', 'saved']);
    const both = await Promise.all([
      edit({ op: 'drop', itemId: items.corvid }, { version: versionOfDraft(await draft()) }),
      edit({ op: 'drop', itemId: items.halden }, { version: versionOfDraft(await draft()) }),
    ]);
    expect(both.map((one) => (one.ok ? 'saved' : one.reason)).sort()).toEqual(['saved', 'stale_version']);
    expect(version).not.toBe(versionOfDraft(await draft()));
  });

  test('is undone once, in any order, until the draft closes', async () => {
    valueOf(await edit({ op: 'pin', itemId: items.tarn }));
    valueOf(await edit({ op: 'drop', itemId: items.corvid }));
    const pinned = (await journal()).find(({ action }) => action === 'draft-pin')?.id ?? '';
    valueOf(await desk.undo({ id: pinned, reason: 'Not now.' }));
    expect((await draft()).entries.map(({ id }) => id)).toEqual([items.halden, items.tarn]);
    expect(await desk.undo({ id: pinned, reason: 'Again.' })).toMatchObject({ reason: 'already_undone' });
    const dropped = (await journal()).find(({ action }) => action === 'draft-drop')?.id ?? '';
    await publishAtTheHour();
    expect(await desk.undo({ id: dropped, reason: 'Late.' })).toMatchObject({ reason: 'cannot_be_undone' });
    expect((await published()).ids).toEqual([items.halden, items.tarn]);
    expect(await replay()).toBe('same');
  });

  test('cannot be changed or deleted by any login', async () => {
    valueOf(await edit({ op: 'pin', itemId: items.tarn }));
    for (const statement of [
      `UPDATE newsroom.edition_operation SET operation = '{"op":"drop"}' WHERE operation IS NOT NULL`,
      `UPDATE newsroom.edition_operation SET words = '{"title":"x"}'`,
      'DELETE FROM newsroom.edition_operation',
    ])
      await expect(store.asSuperuser(statement)).rejects.toThrow('not changed or deleted');
  });
});

describe('a private preview', () => {
  const deps = () => ({ database: store.database, clock, ...settings });

  test('shows the draft as it is now, for an hour or until an editor ends it', async () => {
    const { token } = valueOf(await desk.previewDraft(key()));
    valueOf(await edit({ op: 'pin', itemId: items.tarn }));
    const shown = await readPreviewedDraft(deps(), token);
    expect(shown).toMatchObject({
      state: 'draft',
      edition: { period: day, headline: expect.stringMatching(/^Tarn/) },
    });
    expect(await readPreviewedDraft(deps(), `${token.slice(1)}A`)).toBeNull();
    const other = valueOf(await desk.previewDraft(key())).token;
    await publishAtTheHour();
    expect(await readPreviewedDraft(deps(), token)).toEqual({ state: 'closed', key: key() });
    valueOf(await desk.endDraftPreviews(key()));
    expect(await readPreviewedDraft(deps(), other)).toBeNull();
    const stored = await store.asSuperuser('SELECT token_hash FROM newsroom.edition_preview');
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test('is not valid after an hour', async () => {
    const { token } = valueOf(await desk.previewDraft(key()));
    clock.advance({ hours: 1 });
    expect(await readPreviewedDraft(deps(), token)).toBeNull();
  });
});
