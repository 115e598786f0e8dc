import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { valueOf } from '../../test/factories/record-factory.ts';
import { ask } from '../../test/http-client.ts';
import type { TestMailing } from '../../test/mailing.ts';
import { startTestMailing } from '../../test/mailing.ts';
import { secretTokenHash } from '../foundation/secret-token.ts';

/** The response of the mail server for an address from now on. */
const refusals = new Map<string, number | 'lost'>();
let stage: TestMailing;
beforeAll(async () => {
  stage = await startTestMailing((recipient) => refusals.get(recipient) ?? null);
});
afterAll(() => stage.stop());

/** The next day, and its edition. */
let day = 15;
async function nextDaily(headline?: string): Promise<string> {
  day += 1;
  stage.clock.set(`2026-11-${day}T00:30:00.000Z`);
  await stage.issue('daily', `2026-11-${day}`, headline);
  return `2026-11-${day}`;
}

const countOf = (address: string, period: string): number =>
  stage.mailsTo(address).filter(({ subject }) => subject.includes(period)).length;

const newestTo = (address: string): string => stage.mailsTo(address).at(-1)?.body ?? '';

async function undelivered(period: string): Promise<readonly string[]> {
  const { rows } = await sql<{ reason: string }>`
    SELECT reason FROM mailing.delivery WHERE state = 'undelivered' AND period = ${period}`.execute(
    stage.database.database,
  );
  return rows.map(({ reason }) => reason);
}

test('a found edition is mailed once, as text and HTML, to previously confirmed subscribers', async () => {
  const [email, other] = ['ann@example.org', 'unconfirmed@example.org'];
  await stage.issue('daily', '2026-11-15', 'Before anyone asked');
  await stage.sendDue();
  await stage.subscribe(email);
  await stage.request(other);
  await stage.sendDue();
  expect([countOf(email, '2026-11-15'), stage.mailsTo(other).length]).toEqual([0, 1]);
  const period = await nextDaily('A <b>bold</b> claim & more');
  await stage.sendDue();
  await stage.sendDue();
  expect([countOf(email, period), countOf(other, period)]).toEqual([1, 0]);
  const mail = stage.mailsTo(email).at(-1);
  expect(mail?.source).toContain('multipart/alternative');
  expect(mail?.body).toMatch(/A <b>bold<\/b> claim & more \(The Wire\)/);
  const page = mail?.body.slice(mail.body.indexOf('<!doctype html>'));
  expect(page).toContain('A &#60;b&#62;bold&#60;/b&#62; claim &#38; more');
  expect(page).not.toContain('<b>');
  expect(mail?.source).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const header = mail?.source.replaceAll('\r\n ', ' ').match(/^List-Unsubscribe: <(.*)>\r$/m)?.[1];
  expect(header).toBe(`https://daybook.example/subscribe/unsubscribe?token=${stage.tokenOf(email)}`);
});

test('a subscriber gets the edition in the language that they chose, and can change it', async () => {
  const { factory } = stage;
  const [email, other] = ['zh@example.org', 'en@example.org'];
  await stage.request(email, 'daily', { chosen: 'zh' });
  await stage.sendDue();
  const token = stage.tokenOf(email);
  expect(newestTo(email)).toContain('您正在订阅 Daybook');
  expect((await stage.save(token, 'daily')).text).toMatch(/value="zh"\s+selected/);
  await stage.subscribe(other);
  day += 1;
  stage.clock.set(`2026-11-${day}T00:30:00.000Z`);
  const own = await factory.publishSelected({ title: 'Tarn opens a model', language: 'en' });
  const chinese = await factory.publishSelected({
    title: 'Tarn 开源模型',
    summary: '摘要。',
    language: 'zh',
  });
  const contents = {
    headline: 'Tarn opens a model',
    overview: 'Tarn has opened a model.',
    language: 'en',
    headlineCites: [own],
    overviewCites: [own],
    sections: [{ key: 'ai-models', label: 'Models', itemIds: [own] }],
    flashes: [],
    versions: [
      {
        language: 'zh',
        headline: 'Tarn 开源模型',
        overview: 'Tarn 开源了一个模型。',
        headlineCites: [chinese],
        overviewCites: [chinese],
      },
    ],
    reports: [{ language: 'zh', entryId: own, itemId: chinese }],
  } as const;
  valueOf(await factory.publisher.issueEdition({ kind: 'daily', period: `2026-11-${day}`, contents }));
  await stage.sendDue();
  const [mail, english] = [newestTo(email), newestTo(other)];
  expect(mail).toContain('Tarn 开源模型');
  expect(mail).toContain('Tarn 开源了一个模型。');
  expect(mail).toContain(`/zh/items/${chinese}`);
  expect(mail).toContain('模型 ==');
  expect(mail).not.toContain('Tarn opens a model');
  expect(english).toContain(`/items/${own}`);
  expect(english).not.toContain('开源');
  await stage.save(stage.tokenOf(email), 'daily', 'en');
  const period = await nextDaily();
  await stage.sendDue();
  expect(newestTo(email)).toContain(`https://daybook.example/daily/${period}`);
});

