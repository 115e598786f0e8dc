import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestOrganization } from '../../../../test/access.ts';
import { startTestAccess } from '../../../../test/access.ts';
import { createRecordFactory } from '../../../../test/factories/record-factory.ts';
import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import type { Answer } from '../../../../test/http-client.ts';
import { ask } from '../../../../test/http-client.ts';
import type { Id } from '../../../foundation/ids.ts';
import { readDraft } from '../../../newsroom/editions/draft-edition.ts';

let stage: TestAccess;
let newsroom: TestOrganization;
let record: ReturnType<typeof createRecordFactory>;
let owner: string;
let items: readonly Id<'item'>[];
const path = '/desk/editions/daily/2026-11-16';

beforeAll(async () => {
  stage = await startTestAccess({ pages: true, newsroomOrganization: 'team-1' });
  newsroom = await stage.createOrganization();
  // 07:10 in Shanghai.
  stage.clock.set('2026-11-15T23:10:00.000Z');
  record = createRecordFactory({ database: stage.database.database, clock: stage.clock });
  items = [
    await record.publishSelected({ title: 'Halden opens an office in Ostrava', sourceName: 'A', score: 90 }),
    await record.publishSelected({ title: 'Corvid 3 costs half as much', sourceName: 'B', score: 70 }),
    await record.publishSelected({ title: 'Tarn buys Quill for 20 million', sourceName: 'C', score: 50 }),
  ];
  owner = await signInForCookie(stage, newsroom.owner);
});
afterAll(() => stage.stop());

const open = (at = path, cookie = owner): Promise<Answer> => openPage(stage, at, cookie);

/** Fills the form that contains the marker as the page shows it, and sends it. */
function hiddenOf({ text }: Answer, action: string, marker = ''): Record<string, string> {
  const forms = text.split('<form').filter((one) => one.includes(`action="${action}"`));
  const form = forms.find((one) => one.includes(marker)) ?? '';
  return Object.fromEntries(
    [
      ...form.slice(0, form.indexOf('</form>')).matchAll(/type="hidden"\s+name="([^"]+)"\s+value="([^"]*)"/g),
    ].map(([, name = '', value = '']) => [name, value]),
  );
}

const submit = (page: Answer, name: string, marker: string, fields: Record<string, string> = {}) =>
  sendForm(
    stage,
    `${path}/${name}`,
    { ...hiddenOf(page, `${path}/${name}`, marker), ...fields },
    { cookie: owner },
  );

const entries = async () =>
  (
    await readDraft({ language: 'en', aliases: [] }, stage.database.database, {
      kind: 'daily',
      period: '2026-11-16',
    })
  ).entries.map(({ id }) => id);

test('an editor finds the open draft, moves, pins and drops entries, and undoes an edit', async () => {
  expect((await open('/desk/editions')).text).toContain(`href="${path}"`);
  const moved = await submit(await open(), 'move', `Move up: Corvid`);
  expect([moved.status, moved.headers['location']]).toEqual([303, `${path}?done=1`]);
  expect(await entries()).toEqual([items[1], items[0], items[2]]);
  expect((await submit(await open(), 'pin', 'Pin: Tarn')).status).toBe(303);
  expect((await submit(await open(), 'drop', 'Drop: Corvid')).status).toBe(303);
  expect(await entries()).toEqual([items[2], items[0]]);
  const page = await open();
  expect(page.text).toContain('Pinned');
  const added = await submit(page, 'add', '', { other: `https://daybook.example/items/${items[1]}?x=1` });
  expect(added.status).toBe(303);
  expect(await entries()).toContain(items[1]);
  const journal = await open();
  const press = async (label: string): Promise<Answer> => {
    const form = journal.text.split('<form').find((one) => one.includes(`aria-label="${label}"`)) ?? '';
    const [, action = ''] = /action="([^"]+)"/.exec(form) ?? [];
    return sendForm(stage, action, hiddenOf(journal, action), { cookie: owner });
  };
  const undone = await press('Undo: Added to the draft');
  expect([undone.status, undone.headers['location']]).toEqual([303, `${path}?done=1`]);
  expect(await entries()).toEqual([items[2], items[0]]);
  expect((await press('Unpin: Tarn buys Quill for 20 million')).status).toBe(303);
  expect(await entries()).toEqual([items[0], items[2]]);
});

test('a stale form is 409 and shows what was typed; a repeated one has no effect', async () => {
  const page = await open();
  const fields = { headline: 'Tarn buys Quill' };
  expect((await submit(page, 'rewrite', 'value="en"', fields)).status).toBe(303);
  expect((await submit(page, 'rewrite', 'value="en"', fields)).status).toBe(303);
  const other = { ...fields, headline: 'Halden opens an office', request: record.ids.next() };
  const stale = await submit(page, 'rewrite', 'value="en"', other);
  expect(stale.status).toBe(409);
  expect(stale.text).toContain('Changed in the meantime');
  expect(stale.text).toContain('>Halden opens an office</textarea');
  expect((await open()).text).toContain('>Tarn buys Quill</textarea');
});

