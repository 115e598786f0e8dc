import { afterAll, expect, test } from 'vitest';

import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import { ask } from '../../../../test/http-client.ts';
import { startTestPlatformPages } from '../../../../test/platform-pages.ts';

const { stage, acme, ownerCookie } = await startTestPlatformPages();
afterAll(() => stage.stop());

const tokens = () => `/platform/${acme.key}/tokens`;
const send = (fields: Readonly<Record<string, string>>) =>
  sendForm(stage, tokens(), { mode: 'token_policies', ...fields }, { cookie: ownerCookie });

test('one is given jobs on creation, previewed in sentences; a policy of its own stores them', async () => {
  const preview = await send({ name: 'picked', jobs: 'read-agents', preview: 'yes' });
  expect(preview.text).toMatch(/This token can[^]*<span>list agents<[^]*<span>open agents</);
  expect(preview.text).toContain('Platform tokens cannot access projects and files');
  expect((await openPage(stage, tokens(), ownerCookie)).text).not.toContain('>picked<');
  for (const name of ['picked', 'picked again']) {
    const made = await send({ name, jobs: 'read-agents' });
    expect(made.text).toContain('is active');
  }
  const page = await openPage(stage, `${tokens()}/picked`, ownerCookie);
  expect(page.text).toMatch(/checked[^]*?: Token picked</);
  expect(page.text).toMatch(/This token cannot[^]*Agents: [^<]*create agents/);
});

test('one is given actions by area, and its page links to the policy where they are changed', async () => {
  const shown = await openPage(stage, tokens(), ownerCookie);
  expect(shown.text).toContain('Permissions by area');
  expect(shown.text).not.toContain('Daybook.Storage/');
  const made = await send({ name: 'by area', can: 'Daybook.Agents/Agents/read' });
  expect(made.text).toContain('<span>list agents</span>');
  const page = await openPage(stage, `${tokens()}/by%20area`, ownerCookie);
  const [, policy = ''] = /href="([^"]+\/policies\/\d+)">Token by area</.exec(page.text) ?? [];
  const fields = { name: 'Token by area', can: 'Daybook.Agents/Agents/create' };
  expect((await sendForm(stage, policy, fields, { cookie: ownerCookie })).status).toBe(200);
  stage.age();
  expect((await openPage(stage, `${tokens()}/by%20area`, ownerCookie)).text).toContain(
    '<span>create agents</span>',
  );
});

test('one without permissions or with contradictory choices is refused, as is a taken name, without a leftover policy', async () => {
  expect((await send({ name: 'empty' })).text).toContain('Select at least one permission, policy or group');
  const both = await send({ name: 'both', mode: 'owner', jobs: 'read-agents' });
  expect([both.status, both.text]).toEqual([400, expect.stringContaining('Clear the selected permissions')]);
  const policies = async () => (await openPage(stage, `/platform/${acme.key}/policies`, ownerCookie)).text;
  const fields = { name: 'taken', jobs: 'read-agents' };
  expect((await send(fields)).status).toBe(200);
  expect((await send(fields)).status).toBe(409);
  expect(await policies()).toContain('Token taken');
  expect(await policies()).not.toContain('Token taken 2');
});

test('jobs are limited to one resource by its name or id; an ambiguous, unknown or unfitting one is refused', async () => {
  const field = { template_name: 'ai-mentor', new_mentor_name: 'Field notes' };
  await sendForm(stage, `/platform/${acme.key}/agents`, field, { cookie: ownerCookie });
  const limited = async (jobs: string, only: string) =>
    (await send({ name: 'limited', jobs, only, preview: 'yes' })).text;
  expect(await limited('read-agents', 'field NOTES')).toContain('open agents, but only “Field notes”');
  expect(await limited('read-agents', 'No such agent')).toContain('No resource of the selected permissions');
  await rbac('groups', { name: 'Field notes' });
  await rbac('policies', {
    name: 'Field notes',
    actions: ['Daybook.Agents/Agents/read'],
    resources: [`/organizations/${acme.key}/agents`],
  });
  expect(await limited('read-rules', 'Field notes')).toContain('Several resources have this name');
  const both = new URLSearchParams({ name: 'limited', mode: 'token_policies', only: 'Keepers of notes' });
  for (const job of ['read-agents', 'read-rules']) both.append('jobs', job);
  await rbac('groups', { name: 'Keepers of notes' });
  const apart = await ask(stage.app.port, tokens(), {
    method: 'POST',
    body: both.toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      cookie: ownerCookie,
    },
  });
  expect(apart.text).toContain('Create a separate policy');
  const twice = await send({ name: 'limited', jobs: 'read-agents', can: 'Daybook.Agents/Agents/read' });
  expect(twice.text).toContain('Select either common permissions or permissions by area, not both.');
});

