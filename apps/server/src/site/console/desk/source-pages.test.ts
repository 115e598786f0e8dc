import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { TestAccess, TestOrganization } from '../../../../test/access.ts';
import { startTestAccess } from '../../../../test/access.ts';
import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import type { Answer } from '../../../../test/http-client.ts';
import { ask } from '../../../../test/http-client.ts';
import { createTestNewsroom } from '../../../../test/newsroom.ts';
import { startPublisher } from '../../../../test/publisher-server.ts';
import type { Fetcher } from '../../../ingest/fetch/fetcher.ts';

let stage: TestAccess;
let newsroom: TestOrganization;
let owner: string;
let fetcher: Fetcher;
beforeAll(async () => {
  const newsroomFetcher: Fetcher = {
    fetch: (request) => fetcher.fetch(request),
    release: (domain) => fetcher.release(domain),
    close: async () => {},
  };
  stage = await startTestAccess({ pages: true, newsroomOrganization: 'team-1', newsroomFetcher });
  newsroom = await stage.createOrganization();
  owner = await signInForCookie(stage, newsroom.owner);
});
afterAll(() => stage.stop());
beforeEach(async () => {
  const item = (guid: number) =>
    `<item><guid>${guid}</guid><title>Halden Labs releases model ${guid}</title><link>https://halden.example/${guid}</link></item>`;
  const publisher = await startPublisher((request, response) => {
    if (request.url === '/site')
      response.end(
        '<html><head><link rel="alternate" type="application/rss+xml" title="All" href="/feed"></head></html>',
      );
    else if (request.url === '/broken') response.writeHead(503).end();
    else
      response.end(
        `<rss version="2.0"><channel><title>Halden &amp; Sons</title>${item(1)}${item(2)}</channel></rss>`,
      );
  });
  ({ fetcher } = publisher);
});

const open = (path: string, cookie = owner): Promise<Answer> => openPage(stage, path, cookie);
const testNewsroom = () => createTestNewsroom(stage.database, stage.clock, fetcher);

