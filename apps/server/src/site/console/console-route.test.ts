import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Answer } from '../../../test/http-client.ts';
import { ask } from '../../../test/http-client.ts';
import type { TestIdentity } from '../../../test/identity.ts';
import { startTestIdentity } from '../../../test/identity.ts';

let stage: TestIdentity;
beforeAll(async () => {
  stage = await startTestIdentity({ pages: true });
});
afterAll(() => stage.stop());

const send = (path: string, fields: Readonly<Record<string, string>>): Promise<Answer> => {
  stage.clock.advance({ minutes: 1 });
  return ask(stage.app.port, path, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
  });
};

test('an invalid form is shown again, with the error beside its field and the typed values', async () => {
  const answer = await send('/auth/signin', { email: 'a"><b>@example.org' });
  expect(answer.status).toBe(400);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.text).toContain('<p class="fault" id="password-fault">This is required.</p>');
  expect(answer.text).toContain('value="a&#34;&#62;&#60;b&#62;@example.org"');
  expect(answer.text).not.toContain('"><b>');
});

test('an invalid address is a separate error page, not an error of the form', async () => {
  const answer = await send('/auth/signin?source=api&port=80', { email: 'a@example.org', password: 'x' });
  expect(answer.status).toBe(400);
  expect(answer.text).not.toContain('method="post"');
});

test('no page may be cached, framed, or send a form to another origin', async () => {
  const { headers } = await ask(stage.app.port, '/auth/signin');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['content-security-policy']).toMatch(/form-action 'self'; frame-ancestors 'none'$/);
  expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:/);
});
