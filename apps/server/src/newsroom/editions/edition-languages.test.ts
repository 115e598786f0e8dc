import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import type { CalendarDate } from '../../foundation/calendar/calendar-date.ts';
import { isoWeekOf } from '../../foundation/calendar/iso-week.ts';
import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { editions } from '../../record/index.ts';
import { createEditorDesk } from '../desk/editor-desk.ts';
import { issueEdition } from './compile-edition.ts';
import { replayEdition } from './replay-edition.ts';

const clock = createTestClock('2026-12-01T20:00:00.000Z');
const settings = { language: 'en', aliases: [] } as const;
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
let desk: ReturnType<typeof createEditorDesk>;
beforeAll(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
  const { publisher } = record;
  desk = createEditorDesk({ database: store.database, clock, publisher, language: 'en' });
});
afterAll(() => store.drop());

const titles = {
  en: 'Veltrane opens its planning model to everyone',
  zh: 'Veltrane 向所有人开放规划模型',
  weak: 'Veltrane 的规划模型开放了',
  other: 'Corvid 3 costs half as much as Corvid 2',
};
let items: Readonly<Record<'en' | 'zh' | 'other', Id<'item'>>>;
let day: string;

/** A daily of a story with an English and two Chinese reports, and of an English item. */
beforeEach(async () => {
  clock.advance({ hours: 24 });
  day = new Date(clock.nowMs() + 28 * 3_600_000).toISOString().slice(0, 10);
  const publish = (title: string, sourceName: string, score: number, language: string) =>
    record.publishSelected({ title, summary: '', sourceName, score, language });
  const en = await publish(titles.en, 'Halden', 90, 'en');
  const zh = await publish(titles.zh, '北麓', 40, 'zh-Hans');
  const weak = await record.publish({
    title: titles.weak,
    sourceName: '南麓',
    score: 80,
    language: 'zh-Hans',
  });
  valueOf(await record.publisher.openStory({ title: titles.en, itemIds: [en, zh, weak] }));
  items = { en, zh, other: await publish(titles.other, 'Ufer', 50, 'en') };
  clock.advance({ hours: 4 });
  await issue('daily', day);
});

async function issue(kind: editions.EditionKind, period: string): Promise<void> {
  const deps = { clock, publisher: record.publisher, release: '0.9.0', ...settings };
  await store.database
    .transaction()
    .execute((transaction) => issueEdition(deps, transaction, { kind, period }));
}

async function read(language: ReaderLanguage, kind: editions.EditionKind = 'daily', period = day) {
  const edition = await editions.readEdition(store.database, kind, period);
  if (edition === null) throw new Error('no edition');
  const worded = editions.words.wordEdition(edition, language);
  const entries = worded.sections.flatMap(({ items: shown }) => shown.map(({ id }) => id));
  return { ...worded, entries };
}

const replay = () => replayEdition(store.database, settings, { kind: 'daily', period: day });

test('a daily shows the best report of a story in each language, in the same order, and replays', async () => {
  expect(await read('en')).toMatchObject({
    language: 'en',
    headline: titles.en,
    entries: [items.en, items.other],
    sections: [{ label: 'Models' }],
  });
  expect(await read('zh')).toMatchObject({
    language: 'zh',
    headline: titles.zh,
    entries: [items.zh, items.other],
    sections: [{ label: '模型' }],
  });
  expect(await replay()).toMatchObject({ outcome: 'same' });
});

test('a changed word of a report that only one language shows changes the replay', async () => {
  const tampered = `UPDATE record.item_words SET words = jsonb_set(words, '{title}', '"别的标题别的标题"') WHERE item_id = $1`;
  await store.asSuperuser(tampered, [items.zh]);
  expect(await replay()).toMatchObject({ outcome: 'different' });
});

test('the withdrawal of a report that only one language shows changes the words of that language', async () => {
  const before = await read('en');
  const { revisedEditions } = valueOf(await desk.withdrawItem({ itemId: items.zh, reason: 'Made up.' }));
  expect(revisedEditions).toEqual([{ kind: 'daily', period: day }]);
  const chinese = await read('zh');
  expect(chinese).toMatchObject({ revision: 2, language: 'en', entries: [items.en, items.other] });
  expect(JSON.stringify(chinese.versions)).not.toContain(titles.zh);
  const { headline, overview, entries } = await read('en');
  expect({ headline, overview, entries }).toEqual({
    headline: before.headline,
    overview: before.overview,
    entries: before.entries,
  });
  const [left] = await store.asSuperuser(
    `SELECT count(*)::int AS count FROM record.edition_version WHERE period = $1`,
    [day],
  );
  expect(left).toEqual({ count: 0 });
  expect(await replay()).toMatchObject({ outcome: 'redacted' });
});

