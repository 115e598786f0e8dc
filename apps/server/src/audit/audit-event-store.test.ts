import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { ask } from '../../test/http-client.ts';
import type { TestIdentity } from '../../test/identity.ts';
import { startTestIdentity } from '../../test/identity.ts';
import { systemClock } from '../foundation/clock.ts';
import type { OrganizationId } from '../identity/accounts/account.ts';
import type { SessionId } from '../identity/credentials/session.ts';
import { createExchangeCode } from '../identity/sign-in/exchange-code.ts';
import { listOrganizationEvents, readAccountEvents, recordAuditEvent } from './audit-event-store.ts';
import { defineAuditKind } from './audit-kind.ts';
import { removeExpired } from './audit-retention.ts';

let stage: TestIdentity;
beforeAll(async () => {
  stage = await startTestIdentity();
});
afterAll(() => stage.stop());

const client = { address: '192.0.2.1', userAgent: 'test' };

test('lists every security event of an account for its owner, newest first, in pages', async () => {
  const account = await stage.createAccount();
  const tokens = await stage.signIn(account);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  await stage.post('/api/auth/token', { email: account.email, password: 'wrong password' });
  const key = await ask(stage.app.port, '/api/v1/api-keys', { method: 'POST', json: { name: 'x' }, headers });
  await ask(stage.app.port, `/api/v1/api-keys/${String(key.json()['id'])}`, { method: 'DELETE', headers });
  const sessionId = String(decodeJwt(tokens.access_token)['sid']) as SessionId;
  await createExchangeCode(stage.identity, { accountId: account.id, sessionId, codeChallenge: null, client });
  await stage.post('/api/auth/token/revoke', { refresh_token: tokens.refresh_token });
  const expected = [
    'session_revoked',
    'exchange_code_created',
    'api_key_revoked',
    'api_key_created',
    'sign_in_failed',
    'session_opened',
    'account_created',
  ];
  const read = (page: { limit: number; after?: string }) =>
    readAccountEvents(stage.identity.database, account.id, page);
  expect((await read({ limit: 50 })).map(({ kind }) => kind)).toEqual(expected);
  const paged: string[] = [];
  for (let page = await read({ limit: 3 }); page.length > 0;) {
    paged.push(...page.map(({ kind }) => kind));
    page = await read({ limit: 3, after: page.at(-1)!.id });
  }
  expect(paged).toEqual(expected);
});

test('refuses updates and deletions of events by the application role', async () => {
  for (const statement of [
    'UPDATE audit.event SET kind = kind',
    'DELETE FROM audit.event',
    'TRUNCATE audit.event',
  ])
    await expect(stage.database.pool.query(statement)).rejects.toThrow(/permission denied/);
});

/** Inserts events as the application does, dated the given number of days ago. */
async function recordOld(days: number, count: number): Promise<void> {
  await stage.database.asSuperuser(
    `INSERT INTO audit.event (id, at, kind, detail)
     SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(number), 12, '0'))::uuid,
       at, 'old', '{}'
     FROM generate_series(1, $2::int) AS number, (SELECT now() - make_interval(days => $1::int) AS at) AS moment`,
    [days, count],
  );
}

const countOld = async (): Promise<number> =>
  Number(
    (await stage.database.asSuperuser("SELECT count(*) AS count FROM audit.event WHERE kind = 'old'"))[0]?.[
      'count'
    ],
  );

test('deletes events older than the retention in batches and keeps the others', async () => {
  await recordOld(500, 2_300);
  await recordOld(300, 7);
  const deps = { database: stage.identity.database, clock: systemClock, keepDays: 400 };
  expect(await removeExpired(deps)).toBe(2_300);
  expect(await countOld()).toBe(7);
  expect(await removeExpired(deps)).toBe(0);
});

test('keeps the last 30 days, whatever the application deletes', async () => {
  await recordOld(29, 3);
  await recordOld(31, 2);
  const before = await countOld();
  await stage.database.pool.query("SELECT audit.remove_expired(now() + interval '1 year', 1000)");
  expect(before - (await countOld())).toBe(9);
  expect(await countOld()).toBe(3);
});

const someone = "'018f0000-0000-7000-8000-000000000000'";

test.each([
  ['event_organization', `organization_id = ${someone} ORDER BY at DESC, id DESC LIMIT 21`],
  ['event_account', `account_id = ${someone} ORDER BY id DESC LIMIT 21`],
  ['event_pkey', `at < now() AND id < ${someone} ORDER BY id LIMIT 1000`],
])('uses the index %s without a sort', async (index, rest) => {
  const plan = await stage.database.planOf(`SELECT id FROM audit.event WHERE ${rest}`);
  expect(plan).toContain(index);
  expect(plan).not.toMatch(/Sort|Seq Scan/);
});

test('lists the events of one organization only, of every actor', async () => {
  const organizationId = stage.identity.ids.next<'organization'>() as OrganizationId;
  const kind = defineAuditKind('sample', 'A sample.');
  const { database, ids } = stage.identity;
  for (const where of [organizationId, ids.next<'organization'>(), organizationId])
    await recordAuditEvent(database, ids, {
      kind,
      at: stage.clock.now(),
      accountId: null,
      organizationId: where,
      client: null,
    });
  const events = await listOrganizationEvents(database, organizationId, {
    limit: 10,
    direction: 'forward',
    start: { skip: 0 },
  } as Parameters<typeof listOrganizationEvents>[2]);
  expect(events.map((event) => event.kind)).toEqual(['sample', 'sample']);
  expect(events[0]!.id > events[1]!.id).toBe(true);
});