const rbac = (kind: string, json: object) =>
  stage.send('POST', `/dm/api/core/rbac/${kind}/`, acme.owner.headers, { platform_key: acme.key, ...json });
const policiesNamed = async (part: string) => {
  const query = `platform_key=${acme.key}&query=${encodeURIComponent(part)}`;
  const found = await stage.send('GET', `/dm/api/core/rbac/policies/?${query}`, acme.owner.headers);
  return found.json()['data'] as { readonly id: number; readonly name: string }[];
};

test('the policy of its jobs is deleted with it, by page and by API, and both are audited', async () => {
  for (const name of ['ended here', 'ended there']) await send({ name, jobs: 'read-agents' });
  const [there, here] = await policiesNamed('Token ended');
  expect([there?.name, here?.name]).toEqual(['Token ended there', 'Token ended here']);
  const question = await openPage(stage, `${tokens()}/ended%20here/remove`, ownerCookie);
  expect(question.text).toContain('A policy that was created with it is also deleted');
  const byPage = await sendForm(stage, `${tokens()}/ended%20here/remove`, {}, { cookie: ownerCookie });
  expect([byPage.status, await policiesNamed('Token ended')]).toEqual([303, [there]]);
  const address = `/dm/api/core/platform/api-tokens/ended%20there?platform_key=${acme.key}`;
  expect((await stage.send('DELETE', address, acme.owner.headers)).status).toBe(204);
  expect(await policiesNamed('Token ended')).toEqual([]);
  const events = `/dm/api/core/platform/audit-events/?platform_key=${acme.key}&limit=4`;
  const { data } = (await stage.send('GET', events, acme.owner.headers)).json() as {
    data: { readonly kind: string; readonly detail: Readonly<Record<string, unknown>> }[];
  };
  const recorded = data.map(({ kind, detail }) => [kind, detail['policyId'] ?? detail['name']]);
  expect(new Set(recorded)).toEqual(
    new Set([
      ['policy_deleted', there?.id],
      ['platform_token_deleted', 'ended there'],
      ['policy_deleted', here?.id],
      ['platform_token_deleted', 'ended here'],
    ]),
  );
});

test('a policy used by a group or another token stays, as does one created separately', async () => {
  const policy = await rbac('policies', {
    name: 'Kept by itself',
    actions: ['Daybook.Agents/Agents/read'],
    resources: [`/organizations/${acme.key}/agents`],
  });
  const alone = String(policy.json()['id']);
  for (const name of ['kept by group', 'kept by token'])
    await send({ name, jobs: 'read-agents', policies: alone });
  const [ofToken, ofGroup] = (await policiesNamed('Token kept')).map(({ id }) => id);
  await rbac('groups', { name: 'Keepers', policies_to_add: [ofGroup] });
  await send({ name: 'heir', policies: String(ofToken) });
  for (const name of ['kept by group', 'kept by token', 'heir']) {
    const removed = await sendForm(
      stage,
      `${tokens()}/${encodeURIComponent(name)}/remove`,
      {},
      { cookie: ownerCookie },
    );
    expect(removed.status).toBe(303);
  }
  expect((await policiesNamed('kept by')).map(({ name }) => name)).toEqual([
    'Token kept by token',
    'Token kept by group',
    'Kept by itself',
  ]);
});

