import { brotliCompressSync } from 'node:zlib';

import { afterAll, expect, test } from 'vitest';

import { consoleAddresses } from '../../../test/console-pages.ts';
import { openPage, signInForCookie } from '../../../test/form-client.ts';
import { ask } from '../../../test/http-client.ts';
import { startTestPlatformPages } from '../../../test/platform-pages.ts';
import { shippedTemplates } from '../../agents/index.ts';
import { assets } from '../shell/assets.ts';

const { stage, acme, ownerCookie } = await startTestPlatformPages();
afterAll(() => stage.stop());

const inChinese = (cookie: string): string => `${cookie}; __Host-daybook-language=zh`;

/** The program of a command, the description of an agent that a template gave it, and the names of templates. */
const data = [
  'daybook admin local',
  'Explains the AI industry and cites its sources',
  ...shippedTemplates.map(({ name }) => name),
];

/** Three English words in a row, outside of scripts, code, fields and names. */
function englishOf(page: string): readonly string[] {
  const text = page
    .replaceAll(/<(script|style|code|pre|textarea|svg)\b[^]*?<\/\1>/gu, ' ')
    .replaceAll(/<[^>]*>/gu, ' ')
    .replaceAll(/\s+/gu, ' ');
  const named = data.reduce((rest, name) => rest.replaceAll(name, ''), text);
  return named.match(/\b[A-Za-z’]{2,} [a-z’]{2,} [a-z’]{2,}[^。]{0,40}/gu) ?? [];
}

test('every page is in Chinese for a person who chose Chinese, with one of each kind of resource', async () => {
  const found: string[] = [];
  let seen = 0;
  for (const address of await consoleAddresses(stage, acme)) {
    const { status, headers, text } = await openPage(stage, address, inChinese(ownerCookie));
    if (!String(headers['content-type']).startsWith('text/html') || status === 303) continue;
    seen += 1;
    expect([address, text.includes('<html lang="zh">')]).toEqual([address, true]);
    // The sentence of a problem comes from another domain.
    if (status === 200) found.push(...englishOf(text).map((words) => `${address}: ${words}`));
  }
  expect(seen).toBeGreaterThan(50);
  expect(found).toEqual([]);
});

test('no page loads more than 30 KB of script, compressed', async () => {
  const bytesOf = new Map(assets.map(({ path, bytes }) => [path, brotliCompressSync(bytes).length]));
  const heavy: string[] = [];
  for (const address of await consoleAddresses(stage, await stage.createOrganization())) {
    const { text } = await openPage(stage, address, ownerCookie);
    const scripts = [...text.matchAll(/<script src="([^"]+)"/gu)].map(([, path = '']) => path);
    const total = scripts.reduce((sum, path) => sum + (bytesOf.get(path) ?? Number.NaN), 0);
    if (!(total <= 30_000)) heavy.push(`${address}: ${total}`);
  }
  expect(heavy).toEqual([]);
});

test('pages without a session are in the language of the browser, until another one is chosen', async () => {
  const languageOf = async (headers: Readonly<Record<string, string>>): Promise<string | undefined> =>
    /<html lang="(\w+)"/u.exec((await ask(stage.app.port, '/auth/signin', { headers })).text)?.[1];
  expect(await languageOf({})).toBe('en');
  expect(await languageOf({ 'accept-language': 'fr, zh-CN;q=0.9, en;q=0.8' })).toBe('zh');
  expect(await languageOf({ 'accept-language': 'zh', cookie: '__Host-daybook-language=en' })).toBe('en');
  const { text } = await openPage(stage, '/auth/signin', '__Host-daybook-language=zh');
  for (const words of ['登录', '电子邮箱', '忘记密码？']) expect(text).toContain(words);
});

test('a refused form shows the problem in Chinese', async () => {
  const cookie = inChinese(await signInForCookie(stage, acme.owner));
  const { status, text } = await openPage(stage, `/platform/${acme.key}/policies/999`, cookie);
  expect([status, text]).toEqual([404, expect.stringContaining('出错了')]);
});