test('one click unsubscribes, from any sender and as either kind of form, and stops all editions for good', async () => {
  const forms = {
    'application/x-www-form-urlencoded': 'List-Unsubscribe=One-Click',
    'multipart/form-data; boundary=x':
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
  };
  for (const [index, [type, body]] of Object.entries(forms).entries()) {
    const email = `leaver${index}@example.org`;
    await stage.subscribe(email);
    const path = `/subscribe/unsubscribe?token=${stage.tokenOf(email)}`;
    const looked = await stage.app.get(path);
    expect([looked.status, looked.text.includes('<form')]).toEqual([200, true]);
    // Link prefetching has changed nothing; an edition that is already queued is not sent either.
    const period = await nextDaily();
    const question = { method: 'POST', body, headers: { 'content-type': type } };
    expect((await ask(stage.app.port, path, question)).status).toBe(200);
    expect((await ask(stage.app.port, path, question)).status).toBe(200);
    await stage.sendDue();
    await stage.sendDue();
    expect(countOf(email, period)).toBe(0);
  }
  const { rows } = await sql`
    SELECT FROM mailing.subscription WHERE email LIKE 'leaver%' OR normalised_email LIKE 'leaver%'`.execute(
    stage.database.database,
  );
  expect(rows).toEqual([]);
});

test('an anonymous request has the same response for any address and changes nothing', async () => {
  const email = 'known@example.org';
  await stage.subscribe(email);
  const [known, unknown] = [
    await stage.request('Known@example.org', 'weekly'),
    await stage.request('new@example.org'),
  ];
  expect([known.status, known.text]).toEqual([200, unknown.text]);
  await stage.sendDue();
  expect(stage.mailsTo('Known@example.org').length + stage.mailsTo(email).length).toBe(2);
  const managed = await stage.app.get(`/subscribe/manage?token=${stage.tokenOf(email)}`);
  expect(managed.text).toMatch(/value="daily"\s+checked/);
  expect(managed.text).not.toMatch(/value="weekly"\s+checked/);
});

test('the secrets of links are stored only as hashes', async () => {
  const token = await stage.subscribe('secret@example.org');
  const { rows } = await sql<{ text: string; hash: Buffer }>`
    SELECT row_to_json(d)::text AS text, token_hash AS hash FROM mailing.delivery d
    WHERE token_hash = ${secretTokenHash(token)}`.execute(stage.database.database);
  expect(rows.length).toBe(1);
  expect(rows[0]?.text).not.toContain(token);
});

describe('when the mail server refuses an address', () => {
  test('permanently, the subscription ends', async () => {
    const email = 'gone@example.org';
    const token = await stage.subscribe(email);
    refusals.set(email, 550);
    const period = await nextDaily();
    await stage.sendDue();
    expect(await undelivered(period)).toEqual(['address_refused']);
    expect((await stage.app.get(`/subscribe/manage?token=${token}`)).text).toContain('You are unsubscribed');
    refusals.delete(email);
    const later = await nextDaily();
    await stage.sendDue();
    expect(countOf(email, later)).toBe(0);
  });

  test('temporarily, the mail is retried and abandoned after five attempts', async () => {
    const email = 'full@example.org';
    await stage.subscribe(email);
    refusals.set(email, 451);
    const period = await nextDaily();
    await stage.sendDue();
    refusals.delete(email);
    await stage.sendDue();
    expect(countOf(email, period)).toBe(0);
    stage.clock.advance({ minutes: 1 });
    await stage.sendDue();
    expect(countOf(email, period)).toBe(1);
    refusals.set(email, 451);
    const never = await nextDaily();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await stage.sendDue();
      expect(await undelivered(never)).toEqual(attempt < 4 ? [] : ['attempts_exhausted']);
      stage.clock.advance({ hours: 2 });
    }
    refusals.delete(email);
  });
});

