import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';

let stage: TestAccess;
let acme: TestOrganization;
let admin: TestMember;
beforeAll(async () => {
  stage = await startTestAccess();
  acme = await stage.createOrganization();
  admin = await acme.addMember('admin');
});
afterAll(() => stage.stop());

interface Event {
  readonly id: string;
  readonly createdAt: string;
  readonly kind: string;
  readonly username: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

const list = (who: TestMember, query = '', { key } = acme): Promise<Answer> =>
  stage.send('GET', `/dm/api/core/platform/audit-events/?platform_key=${key}${query}`, who.headers);
const eventsOf = (answer: Answer): Event[] => answer.json()['data'] as Event[];
const policyPath = '/dm/api/core/rbac/policies/';
const policy = (name: string) => ({
  platform_key: acme.key,
  name,
  actions: ['Daybook.Storage/Files/read'],
  resources: [`/organizations/${acme.key}/**`],
});

describe('200', () => {
  test('lists the actions of members and their tokens with their actors, newest first', async () => {
    const { key: secret } = (
      await stage.send('POST', '/dm/api/core/platform/api-tokens/', admin.headers, {
        username: admin.username,
        name: 'robot',
        platform_key: acme.key,
        created: '2026-11-15T00:00:00Z',
        expires: '',
      })
    ).json() as { key: string };
    await stage.send('POST', policyPath, acme.owner.headers, policy('by the owner'));
    await stage.send('POST', policyPath, { authorization: `Api-Token ${secret}` }, policy('by a token'));
    const events = eventsOf(await list(admin)).slice(0, 3);
    expect(events.map(({ kind, username }) => [kind, username])).toEqual([
      ['policy_created', admin.username],
      ['policy_created', acme.owner.username],
      ['platform_token_created', admin.username],
    ]);
    expect(events[0]?.detail).toMatchObject({ name: 'by a token', viaTokenId: expect.any(String) });
    expect(events[1]?.detail).not.toHaveProperty('viaTokenId');
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  test('records template changes with the name', async () => {
    const path = `/dm/api/ai-mentor/orgs/${acme.key}/users/${admin.username}/templates/`;
    const template = {
      name: 'house-style',
      description: 'x',
      system_prompt: 'x',
      llm_provider: 'default',
      categories: [],
      reads_public_record: false,
    };
    expect((await stage.send('POST', path, admin.headers, template)).status).toBe(201);
    expect((await stage.send('POST', path, admin.headers, template)).status).toBe(409);
    expect((await stage.send('DELETE', `${path}house-style`, admin.headers)).status).toBe(204);
    expect((await stage.send('DELETE', `${path}house-style`, admin.headers)).status).toBe(404);
    const events = eventsOf(await list(acme.owner, '&limit=3'));
    expect(events.map(({ kind, username, detail }) => [kind, username, detail['name']]).slice(0, 2)).toEqual([
      ['agent_template_deleted', admin.username, 'house-style'],
      ['agent_template_created', admin.username, 'house-style'],
    ]);
    expect(events[2]?.kind).not.toMatch(/template/);
  });

  test('paginates in both directions without gaps or duplicates', async () => {
    for (let one = 0; one < 5; one += 1)
      await stage.send('POST', policyPath, acme.owner.headers, policy(`paged ${one}`));
    const all = eventsOf(await list(admin, '&limit=100')).map(({ id }) => id);
    const walked: string[] = [];
    let page = await list(admin, '&limit=3');
    while (eventsOf(page).length > 0) {
      walked.push(...eventsOf(page).map(({ id }) => id));
      const { nextCursor } = page.json()['pagination'] as { nextCursor: string };
      page = await list(admin, `&limit=3&cursor=${nextCursor}`);
    }
    expect(walked).toEqual(all);
  });
});

describe('400', () => {
  test('refuses a cursor of another organization and an unknown parameter', async () => {
    const other = await stage.createOrganization();
    const { nextCursor } = (await list(admin)).json()['pagination'] as { nextCursor: string };
    expectProblem(await list(other.owner, `&cursor=${nextCursor}`, other), 400, 'invalid_cursor');
    expectProblem(await list(admin, '&since=yesterday'), 400, 'invalid_request');
  });
});

describe('401', () => {
  test('refuses a request without a credential', async () => {
    const path = `/dm/api/core/platform/audit-events/?platform_key=${acme.key}`;
    expectProblem(await stage.send('GET', path, {}), 401, 'unauthenticated');
  });
});

describe('403', () => {
  test('refuses members and viewers', async () => {
    for (const role of ['member', 'viewer'] as const)
      expectProblem(await list(await acme.addMember(role)), 403, 'forbidden');
  });
});

describe('404', () => {
  test('returns 404 to non-members', async () => {
    const other = await stage.createOrganization();
    expectProblem(await list(other.owner), 404, 'not_found');
  });
});
