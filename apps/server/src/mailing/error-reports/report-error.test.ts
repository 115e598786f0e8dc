import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sendForm } from '../../../test/form-client.ts';
import type { TestMailing } from '../../../test/mailing.ts';
import { startTestMailing } from '../../../test/mailing.ts';

let stage: TestMailing;
let mailServerIsDown = false;
beforeAll(async () => {
  stage = await startTestMailing(() => (mailServerIsDown ? 451 : null));
});
afterAll(() => stage.stop());

const send = (fields: Readonly<Record<string, string>>, path = '/report-error', options = {}) =>
  sendForm({ app: stage.app }, path, fields, options);
const editors = 'editors@example.org';
const message = 'The figure is wrong:\r\nit was 3 billion.\nBcc: all@example.org';

test('an error report is mailed to the editors, each line marked as the reader’s, with the page it is about', async () => {
  const id = await stage.factory.publishSelected();
  const about = `/items/${id}`;
  expect((await stage.app.get(about)).text).toContain(`/report-error?about&#61;${encodeURIComponent(about)}`);
  const shown = await stage.app.get(`/report-error?about=${about}`);
  expect(shown.text).toContain(`name="about" value="${about}"`);
  expect((await send({ about, message, replyTo: 'reader@example.org' })).status).toBe(200);
  await stage.sendDue();
  await stage.sendDue();
  const [mail, ...more] = stage.mailsTo(editors);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe(`Error reported: ${about}`);
  expect(mail?.source).toMatch(/^Reply-To: reader@example\.org\r$/m);
  expect(mail?.body).toContain('> The figure is wrong:\r\n> it was 3 billion.\r\n> Bcc: all@example.org');
  expect(mail?.source).not.toMatch(/^Bcc:/m);
});

test('an error report that could not be mailed is retried', async () => {
  mailServerIsDown = true;
  await send({ message: 'The second report of an error.' });
  await stage.sendDue();
  mailServerIsDown = false;
  await stage.sendDue();
  expect(stage.mailsTo(editors).length).toBe(1);
  stage.clock.advance({ minutes: 10 });
  await stage.sendDue();
  expect(stage.mailsTo(editors).at(-1)?.body).toContain('> The second report of an error.');
});

test('an address outside our pages is omitted and not shown', async () => {
  for (const about of [
    'https://evil.example/',
    '//evil.example/items/x',
    '/items/<script>',
    'javascript:alert(1)',
  ]) {
    const shown = await stage.app.get(`/report-error?about=${encodeURIComponent(about)}`);
    expect(shown.text).toContain('name="about" value=""');
    expect(shown.text).not.toContain('evil');
  }
});

describe('responses 400, 403 and 429', () => {
  test('text of a wrong length or an invalid address shows the form again in its language', async () => {
    const long = await send({ message: 'x'.repeat(2_001) });
    expect([long.status, long.text.includes('10 to 2,000 characters')]).toEqual([400, true]);
    const short = await send({ message: '<b>short' }, '/zh/report-error');
    expect([short.status, short.text.includes('请用 10 到 2000 个字符说明错误。')]).toEqual([400, true]);
    expect(short.text).toContain('&#60;b&#62;short</textarea>');
    expect((await send({ message: 'long enough a message', replyTo: 'nobody' })).status).toBe(400);
  });

  test('a form sent from another site is refused', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await send({ message }, '/report-error', { headers })).status).toBe(403);
  });

  test('one client may send ten forms in ten minutes, all clients together sixty in an hour', async () => {
    const from = '192.0.2.9';
    for (let time = 0; time < 10; time += 1) await send({ message: 'short' }, '/report-error', { from });
    expect((await send({ message }, '/report-error', { from })).status).toBe(429);
    const statuses = [];
    for (let time = 0; time < 60; time += 1) statuses.push((await send({ message })).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
  });
});
