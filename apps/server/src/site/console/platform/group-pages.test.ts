import { afterAll, expect, test } from 'vitest';

import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import { startTestPlatformPages } from '../../../../test/platform-pages.ts';

const { stage, acme, ownerCookie } = await startTestPlatformPages();
afterAll(() => stage.stop());

test('with many members they are searched by name, a few at a time, and checked ones stay', async () => {
  const big = await stage.createOrganization();
  const cookie = await signInForCookie(stage, big.owner);
  await stage.database.asSuperuser(
    `WITH made AS (
       INSERT INTO identity.account (id, username, email, email_normalised, name, organization_id, created_at)
       SELECT gen_random_uuid(), 'crowd-' || n, 'crowd-' || n || '@example.org', 'crowd-' || n || '@example.org',
         'Crowd ' || n, $1, now() FROM generate_series(1, 120) AS n RETURNING id)
     INSERT INTO identity.organization_membership (organization_id, account_id, role, created_at)
     SELECT $1, id, 'viewer', now() FROM made`,
    [big.id],
  );
  const made = await sendForm(stage, `/platform/${big.key}/groups`, { name: 'Crowd' }, { cookie });
  const path = made.headers.location ?? '';
  const boxes = (text: string): readonly string[] =>
    [...text.matchAll(/name="users"\s+value="([^"]+)"/g)].map(([, value]) => value ?? '');
  expect(boxes((await openPage(stage, path, cookie)).text)).toEqual([]);
  const find = { name: 'Crowd', find: 'users', users_query: 'crowd 11' };
  const found = await sendForm(stage, path, find, { cookie });
  // 11 and 110 to 119.
  expect(boxes(found.text)).toHaveLength(11);
  expect(found.text).toContain('Not saved yet');
  const more = await sendForm(
    stage,
    path,
    { ...find, users: 'crowd-11', users_query: 'crowd 7' },
    { cookie },
  );
  expect(more.text).toMatch(/value="crowd-11"\s+checked/);
  expect(boxes(more.text)).toHaveLength(1 + 11);
  const api = `/dm/api/core/rbac/groups/1?platform_key=${big.key}`;
  const usersOf = async () => (await stage.send('GET', api, big.owner.headers)).json()['users'];
  expect(await usersOf()).toEqual([]);
  const everyone = Array.from({ length: 60 }, (_, index) => `crowd-${index + 1}`);
  await stage.send('PATCH', api, big.owner.headers, { users_to_add: everyone });
  const shown = (await openPage(stage, path, cookie)).text;
  expect(boxes(shown)).toHaveLength(20);
  expect(shown).toContain('40 of 60 attached entries are not shown');
  // The unchecked member is one of those shown; those not shown stay.
  const [first = '', second = ''] = boxes(shown);
  const fields = { name: 'Crowd', users: second, users_before: first };
  expect((await sendForm(stage, path, fields, { cookie })).status).toBe(200);
  expect(await usersOf()).toHaveLength(59);
  expect(await usersOf()).not.toContain(first);
});

test('is created with members and with permissions, which become a policy of the same name, or not at all', async () => {
  const member = await acme.addMember('viewer');
  const path = `/platform/${acme.key}/groups`;
  const fields = { name: 'Night readers', users: member.username, jobs: 'see-members' };
  const made = await sendForm(stage, path, fields, { cookie: ownerCookie });
  expect(made.status).toBe(303);
  const api = async (kind: string, name: string): Promise<Record<string, unknown>> => {
    const asked = `/dm/api/core/rbac/${kind}/?platform_key=${acme.key}&query=${encodeURIComponent(name)}`;
    const { data } = (await stage.send('GET', asked, acme.owner.headers)).json();
    return (data as Record<string, unknown>[])[0] ?? {};
  };
  const policy = await api('policies', 'Night readers');
  expect(policy).toMatchObject({ actions: ['Daybook.Core/Members/read'] });
  const { id } = await api('groups', 'Night readers');
  const onePath = `/dm/api/core/rbac/groups/${String(id)}?platform_key=${acme.key}`;
  const group = (await stage.send('GET', onePath, acme.owner.headers)).json();
  expect(group).toMatchObject({ users: [member.username], policies: [policy['id']] });
  const members = `/dm/api/core/rbac/members/?platform_key=${acme.key}`;
  expect((await stage.send('GET', members, member.headers)).status).toBe(200);

  const policyOnly = {
    platform_key: acme.key,
    name: 'Taken',
    actions: ['Daybook.**'],
    resources: [`/organizations/${acme.key}`],
  };
  await stage.send('POST', '/dm/api/core/rbac/policies/', acme.owner.headers, policyOnly);
  const refused = await sendForm(stage, path, { ...fields, name: 'Taken' }, { cookie: ownerCookie });
  expect(refused.status).toBe(409);
  expect(refused.text).toMatch(/value="see-members"\s+checked/);
  expect(await api('groups', 'Taken')).toEqual({});
});

test('they and policies are searched by a part of the name, on the page and in the API', async () => {
  for (const kind of ['groups', 'policies']) {
    const path = `/platform/${acme.key}/${kind}`;
    for (const name of ['Tulip 100%', 'Tulips'])
      await stage.send('POST', `/dm/api/core/rbac/${kind}/`, acme.owner.headers, {
        platform_key: acme.key,
        name,
        ...(kind === 'policies' && { actions: ['Daybook.**'], resources: [`/organizations/${acme.key}`] }),
      });
    const { text } = await openPage(stage, `${path}?query=${encodeURIComponent('tulip 1')}`, ownerCookie);
    expect([text.includes('>Tulip 100%<'), text.includes('>Tulips<')]).toEqual([true, false]);
    const api = `/dm/api/core/rbac/${kind}/?platform_key=${acme.key}&query=100%25`;
    const listed = (await stage.send('GET', api, acme.owner.headers)).json()['data'];
    expect((listed as { name: string }[]).map(({ name }) => name)).toEqual(['Tulip 100%']);
  }
});

test('adds users until the entered end, and shows it', async () => {
  const member = await acme.addMember('viewer');
  const made = await sendForm(
    stage,
    `/platform/${acme.key}/groups`,
    { name: 'Weekend' },
    { cookie: ownerCookie },
  );
  const path = made.headers.location ?? '';
  const fields = { name: 'Weekend', users: member.username, until: '2126-11-16T08:00' };
  const saved = await sendForm(stage, path, fields, { cookie: ownerCookie });
  expect(saved.status).toBe(200);
  expect(saved.text).toContain('2126-11-16 08:00 UTC');
  const past = { ...fields, users_before: '', until: '2020-11-16T08:00' };
  expect((await sendForm(stage, path, past, { cookie: ownerCookie })).status).toBe(400);
});
