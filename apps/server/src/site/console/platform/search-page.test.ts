import { afterAll, expect, test } from 'vitest';

import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import { startTestPlatformPages } from '../../../../test/platform-pages.ts';

const { stage, acme, ownerCookie } = await startTestPlatformPages();
afterAll(() => stage.stop());

/** The found entries as `<kind> <label>`. */
async function found(cookie: string, query: string, org = acme.key): Promise<readonly string[]> {
  const { status, text } = await openPage(
    stage,
    `/console/search?${new URLSearchParams({ query, org }).toString()}`,
    cookie,
  );
  expect(status).toBe(200);
  const list = /data-found>([^]*?)<\/section>/u.exec(text)?.[1] ?? '';
  return [...list.matchAll(/<span class="grow">([^<]*)<\/span>\s*<small>([^<]*)</gu)].map(
    ([, label, kind]) => `${kind} ${label}`,
  );
}

test('finds pages, members, projects, tokens and groups by a part of their name', async () => {
  const cookie = ownerCookie;
  const member = await acme.addMember('member');
  await sendForm(stage, `/platform/${acme.key}/projects`, { name: 'Zebra files' }, { cookie });
  await sendForm(stage, `/platform/${acme.key}/groups`, { name: 'Zebra group' }, { cookie });
  const token = { name: 'zebra-token', mode: 'owner' };
  await sendForm(stage, `/platform/${acme.key}/tokens`, token, { cookie });
  expect(await found(cookie, 'ZEBRA')).toEqual([
    'Files Zebra files',
    expect.stringMatching(/^Tokens zebra-token/),
    'Groups Zebra group',
  ]);
  expect(await found(cookie, member.username)).toEqual([expect.stringContaining(member.username)]);
  expect(await found(cookie, 'audit')).toEqual(['Page Audit log']);
  expect(await found(cookie, 'secur')).toEqual(['Account Security']);
  expect(await found(cookie, '')).toContain('Page Policies');
});

test('a guest finds only what the pages show to guests, and others nothing of the organization', async () => {
  const guest = await signInForCookie(stage, await acme.addMember('guest'));
  expect(await found(guest, 'ZEBRA')).toEqual([]);
  expect(await found(guest, acme.owner.username)).toEqual([]);
  const stranger = await stage.createOrganization();
  const cookie = await signInForCookie(stage, stranger.owner);
  expect(await found(cookie, 'ZEBRA')).toEqual([]);
  expect(await found(cookie, '')).not.toContain('Page Policies');
});
