import { afterAll, beforeAll, expect, test } from 'vitest';

import { cookieOf, openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import type { TestIdentity } from '../../../../test/identity.ts';
import { startTestIdentity, testAuthUrl } from '../../../../test/identity.ts';

let stage: TestIdentity;
beforeAll(async () => {
  stage = await startTestIdentity({ pages: true });
});
afterAll(() => stage.stop());

test('the language is chosen by a form that returns to its page, and the frame is then in that language', async () => {
  const cookie = await signInForCookie(stage, await stage.createAccount());
  const headers = { 'sec-fetch-site': 'same-origin', referer: `${testAuthUrl}/account/activity?after=x` };
  const chosen = await sendForm(stage, '/account/language', { language: 'zh' }, { cookie, headers });
  expect([chosen.status, chosen.headers.location]).toEqual([303, '/account/activity']);
  const page = await openPage(stage, '/account/activity', `${cookie}; ${cookieOf(chosen)}`);
  expect(page.text).toMatch(/<html lang="zh">[^]*>个人资料<[^]*<h1>活动记录</);
  expect((await openPage(stage, '/account/activity', cookie)).text).toContain('<html lang="en">');
});

test.each(['https://evil.example//evil.example/x', '//evil.example', 'nonsense', ''])(
  'a referrer of %j leads to no other site',
  async (referer) => {
    const cookie = await signInForCookie(stage, await stage.createAccount());
    const headers = { 'sec-fetch-site': 'same-origin', ...(referer !== '' && { referer }) };
    const { headers: answer } = await sendForm(
      stage,
      '/account/language',
      { language: 'en' },
      { cookie, headers },
    );
    expect(answer.location).toMatch(/^\/(?!\/)/);
  },
);
