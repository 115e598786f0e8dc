import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../../test/access.ts';
import { startTestAccess } from '../../../../test/access.ts';
import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import { recordBackups } from '../../../foundation/backups/backup-store.ts';

let stage: TestAccess;
let newsroom: TestOrganization;
beforeAll(async () => {
  stage = await startTestAccess({ pages: true, newsroomOrganization: 'team-1' });
  newsroom = await stage.createOrganization();
});
afterAll(() => stage.stop());
beforeEach(() => stage.age());

const cookieOf = (who: TestMember): Promise<string> => signInForCookie(stage, who);
const path = '/desk/operations';

async function addFailedRun(id: string, message: string): Promise<void> {
  const { database } = stage.database;
  await sql`
    INSERT INTO dbos.workflow_status (workflow_uuid, status, name, queue_name, created_at, updated_at, completed_at)
    VALUES (${id}, 'ERROR', 'write-digest', 'digests', 1000, 2000, 2000)`.execute(database);
  await sql`
    INSERT INTO dbos.workflow_output (workflow_uuid, error)
    VALUES (${id}, ${JSON.stringify({ json: { name: 'Error', message } })})`.execute(database);
}

async function statusOf(id: string): Promise<unknown> {
  const { rows } = await sql<{ status: string; outputs: number }>`
    SELECT status, (SELECT count(*) FROM dbos.workflow_output o WHERE o.workflow_uuid = ${id})::int AS outputs
    FROM dbos.workflow_status WHERE workflow_uuid = ${id}`.execute(stage.database.database);
  return rows[0];
}

test('shows failed runs with their escaped errors, and queues one again when asked', async () => {
  await addFailedRun('digest-1', 'the model answered <b>“no”</b>');
  const owner = await cookieOf(newsroom.owner);
  const { status, text } = await openPage(stage, path, owner);
  expect(status).toBe(200);
  expect(text).toMatch(/the model answered &\S+b/);
  expect(text).not.toContain('<b>“no”');
  const retry = `${path}/runs/digest-1/retry`;
  expect(text).toContain(`action="${retry}"`);
  const sent = await sendForm(stage, retry, {}, { cookie: owner });
  expect([sent.status, sent.headers.location]).toEqual([303, `${path}?retried=yes`]);
  expect(await statusOf('digest-1')).toEqual({ status: 'ENQUEUED', outputs: 0 });
  const again = await sendForm(stage, retry, {}, { cookie: owner });
  expect(again.headers.location).toBe(`${path}?retried=no`);
});

test('shows recorded backups with what went wrong', async () => {
  const backup = { kind: 'database' as const, label: '20261118F', seconds: 3, bytes: 5e9, fault: null };
  const at = stage.clock.now();
  await recordBackups(
    stage.database.database,
    [
      { ...backup, finishedAt: at },
      { ...backup, kind: 'drill', label: 'drill', finishedAt: at, fault: 'schema differs' },
    ],
    at,
  );
  const { text } = await openPage(stage, path, await cookieOf(newsroom.owner));
  expect(text).toContain('20261118F');
  expect(text).toContain('schema differs');
});

test('is hidden from guests and other organizations', async () => {
  await addFailedRun('digest-2', 'a fault');
  const other = await stage.createOrganization();
  for (const outsider of [other.owner, await newsroom.addMember('guest')]) {
    const cookie = await cookieOf(outsider);
    expect((await openPage(stage, path, cookie)).status).toBe(404);
    expect((await sendForm(stage, `${path}/runs/digest-2/retry`, {}, { cookie })).status).toBe(404);
  }
  expect(await statusOf('digest-2')).toEqual({ status: 'ERROR', outputs: 1 });
});

test('shows a viewer neither errors nor retries, and refuses the retry', async () => {
  await addFailedRun('digest-3', 'no route to host 10.0.0.7');
  const viewer = await cookieOf(await newsroom.addMember('viewer'));
  const { text } = await openPage(stage, path, viewer);
  expect(text).toContain('digest-3');
  expect(text).not.toContain('10.0.0.7');
  expect(text).not.toContain('/retry');
  const sent = await sendForm(stage, `${path}/runs/digest-3/retry`, {}, { cookie: viewer });
  expect(sent.status).toBe(403);
  expect(await statusOf('digest-3')).toEqual({ status: 'ERROR', outputs: 1 });
});
