import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createTestNewsroom } from '../../../test/newsroom.ts';
import { startPublisher } from '../../../test/publisher-server.ts';
import { claimDomains, pollDomain } from './poll-domain.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
beforeEach(async () => {
  await store.asSuperuser('TRUNCATE newsroom.domain, newsroom.source, newsroom.entry CASCADE');
});
afterAll(() => store.drop());

const sentence =
  'The laboratory said on Monday that its new model reads documents of two million words, twice as many as before, and will be offered to all customers in December. ';
const article = `<html lang="en"><head><title>Window</title></head><body><article><h1>Window</h1><p>${sentence.repeat(3)}</p><p>${sentence.repeat(3)}</p></article></body></html>`;
const consent =
  '<html><head><title>Before you continue</title></head><body>Accept all cookies, reject all, manage preferences</body></html>';
const feed =
  '<rss version="2.0"><channel><title>Lab</title><item><guid>1</guid><link>http://lab.example/one</link><title>Lab widens its window</title><description>As the feed has it.</description></item></channel></rss>';

async function pollAll(answers: Readonly<Record<string, string>>, fullText: boolean) {
  const publisher = await startPublisher((request, response) => {
    const body = answers[request.url ?? ''];
    if (body === undefined) response.writeHead(404).end();
    else
      response
        .writeHead(200, { 'content-type': request.url === '/one' ? 'text/html' : 'text/plain' })
        .end(body);
  });
  const newsroom = createTestNewsroom(store, clock, publisher.fetcher);
  await newsroom.add('http://lab.example/feed', { fullText });
  const { polls, poller, database } = newsroom.deskDeps;
  for (const claimed of await claimDomains(polls, poller, database, 5))
    await pollDomain(polls, poller, database, claimed, () => undefined);
  const [entry] = await newsroom.entries();
  return { entry, unpublished: await newsroom.unpublished(), requests: publisher.requests };
}

describe('an entry that is missing from its list while an older one is listed', () => {
  const listOf = (...names: readonly string[]): string =>
    `<rss version="2.0"><channel><title>Lab</title>${names
      .map(
        (name) =>
          `<item><guid>${name}</guid><link>http://lab.example/${name}</link><title>Lab ${name}</title></item>`,
      )
      .join('')}</channel></rss>`;

  /** The list at each poll, all entries published after the first; the responses of `page` for an article. */
  async function pollLists(lists: readonly string[], page: (name: string) => number) {
    let list = '';
    const publisher = await startPublisher((request, response) => {
      if (request.url === '/feed') response.writeHead(200, { 'content-type': 'text/xml' }).end(list);
      else
        response
          .writeHead(/txt|json/u.test(request.url ?? '') ? 404 : page(request.url ?? ''), {
            'content-type': 'text/html',
          })
          .end(article);
    });
    const newsroom = createTestNewsroom(store, clock, publisher.fetcher);
    const source = await newsroom.add('http://lab.example/feed', {});
    const { polls, poller, database } = newsroom.deskDeps;
    for (list of lists) {
      clock.advance({ hours: 1 });
      await newsroom.poll(source);
      for (const claimed of await claimDomains(polls, poller, database, 5))
        await pollDomain(polls, poller, database, claimed, () => undefined);
      await database.updateTable('newsroom.entry').set({ shown_revision: 1 }).execute();
    }
    const entries = await newsroom.entries();
    const pages = publisher.requests.filter((one) => /example \/[a-z]$/u.test(one));
    return { entries, pages, unpublished: await newsroom.unpublished() };
  }

  test('is withdrawn if its page answers 410: its text is deleted and publication takes it up', async () => {
    const { entries, unpublished } = await pollLists(
      [listOf('a'), listOf('b', 'a'), listOf('c', 'a')],
      () => 410,
    );
    const [a, b, c] = entries;
    expect(b).toMatchObject({ title: '', text: '', withdrawn_at: expect.any(String), page_domain: null });
    expect([a?.withdrawn_at, c?.withdrawn_at]).toEqual([null, null]);
    expect(unpublished).toEqual([`${b?.id} r2`]);
  });

  test('stays unchanged if its page still exists, which is requested only once', async () => {
    const lists = [listOf('a'), listOf('b', 'a'), listOf('c', 'a'), listOf('d', 'c', 'a')];
    const { entries, pages } = await pollLists(lists, () => 200);
    expect(entries.map(({ title, text, withdrawn_at }) => [title, text, withdrawn_at])[1]).toEqual([
      'Lab b',
      '',
      null,
    ]);
    expect(pages).toEqual(['lab.example /b']);
  });

  test('has its page requested again after it was listed again', async () => {
    const lists = [listOf('a'), listOf('b', 'a'), listOf('a'), listOf('b', 'a'), listOf('c', 'a')];
    const { entries, pages } = await pollLists(lists, () => 200);
    expect(pages).toEqual(['lab.example /b', 'lab.example /b']);
    expect(entries).toHaveLength(3);
  });

  test('is not checked if it is older than all listed entries', async () => {
    const { pages } = await pollLists([listOf('a'), listOf('b', 'a'), listOf('c', 'b')], () => 410);
    expect(pages).toEqual([]);
  });
});

describe('the page of an article', () => {
  test('becomes the text of its entry, which is published after the page was read', async () => {
    const { entry, unpublished, requests } = await pollAll({ '/feed': feed, '/one': article }, true);
    expect(entry?.text).toContain('two million words');
    expect(entry?.page_domain).toBeNull();
    expect(unpublished).toEqual([`${entry?.id} r1`]);
    expect(requests).toEqual([
      'lab.example /feed',
      'lab.example /robots.txt',
      'lab.example /.well-known/tdmrep.json',
      'lab.example /one',
    ]);
  });

  test('removes the names around the headline from the title', async () => {
    const named = feed.replace('Lab widens its window', 'Lab widens its window - Nov. 2 - Lab News');
    const { entry } = await pollAll(
      { '/feed': named, '/one': article.replace('<h1>Window', '<h1>Lab widens its window') },
      true,
    );
    expect(entry).toMatchObject({ title: 'Lab widens its window', revision: 1 });
  });

  test('is not requested for a source without full text', async () => {
    const { entry, unpublished, requests } = await pollAll({ '/feed': feed, '/one': article }, false);
    expect(entry?.text).toBe('As the feed has it.');
    expect(unpublished).toHaveLength(1);
    expect(requests).toEqual(['lab.example /feed']);
  });

  test.each([
    ['does not exist', {}],
    ['asks for consent', { '/one': consent }],
    ['robots.txt disallows', { '/one': article, '/robots.txt': 'User-agent: *\nDisallow: /one' }],
  ])('that %s is ignored, and the entry is published with the text of the feed', async (_, answers) => {
    const { entry, unpublished } = await pollAll({ '/feed': feed, ...answers }, true);
    expect(entry).toMatchObject({ text: 'As the feed has it.', page_domain: null });
    expect(unpublished).toHaveLength(1);
  });
});
