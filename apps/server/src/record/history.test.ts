import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createTestClock } from '../../test/clock.ts';
import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { createRecordFactory, valueOf } from '../../test/factories/record-factory.ts';
import { canonicalJson } from '../foundation/canonical-json.ts';
import type { Id } from '../foundation/ids.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { saltedHash } from './log/log-entry.ts';
import type { LoggedKind } from './log/log-entry.ts';
import type { RecordReader } from './reader.ts';
import { createRecordReader } from './reader.ts';
import { readEntry } from './reading/log-reading-store.ts';
import { readContent } from './reading/read-content.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
let reader: RecordReader;
beforeAll(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
  reader = createRecordReader({ ...store, searchDatabase: store.database });
});
afterAll(() => store.drop());

/** Time passes between all steps of these tests. */
function now(): EpochMicroseconds {
  const instant = clock.now();
  clock.advance({ minutes: 1 });
  return instant;
}

const digestCiting = (text: string, ...cites: Id<'item'>[]) => ({
  text,
  sentences: [{ text, cites }],
  contradictions: [],
});

const contentsOf = (headline: string, itemIds: readonly Id<'item'>[]) => ({
  headline,
  overview: `Overview: ${headline}`,
  headlineCites: itemIds.slice(0, 1),
  overviewCites: itemIds.slice(0, 1),
  sections: [{ key: 'all', label: 'All', itemIds }],
  flashes: [],
});

/** The revisions whose stored salt and composed content do not have the hash of their entry, and how many were checked. */
async function unprovable(): Promise<{ readonly wrong: readonly string[]; readonly checked: number }> {
  const rows = await store.asSuperuser(
    'SELECT kind, subject, revision, salt FROM record.log_content WHERE salt IS NOT NULL',
  );
  const wrong: string[] = [];
  for (const row of rows) {
    const [kind, subject, revision] = [
      row['kind'] as LoggedKind,
      String(row['subject']),
      Number(row['revision']),
    ];
    const found = await readEntry(store.database, kind, subject, { revision });
    const content = await readContent(store.database, { kind, subject, revision });
    const hash = content === null ? null : saltedHash(row['salt'] as Buffer, canonicalJson(content));
    if (found?.entry.bodyHash?.equals(hash ?? Buffer.alloc(0)) !== true)
      wrong.push(`${kind} ${subject} ${revision}`);
  }
  return { wrong, checked: rows.length };
}

const wordsIn = async (word: string): Promise<readonly string[]> => {
  const rows = await store.asSuperuser(
    `SELECT concat_ws(' ', kind, revision) AS row FROM record.log_content WHERE was::text LIKE '%' || $1 || '%'
     UNION ALL SELECT concat_ws(' ', kind, revision) FROM record.edition_revision
       WHERE concat(headline, overview, notes) LIKE '%' || $1 || '%'
     UNION ALL SELECT 'story' FROM record.story WHERE concat(title, digest, other_digest) LIKE '%' || $1 || '%'
     UNION ALL SELECT 'words' FROM record.item_words WHERE words::text LIKE '%' || $1 || '%'`,
    [word],
  );
  return rows.map(({ row }) => String(row));
};