function hiddenOf({ text }: Answer, action: string): Record<string, string> {
  const start = text.indexOf(`action="${action}"`);
  const form = text.slice(start, text.indexOf('</form>', start));
  return Object.fromEntries(
    [...form.matchAll(/type="hidden"\s+name="([^"]+)"\s+value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
}

const submit = (page: Answer, action: string, fields: Record<string, string> = {}, cookie = owner) =>
  sendForm(stage, action, { ...hiddenOf(page, action), ...fields }, { cookie });

const rowOf = async (id: string) =>
  (
    await stage.database.asSuperuser(
      'SELECT name, state, tier, state_reason FROM newsroom.source WHERE id = $1',
      [id],
    )
  )[0];
const journalOf = (id: string) =>
  stage.database.asSuperuser(
    'SELECT action, decided_by FROM newsroom.journal_entry WHERE subject = $1 ORDER BY id',
    [id],
  );

test('a source is added from the pasted address of a site: feeds are found, previewed and stored with an entry', async () => {
  const found = await submit(await open('/desk/sources/new'), '/desk/sources/find', {
    url: 'http://halden.example/site',
  });
  expect(found.status).toBe(200);
  expect(found.text).toContain('http://halden.example/feed');
  const previewed = await submit(found, '/desk/sources/find', { url: 'http://halden.example/feed' });
  expect(previewed.text).toContain('Halden Labs releases model 1');
  expect(previewed.text).toContain('Halden &#38; Sons');
  expect(await stage.database.asSuperuser('SELECT FROM newsroom.source')).toEqual([]);
  const fields = { name: 'Halden', tier: '2', reason: 'A lab that we follow.' };
  const added = await submit(previewed, '/desk/sources/add', fields);
  expect(added.status).toBe(303);
  const id = /sources\/([^?]+)/.exec(added.headers['location'] ?? '')?.[1] ?? '';
  expect(await rowOf(id)).toMatchObject({ name: 'Halden', state: 'active', tier: 2 });
  expect(await journalOf(id)).toEqual([{ action: 'add-source', decided_by: 'person' }]);
  const again = await sendForm(
    stage,
    '/desk/sources/add',
    {
      ...hiddenOf(previewed, '/desk/sources/add'),
      ...fields,
      request: '01a1e179-8540-70ae-b378-ae96d7add72c',
    },
    { cookie: owner },
  );
  expect([again.status, again.text.includes('already exists')]).toEqual([409, true]);
});

test('addresses of private networks are refused by the guard', async () => {
  const page = await open('/desk/sources/new');
  for (const url of ['http://127.0.0.1/feed', 'http://169.254.169.254/latest', 'http://[::1]/feed']) {
    const found = await submit(page, '/desk/sources/find', { url });
    expect([found.status, found.text.includes('cannot be read as a feed')]).toEqual([200, true]);
  }
  expect((await submit(page, '/desk/sources/find', { url: 'file:///etc/passwd' })).status).toBe(400);
});

describe('a source', () => {
  test('is paused, resumed and undone, with its health in words', async () => {
    const { add, poll } = testNewsroom();
    const source = await add('http://broken.example/broken', { name: 'Broken' });
    await poll(source);
    const { id } = source;
    const path = `/desk/sources/${id}`;
    const list = await open('/desk/sources?query=broken');
    expect(list.text).toContain('Failed polls in a row: 1. Latest error: status 503');
    const page = await open(path);
    expect((await submit(page, `${path}/pause`, { reason: '' })).status).toBe(409);
    expect((await submit(page, `${path}/pause`, { reason: 'It is down.' })).status).toBe(303);
    expect(await rowOf(id)).toMatchObject({ state: 'paused', state_reason: 'It is down.' });
    const stale = { ...hiddenOf(page, `${path}/pause`), request: '01a1e179-8540-70ae-b378-ae96d7add72d' };
    const refused = await sendForm(
      stage,
      `${path}/tier`,
      { ...stale, tier: '1', reason: 'x' },
      { cookie: owner },
    );
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('Changed in the meantime');
    const journal = await open(path);
    const [, entry = ''] = /\/desk\/journal\/(\d+)\/undo/.exec(journal.text) ?? [];
    expect((await submit(journal, `/desk/journal/${entry}/undo`)).status).toBe(303);
    expect(await rowOf(id)).toMatchObject({ state: 'active' });
    expect((await journalOf(id)).map(({ action }) => action)).toEqual(['pause', 'resume']);
  });

  test('counts for another owner and syndication group, until the change is undone', async () => {
    const { id } = await testNewsroom().add('http://owned.example/feed', { name: 'Owned' });
    const path = `/desk/sources/${id}`;
    const owners = async () =>
      (
        await stage.database.asSuperuser(
          `SELECT source.owner, source.syndicate, described.owner AS shown
           FROM newsroom.source JOIN record.source AS described USING (id) WHERE id = $1`,
          [id],
        )
      )[0];
    const given = { owner: 'Halden  Group', syndicate: 'Wire', reason: 'They were sold.' };
    expect((await submit(await open(path), `${path}/owner`, { ...given, reason: '' })).status).toBe(409);
    expect((await submit(await open(path), `${path}/owner`, given)).status).toBe(303);
    expect(await owners()).toEqual({ owner: 'Halden Group', syndicate: 'Wire', shown: 'Halden Group' });
    const page = await open(path);
    expect(page.text).toContain('Syndication group: Wire');
    const [, entry = ''] = /\/desk\/journal\/(\d+)\/undo/.exec(page.text) ?? [];
    const undone = await submit(page, `/desk/journal/${entry}/undo`);
    expect([undone.status, undone.headers.location]).toEqual([303, `${path}?done=1`]);
    expect(await owners()).toEqual({ owner: 'Owned', syndicate: null, shown: 'Owned' });
  });

  test('shows its share of a week, a test fetch that stores nothing, and the effect of another tier', async () => {
    const { add, poll, publish, entries } = testNewsroom();
    const source = await add('http://tiers.example/feed', { name: 'Tiers', tier: 3, allSubjects: true });
    await poll(source);
    await publish();
    const path = `/desk/sources/${source.id}`;
    const before = (await entries()).length;
    const tested = await submit(await open(path), `${path}/test`);
    expect(tested.text).toContain('2 entries in the list');
    expect((await entries()).length).toBe(before);
    const preview = await submit(await open(path), `${path}/tier`, { tier: '1', preview: '1' });
    expect(preview.text).toMatch(
      /Of 2 items of the last week, the rules could select \d now and \d with tier 1\./,
    );
    expect(await rowOf(source.id)).toMatchObject({ tier: 3 });
    const changed = await submit(preview, `${path}/tier`, { tier: '1', reason: 'It is their own channel.' });
    expect(changed.status).toBe(303);
    expect(await rowOf(source.id)).toMatchObject({ tier: 1 });
    expect((await open(path)).text).toContain('2');
  });
});

test('OPML is imported once, and exported', async () => {
  const opml = `<opml version="2.0"><head><title>Ours</title></head><body><outline type="rss" text="One" xmlUrl="http://one.example/feed"/>
    <outline type="rss" text="Bad" xmlUrl="javascript:alert(1)"/></body></opml>`;
  const send = async (text: string) => {
    const form = new FormData();
    form.set('reason', 'Our list.');
    form.set('opml', new File([text], 'a.opml', { type: 'text/xml' }));
    const encoded = new Response(form);
    return ask(stage.app.port, '/desk/sources/import', {
      method: 'POST',
      body: await encoded.text(),
      headers: {
        'content-type': encoded.headers.get('content-type') ?? '',
        'sec-fetch-site': 'same-origin',
        cookie: owner,
      },
    });
  };
  const first = await send(opml);
  expect([first.status, first.text.includes('1 source added. 1 addresses cannot be used.')]).toEqual([
    200,
    true,
  ]);
  expect((await send(opml)).text).toContain('1 already exist.');
  expect((await send('no list')).status).toBe(400);
  const exported = await open('/desk/sources/export');
  expect(exported.headers['content-disposition']).toContain('daybook-sources.opml');
  expect(exported.text).toContain('xmlUrl="http://one.example/feed"');
});

test('a viewer reads the list without forms and cannot add; strangers get 404', async () => {
  const viewer = await signInForCookie(stage, await newsroom.addMember('viewer'));
  expect((await open('/desk/sources', viewer)).status).toBe(200);
  expect((await open('/desk/sources/new', viewer)).status).toBe(403);
  const found = await sendForm(
    stage,
    '/desk/sources/find',
    { url: 'http://one.example/feed' },
    { cookie: viewer },
  );
  expect(found.status).toBe(403);
  const stranger = await signInForCookie(stage, (await stage.createOrganization()).owner);
  for (const path of ['/desk/sources', '/desk/sources/new', '/desk/sources/export'])
    expect([path, (await open(path, stranger)).status]).toEqual([path, 404]);
});

test('the pages are in Chinese for visitors who chose it', async () => {
  const cookie = `${owner}; __Host-daybook-language=zh`;
  expect((await open('/desk/sources', cookie)).text).toContain('本周（平常）');
  expect((await open('/desk/sources/new', cookie)).text).toContain('查找订阅源');
});