describe('when delivery of a mail is uncertain', () => {
  test('because the connection was lost after the transfer, the mail is listed and not sent again', async () => {
    const email = 'lost@example.org';
    await stage.subscribe(email);
    refusals.set(email, 'lost');
    const period = await nextDaily();
    await stage.sendDue();
    refusals.delete(email);
    stage.clock.advance({ hours: 1 });
    await stage.sendDue();
    expect([countOf(email, period), await undelivered(period)]).toEqual([1, ['in_doubt']]);
  });

  test('because the worker that claimed it has ended, the mail is listed and not sent again', async () => {
    const email = 'claimed@example.org';
    await stage.subscribe(email);
    const period = await nextDaily();
    await sql`
      INSERT INTO mailing.delivery (id, subscription_id, purpose, period, state, created_at, due_at, claimed_by)
      SELECT gen_random_uuid(), id, 'daily', ${period}, 'sending', now(), now(), 999999
      FROM mailing.subscription WHERE email = ${email}`.execute(stage.database.database);
    await stage.sendDue();
    expect([countOf(email, period), await undelivered(period)]).toEqual([0, ['in_doubt']]);
  });
});

test('an edition whose window ended before a restore of the database is not mailed, the next one is', async () => {
  const email = 'restored@example.org';
  await stage.subscribe(email);
  const before = await nextDaily();
  await stage.database.asSuperuser('INSERT INTO mailing.restore (restored_at) VALUES ($1)', [
    `${before}T01:00:00Z`,
  ]);
  await stage.sendDue();
  const after = await nextDaily();
  await stage.sendDue();
  expect([countOf(email, before), countOf(email, after)]).toEqual([0, 1]);
});

describe('responses 400, 403, 404 and 429', () => {
  test('an invalid address or no chosen edition shows the form again in the page’s language', async () => {
    const [english, chinese] = [
      await stage.request('nobody'),
      await stage.request('nobody', 'daily', { language: '/zh' }),
    ];
    expect([english.status, english.text.includes('Enter a valid e-mail address.')]).toEqual([400, true]);
    expect([chinese.status, chinese.text.includes('请输入有效的电子邮箱。')]).toEqual([400, true]);
    const none = await stage.request('someone@example.org', 'monthly');
    expect([none.status, none.text.includes('Choose at least one report.')]).toEqual([400, true]);
  });

  test('a form sent from another site is refused', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await stage.request('someone@example.org', 'daily', { headers })).status).toBe(403);
  });

  test('an unknown link returns 404 with a helpful page', async () => {
    for (const path of ['/subscribe/manage', '/subscribe/unsubscribe', '/zh/subscribe/manage?token=x'])
      expect((await stage.app.get(path)).status).toBe(404);
    expect((await stage.save('x')).status).toBe(404);
    const oneClick = await ask(stage.app.port, '/subscribe/unsubscribe?token=x', { method: 'POST' });
    expect(oneClick.status).toBe(404);
  });

  test('a link to confirm expires after a week', async () => {
    await stage.request('late@example.org');
    await stage.sendDue();
    const token = stage.tokenOf('late@example.org');
    stage.clock.advance({ days: 7 });
    expect((await stage.save(token)).status).toBe(404);
  });

  test('one address gets at most five requested mails an hour, one client may send ten forms in ten minutes', async () => {
    const statuses = [];
    for (let time = 0; time < 6; time += 1) statuses.push((await stage.request('flood@example.org')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const from = '192.0.2.77';
    for (let time = 0; time < 10; time += 1) await stage.request('nobody', 'daily', { from });
    expect((await stage.request('nobody', 'daily', { from })).status).toBe(429);
  });
});