describe('the record at an earlier moment', () => {
  test('is what readers saw then, and every revision of it has the content that the log has the hash of', async () => {
    const { publisher } = record;
    const items: Id<'item'>[] = [];
    const stories: Id<'story'>[] = [];
    const seen: { readonly at: EpochMicroseconds; readonly answers: string }[] = [];
    const answersOf = async (from: Pick<RecordReader, 'item' | 'story' | 'latestRanking' | 'edition'>) =>
      JSON.stringify(
        [
          ...(await Promise.all(items.map((id) => from.item(id)))),
          ...(await Promise.all(stories.map((id) => from.story(id)))),
          await from.latestRanking('en'),
          await from.latestRanking('zh'),
          await from.edition('daily', '2026-11-15'),
        ],
        (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
      );
    const after = async (step: () => Promise<unknown>): Promise<void> => {
      await step();
      seen.push({ at: now(), answers: '' });
    };
    const publish = (title: string, sourceName: string, storyId: Id<'story'> | null = null) =>
      after(async () => {
        items.push(await record.publish({ title, sourceName, storyId }));
      });
    const open = (title: string, ...itemIds: Id<'item'>[]) =>
      after(async () => {
        stories.push(valueOf(await publisher.openStory({ title, itemIds })).storyId);
      });
    const item = (at: number) => items[at] as Id<'item'>;
    const story = (at: number) => stories[at] as Id<'story'>;
    const revise = (at: number, changes: object) =>
      after(async () => valueOf(await publisher.reviseItem({ itemId: item(at), changes })));
    const digest = (at: number, text: string, ...cites: number[]) =>
      after(async () =>
        valueOf(
          await publisher.reviseStory({
            storyId: story(at),
            changes: { digest: digestCiting(text, ...cites.map(item)) },
          }),
        ),
      );
    const steps: (() => Promise<void>)[] = [
      () => publish('A model was released', 'The Wire'),
      () => publish('模型发布', 'The Post'),
      () => open('A model was released', item(0), item(1)),
      () => publish('A model was criticized', 'The Herald', story(0)),
      () => digest(0, 'It was released.', 0),
      () => revise(0, { title: 'A large model was released', score: 70 }),
      () => digest(0, 'It was released and criticized.', 0, 2),
      () =>
        after(async () => valueOf(await publisher.selectItem({ itemId: item(0), reason: 'It matters.' }))),
      () => publish('A chip was announced', 'The Wire'),
      () => open('A chip was announced', item(3)),
      () =>
        after(async () =>
          valueOf(
            await publisher.linkStories([
              { storyId: story(0), links: [{ storyId: story(1), kind: 'related', strength: 0.5 }] },
            ]),
          ),
        ),
      () =>
        after(async () => {
          const candidate = (at: number, name: string) => ({
            itemId: item(at),
            owner: `owner of ${name}`,
            sourceName: name,
            firstParty: false,
            weight: 1,
            reportedAt: clock.now(),
          });
          const ofStory = [candidate(0, 'The Wire'), candidate(1, 'The Post'), candidate(2, 'The Herald')];
          valueOf(await publisher.publishRanking({ candidates: [{ itemId: item(0), items: ofStory }] }));
        }),
      () =>
        after(async () =>
          valueOf(
            await publisher.issueEdition({
              kind: 'daily',
              period: '2026-11-15',
              contents: contentsOf('First', [item(0), item(3)]),
            }),
          ),
        ),
      () => revise(3, { summary: 'With more memory.', category: 'industry' }),
      () =>
        after(async () =>
          valueOf(
            await publisher.reviseEdition({
              kind: 'daily',
              period: '2026-11-15',
              contents: contentsOf('Second', [item(0)]),
            }),
          ),
        ),
      () =>
        after(async () => {
          const part = { storyId: story(0), itemIds: [item(2)], title: 'A critic' };
          stories.push(valueOf(await publisher.splitStory(part)).storyId);
        }),
      () =>
        after(async () =>
          valueOf(
            await publisher.describeSource({
              source: { ...record.source('The Post'), owner: 'owner of The Wire', firstParty: true },
              profile: { homepageUrl: null, language: null, state: 'active' },
            }),
          ),
        ),
      () =>
        after(async () =>
          valueOf(await publisher.mergeStories({ absorbedId: story(1), survivorId: story(0) })),
        ),
      () =>
        after(async () => valueOf(await publisher.assignToStory({ storyId: story(2), itemIds: [item(3)] }))),
      () =>
        after(async () =>
          valueOf(await publisher.mergeStories({ absorbedId: story(2), survivorId: story(0) })),
        ),
      () => digest(0, 'All of it.', 0, 1, 2, 3),
    ];
    const captured: { at: EpochMicroseconds; answers: string }[] = [];
    for (const step of steps) {
      await step();
      captured.push({ at: (seen.at(-1) as { at: EpochMicroseconds }).at, answers: await answersOf(reader) });
    }
    for (const { at, answers } of captured) {
      const known = JSON.parse(answers) as unknown[];
      // What did not exist yet was not asked for then.
      const then = JSON.parse(await answersOf(reader.at(at))) as unknown[];
      const shown = then.filter((answer) => answer !== null);
      expect([at, shown]).toEqual([at, known.filter((answer) => answer !== null)]);
    }
    const { wrong, checked } = await unprovable();
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(25);
  });
});

describe('a withdrawal', () => {
  test('erases the words from every earlier revision, and leaves those that never contained them', async () => {
    const { publisher } = record;
    const stays = await record.publish({ title: 'The part that stays', sourceName: 'The Wire' });
    const leaves = await record.publish({ title: 'Secretword report', sourceName: 'The Post' });
    const first = valueOf(
      await publisher.openStory({ title: 'Secretword report', itemIds: [stays, leaves] }),
    );
    const { storyId } = first;
    now();
    valueOf(await publisher.reviseStory({ storyId, changes: { digest: digestCiting('Fine.', stays) } }));
    const whenFine = now();
    const secret = digestCiting('Secretword sentence.', stays, leaves);
    valueOf(await publisher.reviseStory({ storyId, changes: { digest: secret } }));
    const whenSecret = now();
    valueOf(await publisher.reviseItem({ itemId: leaves, changes: { title: 'Secretword revised' } }));
    const note = { language: 'en', text: 'Secretword note.', cites: [leaves] } as const;
    const contents = { ...contentsOf('Secretword headline', [leaves, stays]), notes: [note] };
    valueOf(await publisher.issueEdition({ kind: 'daily', period: '2026-11-12', contents }));
    const whenIssued = now();
    const other = valueOf(await publisher.openStory({ title: 'Another', itemIds: [leaves] })).storyId;
    now();
    valueOf(await publisher.withdrawItem({ itemId: leaves, reason: 'Retracted.' }));
    expect(await wordsIn('Secretword')).toEqual([]);
    const salted = await store.asSuperuser(
      `SELECT FROM record.log_content WHERE kind = 'item' AND subject = $1 AND salt IS NOT NULL`,
      [leaves],
    );
    expect(salted).toEqual([]);
    expect(await reader.at(whenFine).story(storyId)).toMatchObject({
      story: {
        title: 'The part that stays',
        digest: { text: 'Fine.' },
        versions: [{ language: 'en', digest: { text: 'Fine.' } }],
        reportCount: 2,
        items: [{ id: stays }],
      },
    });
    expect(await reader.at(whenSecret).story(storyId)).toMatchObject({ story: { digest: null } });
    expect(await reader.at(whenSecret).item(leaves)).toMatchObject({ state: 'withdrawn' });
    expect(await reader.at(whenFine).removals({ kind: 'story', id: storyId })).toMatchObject([
      { kind: 'item', id: leaves, because: 'withdrawn' },
      // It was named after the item.
      { kind: 'story', id: storyId, because: 'erased' },
    ]);
    const ofEdition = await reader.at(whenIssued).edition('daily', '2026-11-12');
    expect(ofEdition).toMatchObject({ revision: 1, headline: 'Daily report of 2026-11-12', notes: [] });
    expect(await reader.at(whenIssued).removals({ kind: 'daily', period: '2026-11-12' })).toMatchObject([
      { kind: 'daily', because: 'erased' },
      { kind: 'item', id: leaves },
    ]);
    expect(await reader.at(now()).story(other)).toBeNull();
    expect((await unprovable()).wrong).toEqual([]);
  });

  test('erases what a decision of the same transaction has made a former value', async () => {
    const itemId = await record.publish({ title: 'Sametransaction words' });
    await store.database.transaction().execute((transaction) =>
      record.publisher.within(transaction, async (decisions) => {
        const { storyId } = valueOf(
          await decisions.openStory({ title: 'Sametransaction words', itemIds: [itemId] }),
        );
        const digest = digestCiting('Sametransaction digest.', itemId);
        valueOf(await decisions.reviseStory({ storyId, changes: { digest } }));
        valueOf(await decisions.withdrawItem({ itemId }));
      }),
    );
    expect(await wordsIn('Sametransaction')).toEqual([]);
  });

  test('of an item whose story was merged before reaches the title of the merged story', async () => {
    const itemId = await record.publish({ title: 'Mergedword report' });
    const other = await record.publish({ title: 'Other' });
    const { publisher } = record;
    const absorbedId = valueOf(
      await publisher.openStory({ title: 'Mergedword report', itemIds: [itemId] }),
    ).storyId;
    const survivorId = valueOf(await publisher.openStory({ title: 'Other', itemIds: [other] })).storyId;
    now();
    valueOf(await publisher.mergeStories({ absorbedId, survivorId }));
    expect(await wordsIn('Mergedword')).toEqual(['story 1']);
    valueOf(await publisher.withdrawItem({ itemId }));
    expect(await wordsIn('Mergedword')).toEqual([]);
  });
});

describe('a correction', () => {
  test('erases the wording that was wrong from every earlier revision and from the texts written from it', async () => {
    const { publisher } = record;
    const stays = await record.publish({ title: 'Correct from the start' });
    const wrong = await record.publish({ title: 'Wrongword title', summary: 'Wrongword summary.' });
    const opened = await publisher.openStory({ title: 'Wrongword title', itemIds: [stays, wrong] });
    const { storyId } = valueOf(opened);
    const before = now();
    const digest = digestCiting('Wrongword digest.', wrong);
    valueOf(await publisher.reviseStory({ storyId, changes: { digest } }));
    valueOf(
      await publisher.reviseItem({ itemId: wrong, changes: { summary: 'Another wrongword summary.' } }),
    );
    const contents = contentsOf('Wrongword title', [wrong, stays]);
    valueOf(await publisher.issueEdition({ kind: 'daily', period: '2026-11-13', contents }));
    const whenIssued = now();
    const changes = { title: 'Right title', summary: 'Right summary.' };
    valueOf(await publisher.correctItem({ itemId: wrong, changes, reason: 'The figure was wrong.' }));
    expect(await wordsIn('rongword')).toEqual([]);
    expect(await reader.story(storyId)).toMatchObject({ story: { title: 'Right title', digest: null } });
    expect(await reader.at(before).item(wrong)).toMatchObject({
      body: expect.stringContaining('"title":"Right title"') as unknown,
    });
    expect(await reader.at(before).removals({ kind: 'item', id: wrong })).toMatchObject([
      { kind: 'item', id: wrong, because: 'corrected' },
    ]);
    expect(await reader.at(whenIssued).edition('daily', '2026-11-13')).toMatchObject({
      revision: 1,
      headline: 'Daily report of 2026-11-13',
    });
    expect((await unprovable()).wrong).toEqual([]);
    expect(await reader.at(now()).removals({ kind: 'item', id: wrong })).toEqual([]);
  });

  test('of a category erases no words of stories', async () => {
    const itemId = await record.publish({ title: 'Of another category' });
    const { publisher } = record;
    const { storyId } = valueOf(
      await publisher.openStory({ title: 'Of another category', itemIds: [itemId] }),
    );
    valueOf(await publisher.reviseStory({ storyId, changes: { digest: digestCiting('Kept.', itemId) } }));
    const before = now();
    valueOf(await publisher.correctItem({ itemId, changes: { category: 'industry' }, reason: 'Wrong.' }));
    expect(await reader.story(storyId)).toMatchObject({ story: { digest: { text: 'Kept.' } } });
    expect(await reader.at(before).item(itemId)).toMatchObject({
      body: expect.stringContaining('"category":"industry"') as unknown,
    });
  });

  test('of an edition erases the text that it replaces', async () => {
    const itemId = await record.publish();
    const key = { kind: 'daily', period: '2026-11-14' } as const;
    const { publisher } = record;
    valueOf(await publisher.issueEdition({ ...key, contents: contentsOf('Badword headline', [itemId]) }));
    now();
    const note = 'The headline was wrong.';
    valueOf(
      await publisher.correctEdition({ ...key, note, contents: contentsOf('Good headline', [itemId]) }),
    );
    expect(await wordsIn('Badword')).toEqual([]);
    expect((await unprovable()).wrong).toEqual([]);
  });
});

describe('the history of something', () => {
  test('has each revision with its content and the reason of a correction', async () => {
    const itemId = await record.publish({ title: 'One' });
    now();
    valueOf(await record.publisher.reviseItem({ itemId, changes: { title: 'Two' } }));
    now();
    const changes = { title: 'Three' };
    valueOf(await record.publisher.correctItem({ itemId, changes, reason: 'A name was wrong.' }));
    now();
    valueOf(await record.publisher.reviseItem({ itemId, changes: { title: 'Four' } }));
    const history = await reader.history('item', itemId);
    expect(
      history?.map(({ revision, content, correction }) => [
        revision,
        (content as { title?: string } | null)?.title ?? null,
        correction?.reason ?? null,
      ]),
    ).toEqual([
      [4, 'Four', null],
      [3, 'Three', 'A name was wrong.'],
      [2, null, null],
      [1, null, null],
    ]);
    expect(await reader.history('item', record.ids.next())).toBeNull();
  });
});