test('the withdrawal of a report by a process of 0.1.0 removes the text in that language as well', async () => {
  await store.asSuperuser(
    `UPDATE record.item SET withdrawn_at = now(), title = '', original_title = NULL, summary = '', original_url = '',
       score = NULL, selected = false, reason = NULL, language = NULL, body = NULL, digest = NULL
     WHERE id = $1`,
    [items.zh],
  );
  expect(await read('zh')).toMatchObject({ language: 'en', versions: [], entries: [items.en, items.other] });
});

test('a corrected report changes the words of its language alone', async () => {
  const title = 'Veltrane 向研究者开放规划模型';
  const changes = { title };
  const reason = 'Only for researchers.';
  valueOf((await desk.correctItem({ itemId: items.zh, changes, reason, unverified: 'Seen.' })) as never);
  expect(await read('zh')).toMatchObject({ revision: 2, headline: title });
  expect(await read('en')).toMatchObject({ revision: 2, headline: titles.en });
});

test('an editor’s headline in one language stays when a report of that language is withdrawn', async () => {
  const words = { headline: '一天的模型与价格' };
  const key = { kind: 'daily', period: day } as const;
  valueOf(await record.publisher.correctEdition({ ...key, note: 'Clearer.', words, language: 'zh' }));
  expect(await read('zh')).toMatchObject(words);
  expect(await read('en')).toMatchObject({ headline: titles.en });
  valueOf(await desk.withdrawItem({ itemId: items.other, reason: 'Made up.' }));
  expect(await read('zh')).toMatchObject({ ...words, entries: [items.zh] });
});

test('a report that a daily showed in one language is in no later daily', async () => {
  clock.advance({ hours: 20 });
  const { storyId } = (await read('zh')).sections[0]?.items[0] ?? {};
  const later = await record.publishSelected({ title: 'Quill 7 arrives with open weights', language: 'en' });
  const fact = await record.publishSelected({
    title: 'Veltrane planning model costs $25 million',
    summary: 'Veltrane paid $25 million for the planning model.',
    language: 'en',
  });
  valueOf(await record.publisher.assignToStory({ storyId: storyId as Id<'story'>, itemIds: [fact] }));
  clock.advance({ hours: 4 });
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  await issue('daily', next);
  const { entries } = await read('zh', 'daily', next);
  expect(entries).toContain(later);
  expect(entries).toContain(fact);
  expect(entries).not.toContain(items.zh);
});

test('a weekly takes the story from the dailies, with its report in each language', async () => {
  const week = isoWeekOf(day as CalendarDate);
  clock.advance({ hours: 24 * 9 });
  await issue('weekly', week);
  const chinese = await read('zh', 'weekly', week);
  expect(chinese).toMatchObject({ language: 'zh', headline: titles.zh });
  expect(chinese.entries).toContain(items.zh);
  const english = await read('en', 'weekly', week);
  expect(english.entries).toContain(items.en);
  expect(english.entries).toHaveLength(chinese.entries.length);
});

test('an edition stores the release that composed it, and a replay with other rules names it', async () => {
  const rules = (version: string, release: string | null) =>
    store.asSuperuser(
      `UPDATE record.edition_material SET rule_version = $1, release = $2 WHERE kind = 'daily' AND period = $3`,
      [version, release, day],
    );
  const [edition] = await store.asSuperuser(
    `SELECT release FROM record.edition_material WHERE kind = 'daily' AND period = $1`,
    [day],
  );
  expect(edition).toEqual({ release: '0.9.0' });
  await rules('reports 0', '0.9.0');
  expect(await replay()).toEqual({ outcome: 'other rules', hash: null, release: '0.9.0' });
  await rules('reports 1', null);
  expect(await replay()).toEqual({ outcome: 'other rules', hash: null, release: '0.1.0' });
});