test('removing a member deletes the policies of their tokens', async () => {
  const person = await acme.addMember('admin');
  const cookie = await signInForCookie(stage, person);
  const fields = { name: 'left behind', mode: 'token_policies', jobs: 'read-agents' };
  expect((await sendForm(stage, tokens(), fields, { cookie })).status).toBe(200);
  expect(await policiesNamed('Token left')).toHaveLength(1);
  const address = `/dm/api/core/rbac/members/${person.username}?platform_key=${acme.key}`;
  expect((await stage.send('DELETE', address, acme.owner.headers)).status).toBe(204);
  expect(await policiesNamed('Token left')).toEqual([]);
});

test('a member who may not grant a job sees which one, and it is not offered', async () => {
  const person = await acme.addMember('viewer');
  const policy = await rbac('policies', {
    name: 'Makes tokens',
    actions: ['Daybook.Core/ApiTokens/*', 'Daybook.Core/ApiTokens/*/write', 'Daybook.Core/Policies/*'],
    resources: [`/organizations/${acme.key}/**`],
  });
  await rbac('groups', {
    name: 'Makers',
    users_to_add: [person.username],
    policies_to_add: [policy.json()['id']],
  });
  stage.age();
  const cookie = await signInForCookie(stage, person);
  const { text } = await openPage(stage, tokens(), cookie);
  expect(text).toMatch(
    /Not available, because you do not have these permissions: Manage agents, Manage members/,
  );
  expect([text.includes('value="read-agents"'), text.includes('value="manage-members"')]).toEqual([
    true,
    false,
  ]);
  const fields = { name: 'more', mode: 'token_policies', jobs: 'manage-members' };
  const refused = await sendForm(stage, tokens(), fields, { cookie });
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Permission escalation')]);
});

test('a token with a policy for files shows what it cannot do despite the policy', async () => {
  const picked = { name: 'All files', can: 'Daybook.Storage/Files/create' };
  const path = `/platform/${acme.key}/policies`;
  const saved = await sendForm(stage, path, picked, { cookie: ownerCookie });
  const policies = saved.headers.location?.split('/').at(-1) ?? '';
  const made = await send({ name: 'filing', policies });
  expect(made.text).toMatch(/It cannot [^<]*upload files[^<]*<\/strong>\s*Platform tokens cannot access/);
  expect(made.text).not.toContain('<span>upload files</span>');
});

test('they are searched by name, 50 per page, with their last use', async () => {
  await stage.database.asSuperuser(
    `INSERT INTO access.platform_token (id, organization_id, name, secret_hash, created_by, mode, created_at, expires,
       last_used_at)
     SELECT gen_random_uuid(), $1, 'bulk ' || n, decode(md5(n::text), 'hex'), $2, 'owner', now(), '', '2026-11-14 10:20'
     FROM generate_series(1, 60) AS n`,
    [acme.id, acme.owner.id],
  );
  const first = (await openPage(stage, `${tokens()}?query=BULK`, ownerCookie)).text;
  expect(first.match(/>bulk \d+</g)).toHaveLength(50);
  expect(first).toContain('2026-11-14 10:20 UTC');
  const second = (await openPage(stage, `${tokens()}?query=BULK&cursor=2`, ownerCookie)).text;
  expect(second.match(/>bulk \d+</g)).toHaveLength(10);
  const none = (await openPage(stage, `${tokens()}?query=nobody`, ownerCookie)).text;
  expect(none).toContain('No tokens match.');
});

test('a refused form is shown again with every input, and each error beside its field', async () => {
  const policies = `/platform/${acme.key}/policies`;
  const text = {
    as: 'text',
    actions: 'Daybook.Agents/Agents/read',
    resources: `/organizations/${acme.key}/agents`,
  };
  const cookie = ownerCookie;
  expect((await sendForm(stage, policies, { name: 'Readers', ...text }, { cookie })).status).toBe(303);
  const id = /policies\/(\d+)">Readers/.exec((await openPage(stage, policies, cookie)).text)?.[1] ?? '';
  const sent = { name: 'bad\u0007name', expires: '86400', mode: 'token_policies', policies: id };
  const refused = await sendForm(stage, `/platform/${acme.key}/tokens`, sent, { cookie });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('id="name-fault"')]);
  expect(refused.text).toMatch(/<option value="86400" selected/);
  expect(refused.text).toMatch(/<option value="token_policies" selected/);
  expect(refused.text).toMatch(new RegExp(`name="policies"\\s+value="${id}"\\s+checked`));
});