test('text that the sources do not support is 400, and is published with a statement', async () => {
  const fields = { headline: 'Tarn buys Acme for 99 million' };
  const refused = await submit(await open(), 'rewrite', 'value="en"', fields);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('name="unverified"');
  const forced = await submit(refused, 'rewrite', 'value="en"', { ...fields, unverified: 'Seen by us.' });
  expect(forced.status).toBe(303);
  expect((await open()).text).toContain('Tarn buys Acme for 99 million');
});

test('headline, overview and note are checked while they are typed, against the items of the draft', async () => {
  const check = async (form: string, fields: Record<string, string>) =>
    (await sendForm(stage, `${path}/${form}/check`, { language: 'en', ...fields }, { cookie: owner })).json()[
      'findings'
    ];
  expect(await check('rewrite', { headline: 'Tarn buys Quill for 20 million' })).toEqual([]);
  expect(await check('rewrite', { overview: 'It cost 98 million.' })).toEqual(['Number: 98 million']);
  expect(await check('note', { note: 'It cost 97 million.' })).toEqual(['Number: 97 million']);
});

test('a note that the sources do not support is 400, and is published with a statement', async () => {
  const note = 'Tarn paid 97 million.';
  const refused = await submit(await open(), 'note', 'value="en"', { note });
  expect([refused.status, refused.text.includes('Number: 97 million')]).toEqual([400, true]);
  const forced = await submit(refused, 'note', 'value="en"', { note, unverified: 'We read the contract.' });
  expect(forced.status).toBe(303);
  const made = await submit(await open(), 'preview', '');
  const [, address = ''] = /(\/drafts\/[\w-]{32})\n/.exec(made.text) ?? [];
  const body = (await ask(stage.app.port, `${address}/report.json`, {})).json() as { report: object };
  expect(JSON.stringify(body.report)).toContain(
    'Tarn paid 97 million. Not verified against the source: We read the contract.',
  );
});

describe('a private preview', () => {
  const anonymous = (at: string) => ask(stage.app.port, at, {});

  test('is the page, the mail and the body of the API, without an account and never cached', async () => {
    const noted = await submit(await open(), 'note', 'value="en"', { note: 'We changed <b>our</b> mind.' });
    expect(noted.status).toBe(303);
    const form = await open();
    const made = await submit(form, 'preview', '');
    expect(made.status).toBe(200);
    const repeated = await submit(form, 'preview', '');
    expect([repeated.status, repeated.text.includes('which is shown only once')]).toEqual([200, true]);
    const [, address = ''] = /(\/drafts\/[\w-]{32})\n/.exec(made.text) ?? [];
    const page = await anonymous(address);
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    expect(page.text).toContain('data-entry=');
    expect(page.text).toContain('We changed &#60;b&#62;our&#60;/b&#62; mind.');
    expect((await anonymous(`/zh${address}`)).text).toContain('编者按');
    const body = (await anonymous(`${address}/report.json`)).json() as { report: Record<string, unknown> };
    expect(body.report).toMatchObject({
      date: '2026-11-16',
      editorsNotes: ['We changed <b>our</b> mind.', 'Not verified against the source: Seen by us.'],
    });
    expect((await anonymous(`${address}/mail.html`)).text).toContain('Tarn buys Acme for 99 million');
    expect((await anonymous(`${address}/mail.txt`)).text).toContain('Editors’ note: We changed');
    expect((await anonymous('/daily/2026-11-16')).status).toBe(404);
    expect((await submit(await open(), 'end-previews', '')).status).toBe(303);
    expect((await anonymous(address)).status).toBe(404);
  });

  test('of an unknown address is 404', async () => {
    expect((await anonymous(`/drafts/${'A'.repeat(32)}`)).status).toBe(404);
  });
});

test('a viewer reads the draft without forms, a reporter cannot edit it, others get 404', async () => {
  const viewer = await signInForCookie(stage, await newsroom.addMember('viewer'));
  const page = await open(path, viewer);
  expect([page.status, page.text.includes(`action="${path}`)]).toEqual([200, false]);
  const sent = await sendForm(stage, `${path}/drop`, { item: items[0] ?? '' }, { cookie: viewer });
  expect(sent.status).toBe(403);
  const other = await stage.createOrganization();
  const stranger = await signInForCookie(stage, other.owner);
  for (const at of ['/desk/editions', path]) expect((await open(at, stranger)).status).toBe(404);
});

test('the pages are in Chinese for visitors who chose it', async () => {
  const cookie = `${owner}; __Host-daybook-language=zh`;
  expect((await open('/desk/editions', cookie)).text).toContain('报告在发布前一小时以草稿形式开放');
  expect((await open(path, cookie)).text).toContain('日报草稿 2026-11-16');
});

test('after the hour the page says that the draft is closed', async () => {
  stage.clock.set('2026-11-16T00:00:00.000Z');
  const cookie = await signInForCookie(stage, newsroom.owner);
  expect((await open(path, cookie)).text).toContain('The draft is not open');
  expect((await open('/desk/editions', cookie)).text).toContain('No drafts are open.');
});
