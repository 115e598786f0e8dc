import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../../test/access.ts';
import { startTestAccess } from '../../../../test/access.ts';
import { openPage, signInForCookie } from '../../../../test/form-client.ts';
import type { Answer } from '../../../../test/http-client.ts';
import { expectProblem } from '../../../../test/http-client.ts';

let stage: TestAccess;
let acme: TestOrganization;
let admin: TestMember;
let cookie: string;
beforeAll(async () => {
  stage = await startTestAccess({ pages: true });
  acme = await stage.createOrganization();
  admin = await acme.addMember('admin');
  cookie = await signInForCookie(stage, admin);
});
afterAll(() => stage.stop());

const path = (rest = '', { key } = acme): string => `/platform/${key}/audit${rest}`;
const open = (rest = '', as = cookie): Promise<Answer> => openPage(stage, path(rest), as);
const createPolicy = (who: TestMember, name: string, { key } = acme): Promise<Answer> =>
  stage.send('POST', '/dm/api/core/rbac/policies/', who.headers, {
    platform_key: key,
    name,
    actions: ['Daybook.Storage/Files/read'],
    resources: [`/organizations/${key}/**`],
  });
const listed = (query: string): Promise<Answer> =>
  stage.send('GET', `/dm/api/core/platform/audit-events/?platform_key=${acme.key}${query}`, admin.headers);
const linesOf = ({ text }: Answer): string[] => text.split('\n').filter((line) => line !== '');

describe('200', () => {
  test('the page lists events with their actors, and filters by kind, username and day', async () => {
    await createPolicy(acme.owner, 'by the owner');
    stage.clock.advance({ days: 2 });
    admin = { ...admin, headers: await freshHeaders(admin) };
    cookie = await signInForCookie(stage, admin);
    await createPolicy(admin, 'by the admin');
    const all = await open();
    expect([all.status, all.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(all.text).toContain('Policy created');
    for (const [query, found, missing] of [
      [`?username=${admin.username}`, 'by the admin', 'by the owner'],
      ['?to=2026-11-15', 'by the owner', 'by the admin'],
      ['?from=2026-11-16&to=', 'by the admin', 'by the owner'],
    ] as const) {
      const { status, text } = await open(query);
      expect([query, status]).toEqual([query, 200]);
      expect(text).toContain(found);
      expect(text).not.toContain(missing);
    }
    expect((await open('?kind=group_created')).text).toContain('No events match.');
    expect((await open('?username=nobody-of-that-name')).text).toContain('No events match.');
  });

  test('the API takes the same filters, and its cursors belong to them', async () => {
    const kinds = async (query: string) =>
      ((await listed(query)).json()['data'] as { kind: string }[]).map(({ kind }) => kind);
    expect(new Set(await kinds('&kind=policy_created'))).toEqual(new Set(['policy_created']));
    expect(await kinds('&from=2100-01-01')).toEqual([]);
    const { nextCursor } = (await listed('&kind=policy_created&limit=1')).json()['pagination'] as {
      nextCursor: string;
    };
    expect((await listed(`&kind=policy_created&cursor=${nextCursor}`)).status).toBe(200);
    expectProblem(await listed(`&cursor=${nextCursor}`), 400, 'invalid_cursor');
  });

  test('an export contains every matching event, as JSON lines or CSV, and is recorded as an event', async () => {
    const json = await open('/export?format=jsonl&kind=policy_created');
    expect(json.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': `attachment; filename="audit-log-${acme.key}.jsonl"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const data = (await listed('&kind=policy_created')).json()['data'];
    expect(linesOf(json).map((line) => JSON.parse(line) as unknown)).toEqual(data);
    const csv = await open('/export?format=csv&kind=policy_created');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    const [head, ...rest] = linesOf(csv);
    expect(head).toBe('\uFEFF"id","createdAt","kind","username","address","user_agent","detail"\r');
    expect(rest).toHaveLength((data as unknown[]).length);
    const [exported] = (await listed('&kind=audit_log_exported')).json()['data'] as { detail: unknown }[];
    expect(exported?.detail).toEqual({ format: 'csv', kind: 'policy_created' });
  });

  test('a cell that a spreadsheet would run as a formula is exported as text', async () => {
    await stage.database.asSuperuser(
      `INSERT INTO audit.event (id, at, kind, organization_id, user_agent, detail)
       VALUES (gen_random_uuid(), now(), 'formula', $1, '=HYPERLINK("https://evil.example","x")', '{}')`,
      [acme.id],
    );
    const { text } = await open('/export?format=csv&kind=formula');
    expect(text).toContain(`"'=HYPERLINK(""https://evil.example"",""x"")"`);
  });

  test('an export is read in batches, in order, without gaps or repetitions', async () => {
    await stage.database.asSuperuser(
      `INSERT INTO audit.event (id, at, kind, organization_id, detail)
       SELECT gen_random_uuid(), '2026-10-01'::timestamptz + (n / 3) * interval '1 second', 'many', $1, json_build_object('n', n)
       FROM generate_series(1, 1203) AS n`,
      [acme.id],
    );
    const events = linesOf(await open('/export?format=jsonl&kind=many')).map(
      (line) => JSON.parse(line) as { createdAt: string; detail: { n: number } },
    );
    expect(new Set(events.map(({ detail }) => detail.n)).size).toBe(1203);
    const instants = events.map(({ createdAt }) => createdAt);
    expect(instants).toEqual(instants.toSorted().toReversed());
  });
});

const freshHeaders = async (member: TestMember): Promise<TestMember['headers']> => ({
  authorization: `Bearer ${(await stage.signIn(member)).access_token}`,
});

describe('303', () => {
  test('a browser without a session is redirected to sign-in', async () => {
    for (const rest of ['', '/export?format=csv'])
      expect((await open(rest, '')).headers.location).toMatch(/^\/auth\/signin\?return=/);
  });
});

describe('400', () => {
  test('refuses an invalid day or format, and more events than the maximum of an export', async () => {
    for (const rest of [
      '?from=2026-02-30',
      '?to=yesterday',
      '/export?format=xml',
      '/export?format=csv&from=x',
    ])
      expect([rest, (await open(rest)).status]).toEqual([rest, 400]);
    const large = await stage.createOrganization();
    await stage.database.asSuperuser(
      `INSERT INTO audit.event (id, at, kind, organization_id, detail)
       SELECT gen_random_uuid(), now(), 'many', $1, '{}' FROM generate_series(1, 100001) AS n`,
      [large.id],
    );
    const owner = await signInForCookie(stage, large.owner);
    const { status, text } = await openPage(stage, path('/export?format=csv&kind=many', large), owner);
    expect([status, text]).toEqual([400, expect.stringContaining('Choose a shorter period')]);
  });
});

describe('403 and 404', () => {
  test('members without the permission are refused, and non-members get 404', async () => {
    const member = await signInForCookie(stage, await acme.addMember('member'));
    const stranger = await signInForCookie(stage, (await stage.createOrganization()).owner);
    for (const rest of ['', '/export?format=csv', '/export?format=jsonl']) {
      expect((await open(rest, member)).status).toBe(403);
      expect((await open(rest, stranger)).status).toBe(404);
    }
    expect((await openPage(stage, `/platform/${acme.key}/members`, member)).text).not.toContain(path());
    expect((await openPage(stage, `/platform/${acme.key}/members`, cookie)).text).toContain(path());
  });
});
