import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createAjv } from '../src/foundation/http/request-validation.ts';
import type { RouteDeclaration } from '../src/foundation/http/route.ts';
import type { TestAccess, TestOrganization } from './access.ts';
import { startTestAccess } from './access.ts';
import { expectProblem } from './http-client.ts';
import { declaredAccountRoutes, declaredPlatformRoutes } from './openapi-description.ts';

let routes: readonly RouteDeclaration[];
let stage: TestAccess;
let acme: TestOrganization;
beforeAll(async () => {
  routes = [...(await declaredPlatformRoutes()), ...(await declaredAccountRoutes())];
  stage = await startTestAccess();
  acme = await stage.createOrganization();
});
afterAll(() => stage.stop());

test('every route under /dm/api refuses an unknown parameter and names it', async () => {
  const { owner, key } = acme;
  const platform = routes.filter(({ path }) => path.startsWith('/dm/api/'));
  expect(platform.length).toBeGreaterThan(25);
  // A route that declares no query takes none.
  const open = platform.filter(
    ({ query }) => query !== undefined && !JSON.stringify(query).includes('"additionalProperties":false'),
  );
  expect(open.map(({ operationId }) => operationId)).toEqual([]);
  for (const { method, path, query, operationId, body } of platform) {
    // Errors of a body are reported first.
    if (body !== undefined) continue;
    const address = path
      .replace('{org}', key)
      .replace('{username}', owner.username)
      .replace('{id}', owner.id)
      .replaceAll(/\{\w+\}/g, '1');
    const known = query?.properties['platform_key'] === undefined ? '' : `platform_key=${key}&`;
    const answer = await stage.send(method, `${address}?${known}colour=red`, owner.headers);
    const { errors } = expectProblem(answer, 400, 'invalid_request') as { errors: unknown[] };
    expect([operationId, errors]).toEqual([
      operationId,
      expect.arrayContaining([
        { in: 'query', name: 'colour', message: 'is not a parameter of this request' },
      ]),
    ]);
  }
});

/** Every named resource; usernames and templates have a narrower format. */
const nameFields = /^(?:name|new_mentor_name|display_name|llm_provider)$/;

test('no body accepts a control character or a bidi control character in a name', () => {
  const ajv = createAjv();
  const seen: string[] = [];
  for (const { operationId, body } of routes)
    for (const [field, schema] of Object.entries(body?.properties ?? {})) {
      if (!nameFields.test(field)) continue;
      const accepts = ajv.compile(schema);
      for (const name of ['\u0007', 'a\u0007b', 'a\u202Eb', 'a\u2066b', 'a\nb', 'a\u2028b'])
        expect([operationId, field, name, accepts(name)]).toEqual([operationId, field, name, false]);
      expect([operationId, field, accepts('plain')]).toEqual([operationId, field, true]);
      seen.push(`${operationId}.${field}`);
    }
  expect(seen).toEqual(
    expect.arrayContaining(['createApiKey.name', 'createPolicy.name', 'createGroup.name']),
  );
  expect(seen.length).toBeGreaterThanOrEqual(12);
});

describe('records of one millisecond', () => {
  interface Listed {
    readonly createdAt: string;
    readonly id: string | number;
  }
  const organization = `organization_id = (SELECT id FROM identity.organization WHERE key = $1)`;
  /** Spreads rows of one instant over the microseconds of a millisecond, against the order of the ids. */
  const spread = (table: string, column: string, id: string): Promise<unknown> =>
    stage.database.asSuperuser(
      `UPDATE ${table} AS row SET ${column} = spread.at FROM (
         SELECT ${id} AS id, timestamptz '2026-11-15 00:00:00.123Z'
           + make_interval(secs => ((row_number() OVER (ORDER BY ${id} DESC) / 2) % 1000) / 1e6) AS at
         FROM ${table} WHERE ${organization}) AS spread
       WHERE row.${id} = spread.id AND row.${organization}`,
      [acme.key],
    );
  const inOrder = (rows: readonly Listed[]): Listed[] =>
    [...rows].sort(
      (one, other) =>
        compare(other.createdAt, one.createdAt) ||
        (typeof one.id === 'number' ? Number(other.id) - one.id : compare(String(other.id), one.id)),
    );
  const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

  beforeAll(async () => {
    const { owner, key } = acme;
    for (let one = 0; one < 9; one += 1) {
      const policy = { actions: ['Daybook.Storage/Files/read'], resources: [`/organizations/${key}/**`] };
      const named = { platform_key: key, name: `one ${one}` };
      await stage.send('POST', '/dm/api/core/rbac/policies/', owner.headers, { ...named, ...policy });
      await stage.send('POST', '/dm/api/core/rbac/groups/', owner.headers, named);
      await stage.send('POST', '/dm/api/core/rbac/invitations/', owner.headers, {
        platform_key: key,
        email: `guest-${one}@example.net`,
        role: 'viewer',
      });
      await acme.addMember('viewer');
      const agent = { template_name: 'ai-mentor', new_mentor_name: `Guide ${one}` };
      const path = `/dm/api/ai-mentor/orgs/${key}/users/${owner.username}/mentor-with-settings/`;
      await stage.send('POST', path, owner.headers, agent);
    }
    await spread('access.policy', 'created_at', 'id');
    await spread('access.user_group', 'created_at', 'id');
    await spread('identity.invitation', 'created_at', 'id');
    await spread('identity.organization_membership', 'created_at', 'account_id');
    await spread('agents.agent', 'created_at', 'id');
    await spread('audit.event', 'at', 'id');
  });

  test.each([
    ['/dm/api/core/rbac/policies/?platform_key={org}&'],
    ['/dm/api/core/rbac/groups/?platform_key={org}&'],
    ['/dm/api/core/rbac/members/?platform_key={org}&'],
    ['/dm/api/core/rbac/invitations/?platform_key={org}&'],
    ['/dm/api/core/platform/audit-events/?platform_key={org}&'],
    ['/dm/api/search/orgs/{org}/users/{username}/mentors/?'],
  ])('%s are in the order of their sent fields, over all pages', async (list) => {
    const path = list.replace('{org}', acme.key).replace('{username}', acme.owner.username);
    const rows: Listed[] = [];
    let cursor = '';
    for (;;) {
      const answer = await stage.send('GET', `${path}limit=4${cursor}`, acme.owner.headers);
      const { data, pagination } = answer.json() as {
        data: Listed[];
        pagination: { hasMore: boolean; nextCursor: string };
      };
      rows.push(...data);
      if (!pagination.hasMore) break;
      cursor = `&cursor=${pagination.nextCursor}`;
    }
    expect(rows.length).toBeGreaterThanOrEqual(9);
    expect(new Set(rows.map(({ createdAt }) => createdAt.slice(0, 23))).size).toBe(1);
    expect(new Set(rows.map(({ createdAt }) => createdAt)).size).toBeGreaterThan(3);
    expect(rows).toEqual(inOrder(rows));
  });
});
