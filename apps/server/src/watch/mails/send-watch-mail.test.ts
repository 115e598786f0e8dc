import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { valueOf } from '../../../test/factories/record-factory.ts';
import { ask } from '../../../test/http-client.ts';
import type { ReceivedMail } from '../../../test/mailbox.ts';
import type { TestReader } from '../../../test/watch.ts';
import { startTestWatch } from '../../../test/watch.ts';
import { periodsAt } from './send-watch-mail.ts';

let stage: Awaited<ReturnType<typeof startTestWatch>>;
let refused = '';
/** Its mail is refused for now. */
let delayed = '';
beforeAll(async () => {
  stage = await startTestWatch((recipient) =>
    recipient === refused ? 550 : recipient === delayed ? 451 : null,
  );
});
afterAll(() => stage.stop());

const mailsTo = ({ email }: TestReader): readonly ReceivedMail[] =>
  stage.mailbox.received.filter(({ to }) => to.includes(email));

/** The next hour begins, and its mail is sent. */
async function nextHour(): Promise<void> {
  stage.clock.advance({ hours: 1 });
  await stage.sendMail();
}

/** Items of their own, so that tests do not share matches. */
let count = 0;
async function publish(word: string): Promise<Awaited<ReturnType<typeof stage.factory.publish>>> {
  count += 1;
  const id = await stage.factory.publish({ title: `${word} ${count}` });
  await stage.match();
  return id;
}

