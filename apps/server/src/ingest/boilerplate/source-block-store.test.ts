import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createTestNewsroom } from '../../../test/newsroom.ts';
import { startPublisher } from '../../../test/publisher-server.ts';
import { claimDomains, pollDomain } from '../schedule/poll-domain.ts';
import { blocksOf } from './blocks.ts';
import { readRepeatedBlocks, saveBlocks } from './source-block-store.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
beforeEach(async () => {
  await store.asSuperuser('TRUNCATE newsroom.domain, newsroom.source, newsroom.entry CASCADE');
});
afterAll(() => store.drop());

const note = 'Fjord Wire is read by 40,000 engineers in Bergen, who pay nothing for its reports on machines.';
const subjects = ['a bridge', 'a harbor', 'a tunnel', 'a museum'];

function pageAbout(subject: string, ownLine = ''): string {
  const lines = [
    `Bergen decided on Monday to build ${subject} of steel for 340 million crowns, the mayor said in the council.`,
    `Work on ${subject} begins in March and takes two years, according to a plan of 40 pages that the council published.`,
    ownLine,
    note,
  ];
  return `<html lang="en"><head><title>${subject}</title></head><body><article><h1>Bergen builds ${subject}</h1>${lines
    .map((line) => `<p>${line}</p>`)
    .join('')}</article></body></html>`;
}

/** Polls a feed with full text whose entries are these pages, and publishes the entries. */
async function pollPages(pages: readonly string[]) {
  const items = pages
    .map(
      (_, at) =>
        `<item><guid>${at}</guid><link>http://lab.example/p${at}</link><title>Bergen builds ${subjects[at]}</title></item>`,
    )
    .join('');
  const publisher = await startPublisher((request, response) => {
    const page = pages[Number(/^\/p(\d)/u.exec(request.url ?? '')?.[1])];
    if (request.url === '/feed')
      response
        .writeHead(200, { 'content-type': 'text/xml' })
        .end(`<rss version="2.0"><channel><title>Lab</title>${items}</channel></rss>`);
    else if (page === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  const newsroom = createTestNewsroom(store, clock, publisher.fetcher);
  const source = await newsroom.add('http://lab.example/feed', { fullText: true, allSubjects: true });
  const { polls, poller, database } = newsroom.deskDeps;
  for (const claimed of await claimDomains(polls, poller, database, 5))
    await pollDomain(polls, poller, database, claimed, () => undefined);
  return { newsroom, database, source, entries: await newsroom.entries() };
}

const summaries = async (): Promise<readonly string[]> =>
  (await store.database.selectFrom('record.item').select('summary').orderBy('id').execute()).map(
    ({ summary }) => summary,
  );

describe('a paragraph that a source repeats', () => {
  test('a paragraph on pages of three stories is removed from their summaries and stays in the stored text', async () => {
    const { newsroom, database, source, entries } = await pollPages(
      subjects.slice(0, 3).map((one) => pageAbout(one)),
    );
    const repeated = await readRepeatedBlocks(database, [source.id]);
    expect([...(repeated.get(source.id) ?? [])]).toEqual(blocksOf(note));
    await newsroom.publish();
    const shown = await summaries();
    expect(shown).toHaveLength(3);
    for (const summary of shown) expect(summary).not.toContain('40,000 engineers');
    for (const { text } of entries) expect(text).toContain('40,000 engineers');
  });

  test('a paragraph on pages of two stories stays in their summaries', async () => {
    const { newsroom, database, source } = await pollPages(subjects.slice(0, 2).map((one) => pageAbout(one)));
    expect(await readRepeatedBlocks(database, [source.id])).toEqual(new Map());
    await newsroom.publish();
    expect((await summaries()).join(' ')).toContain('40,000 engineers');
  });

  test('a page that is saved again counts once', async () => {
    const { database, source, entries } = await pollPages(subjects.slice(0, 2).map((one) => pageAbout(one)));
    for (const { id } of entries) await saveBlocks(database, id, blocksOf(note), clock.now());
    expect(await readRepeatedBlocks(database, [source.id])).toEqual(new Map());
  });

  test('a paragraph on several pages of one story stays', async () => {
    const { newsroom, database, source, entries } = await pollPages(
      subjects.slice(0, 3).map((one) => pageAbout(one)),
    );
    await newsroom.publish();
    await store.asSuperuser(
      `UPDATE record.item SET story_id = (SELECT story_id FROM record.item WHERE id = '${entries[0]?.id}')`,
    );
    expect(await readRepeatedBlocks(database, [source.id])).toEqual(new Map());
  });
});

describe('the stored paragraphs of a source', () => {
  const count = async (): Promise<number> =>
    (await store.database.selectFrom('newsroom.source_block').select('block').execute()).length;

  test('the number of stored paragraphs is limited; those on the most pages stay', async () => {
    const { database, source, entries } = await pollPages(subjects.slice(0, 3).map((one) => pageAbout(one)));
    const many = Array.from({ length: 700 }, (_, at) => at.toString(16).padStart(32, '0'));
    await saveBlocks(database, entries[0]?.id ?? '', many, clock.now());
    expect(await count()).toBe(600);
    expect((await readRepeatedBlocks(database, [source.id])).get(source.id)).toContain(blocksOf(note)[0]);
  });

  test('a stored paragraph expires 60 days after it was last found', async () => {
    const { database, source, entries } = await pollPages(subjects.slice(0, 3).map((one) => pageAbout(one)));
    clock.advance({ hours: 61 * 24 });
    await saveBlocks(database, entries[0]?.id ?? '', blocksOf(pageAbout('x')), clock.now());
    expect(await readRepeatedBlocks(database, [source.id])).toEqual(new Map());
  });
});