describe('mail of saved searches', () => {
  test('has the matches of all searches of an hour, once, with links to unsubscribe', async () => {
    const reader = await stage.newReader();
    await publish('Hourglass');
    await nextHour();
    await reader.save({ q: 'hourglass' }, { mail: 'hourly', name: 'Glass <b>' });
    await reader.save({ q: 'sundial' }, { mail: 'hourly' });
    await reader.save({ q: 'sundial' }, { mail: 'never', name: 'Quiet' });
    await publish('Hourglass');
    await publish('Sundial');
    await stage.sendMail();
    expect(mailsTo(reader)).toEqual([]);
    await nextHour();
    await stage.sendMail();
    const [mail, ...more] = mailsTo(reader);
    expect(more).toEqual([]);
    expect(mail?.subject).toMatch(/^2 new items: /);
    expect(mail?.body).toContain('== Glass <b> ==');
    expect(mail?.body).not.toContain('Quiet');
    const source = mail?.source.replaceAll(/\r\n\s+/gu, ' ');
    expect(source).toMatch(
      /List-Unsubscribe: <https:\/\/daybook\.example\/watch\/unsubscribe\?token=[0-9a-f]{64}>/,
    );
    expect(source).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    await nextHour();
    expect(mailsTo(reader)).toHaveLength(1);
  });

  test('daily mail waits for the morning in Shanghai', async () => {
    const reader = await stage.newReader();
    stage.clock.set('2026-12-01T01:00:00.000Z');
    await stage.sendMail();
    await reader.save({ q: 'calendar' }, { mail: 'daily', language: 'zh' });
    await publish('Calendar');
    stage.clock.set('2026-12-01T23:59:00.000Z');
    await stage.sendMail();
    expect(mailsTo(reader)).toEqual([]);
    stage.clock.set('2026-12-02T00:00:00.000Z');
    await stage.sendMail();
    expect(mailsTo(reader)[0]?.body).toContain('已保存搜索的新资讯');
  });

  test('a withdrawn item is left out, and no mail is sent for it alone', async () => {
    const reader = await stage.newReader();
    await reader.save({ q: 'retraction' }, { mail: 'hourly' });
    const item = await publish('Retraction');
    valueOf(await stage.factory.publisher.withdrawItem({ itemId: item }));
    await nextHour();
    expect(mailsTo(reader)).toEqual([]);
  });

  test('a link unsubscribes with one click, before and after the next mail was inserted', async () => {
    const reader = await stage.newReader();
    await reader.save({ q: 'goodbye' }, { mail: 'hourly' });
    await publish('Goodbye');
    await nextHour();
    const path = `/watch/unsubscribe?token=${mailsTo(reader)[0]?.token}`;
    await publish('Goodbye');
    const clicked = await ask(stage.app.port, path, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(clicked.status).toBe(200);
    await publish('Goodbye');
    await nextHour();
    await nextHour();
    expect(mailsTo(reader)).toHaveLength(1);
    const searches = (await reader.call('GET', '/api/v1/saved-searches')).json()['data'];
    expect(searches).toMatchObject([{ mail: 'never' }]);
  });

  test('what matched before mail was chosen again is not mailed', async () => {
    const reader = await stage.newReader();
    const id = await reader.save({ q: 'patience' }, { mail: 'hourly' });
    await publish('Patience');
    await reader.call('PATCH', `/api/v1/saved-searches/${id}`, { mail: 'never' });
    await reader.call('PATCH', `/api/v1/saved-searches/${id}`, { mail: 'hourly' });
    await nextHour();
    expect(mailsTo(reader)).toEqual([]);
  });

  test('of another frequency contains what the cancelled mail of the former one would have', async () => {
    const reader = await stage.newReader();
    stage.clock.set('2026-12-05T01:00:00.000Z');
    await stage.sendMail();
    const id = await reader.save({ q: 'handover' }, { mail: 'hourly' });
    await publish('Handover');
    delayed = reader.email;
    await nextHour();
    delayed = '';
    await reader.call('PATCH', `/api/v1/saved-searches/${id}`, { mail: 'daily' });
    await nextHour();
    expect(mailsTo(reader)).toEqual([]);
    stage.clock.set('2026-12-06T00:00:00.000Z');
    await stage.sendMail();
    await nextHour();
    expect(mailsTo(reader).map(({ subject }) => subject)).toEqual(['1 new item: handover']);
  });

  test('does not contain the matches of a search whose mail ended while it was waiting', async () => {
    const reader = await stage.newReader();
    const id = await reader.save({ q: 'silence' }, { mail: 'hourly' });
    await reader.save({ q: 'melody' }, { mail: 'hourly' });
    await publish('Silence');
    await publish('Melody');
    delayed = reader.email;
    await nextHour();
    delayed = '';
    await reader.call('PATCH', `/api/v1/saved-searches/${id}`, { mail: 'never' });
    await reader.call('PATCH', `/api/v1/saved-searches/${id}`, { mail: 'hourly' });
    await nextHour();
    await nextHour();
    expect(mailsTo(reader)).toHaveLength(1);
    expect(mailsTo(reader)[0]?.body).toContain('Melody');
    expect(mailsTo(reader)[0]?.body).not.toContain('Silence');
  });

  test('contains an item that was published and not compared when the search was saved', async () => {
    const reader = await stage.newReader();
    count += 1;
    await stage.factory.publish({ title: `Simultaneous ${count}` });
    const id = await reader.save({ q: 'simultaneous' }, { mail: 'hourly' });
    const listed = [`Simultaneous ${count}`];
    expect(await reader.titlesOf(id)).toEqual(listed);
    await stage.match();
    expect(await reader.titlesOf(id)).toEqual(listed);
    await nextHour();
    expect(mailsTo(reader)).toHaveLength(1);
  });

  test('an address that is refused for good gets no further mail', async () => {
    const reader = await stage.newReader();
    await reader.save({ q: 'mailbox' }, { mail: 'hourly' });
    refused = reader.email;
    await publish('Mailbox');
    await nextHour();
    refused = '';
    await publish('Mailbox');
    await nextHour();
    expect(mailsTo(reader)).toEqual([]);
    const rows = await stage.database.asSuperuser(
      'SELECT state, reason FROM watch.mail WHERE account_id = $1',
      [reader.accountId],
    );
    expect(rows).toEqual([{ state: 'undelivered', reason: 'address_refused' }]);
  });

  test('an account that is about to be deleted gets no mail', async () => {
    const reader = await stage.newReader();
    await reader.save({ q: 'farewell' }, { mail: 'hourly' });
    await publish('Farewell');
    await stage.database.asSuperuser(
      'INSERT INTO identity.account_deletion (account_id, requested_at, due_at) VALUES ($1, now(), now())',
      [reader.accountId],
    );
    await nextHour();
    expect(mailsTo(reader)).toEqual([]);
  });
});

test('an hour and a day have one period each', () => {
  const at = (text: string) =>
    periodsAt((BigInt(Date.parse(text)) * 1000n) as never).map(({ period }) => period);
  expect(at('2026-12-01T23:59:59.999Z')).toEqual(['2026-12-01T23', '2026-12-01']);
  expect(at('2026-12-02T00:00:00.000Z')).toEqual(['2026-12-02T00', '2026-12-02']);
});
