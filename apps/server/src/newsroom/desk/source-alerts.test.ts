import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import { composeAlerts } from './desk-work.ts';
import { createEditorDesk } from './editor-desk.ts';
import { listJournal } from './journal-store.ts';
import { listQueue } from './queue.ts';
import { deleteOldReports, insertReaderReport } from './reader-report-store.ts';
import { claimAlertsToMail, renewSourceAlerts } from './source-alert-store.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
let desk: ReturnType<typeof createEditorDesk>;
let ids: ReturnType<typeof createRecordFactory>['ids'];
beforeAll(async () => {
  store = await createTestDatabase();
  const record = createRecordFactory({ database: store.database, clock });
  ({ ids } = record);
  desk = createEditorDesk({ database: store.database, clock, publisher: record.publisher, language: 'en' });
});
afterAll(() => store.drop());
beforeEach(() => store.asSuperuser('DELETE FROM newsroom.source_alert'));

/** A source that was added 40 days ago, with a health of its own. */
async function addSource(name: string, health: string): Promise<string> {
  const [row] = await store.asSuperuser(
    `WITH site AS (INSERT INTO newsroom.domain (name, due_at) VALUES ($1 || '.example', now()) RETURNING name)
     INSERT INTO newsroom.source (id, name, owner, first_party, tier, participation, feed_url, list_form, domain,
       created_at, due_at, state, failures, failing_since, newest_entry_at, usual_gap_ms)
     SELECT gen_random_uuid(), $1, $1, false, 2, 'editorial', 'https://' || name, '{"kind": "feed"}', name,
       '2026-10-06T08:00:00Z', now(), ${health} FROM site RETURNING id`,
    [name],
  );
  return String(row?.['id']);
}

async function addEntries(sourceId: string, count: number, at: string): Promise<void> {
  await store.asSuperuser(
    `INSERT INTO newsroom.entry (id, source_id, url, title, text, discovered_at, first_import)
     SELECT gen_random_uuid(), $1, 'https://busy.example/' || $3 || n, 'Entry', '', $3::timestamptz, false
     FROM generate_series(1, $2) AS n`,
    [sourceId, count, at],
  );
}

const alerts = async () => {
  await renewSourceAlerts(store.database, clock.now());
  const entries = await listQueue(store.database, 'source', { now: clock.now(), countMax: 50 });
  return Object.fromEntries(entries.map(({ title, alert }) => [title, alert?.kind]));
};

test('a source is unusual beyond its own normal, and no longer when the cause ends', async () => {
  const day = 86_400_000;
  await addSource('well', `'active', 0, NULL, '2026-11-10T08:00:00Z', ${day}`);
  await addSource('silent', `'active', 0, NULL, '2026-11-06T08:00:00Z', ${day}`);
  await addSource('monthly', `'active', 0, NULL, '2026-10-20T08:00:00Z', ${30 * day}`);
  await addSource('failing', `'active', 9, '2026-11-14T07:00:00Z', '2026-11-14T08:00:00Z', ${day}`);
  await addSource('restarting', `'active', 9, '2026-11-15T07:00:00Z', '2026-11-14T08:00:00Z', ${day}`);
  await addSource('gone', `'stopped', 0, NULL, NULL, NULL`);
  await addSource('paused', `'paused', 0, NULL, '2026-10-06T08:00:00Z', ${day}`);
  const busy = await addSource('busy', `'active', 0, NULL, '2026-11-15T07:00:00Z', ${day}`);
  await addEntries(busy, 25, '2026-11-15T07:00:00Z');
  await addEntries(busy, 39, '2026-11-01T07:00:00Z');
  expect(await alerts()).toEqual({ silent: 'silent', failing: 'failing', gone: 'stopped', busy: 'busy' });
  await addEntries(busy, 273, '2026-11-02T07:00:00Z');
  await store.asSuperuser(`UPDATE newsroom.source SET failures = 0 WHERE name = 'failing'`);
  expect(await alerts()).toEqual({ silent: 'silent', gone: 'stopped' });
});

test('a dismissed alert returns when it is undone, and an alert is mailed once', async () => {
  await store.asSuperuser(`UPDATE newsroom.source SET state = 'removed'`);
  const id = await addSource('quiet\nBcc: all', `'active', 0, NULL, '2026-11-01T08:00:00Z', 3600000`);
  const name = 'quiet\nBcc: all';
  expect(await alerts()).toEqual({ [name]: 'silent' });
  valueOf(await desk.dismiss({ subject: { kind: 'source', id } }));
  expect(await alerts()).toEqual({});
  expect(await desk.dismiss({ subject: { kind: 'source', id } })).toMatchObject({
    reason: 'nothing_to_decide',
  });
  const [entry] = await listJournal(store.database, { subject: id, countMax: 1 });
  valueOf(await desk.undo({ id: entry?.id ?? '', reason: 'A mistake.' }));
  expect(await alerts()).toEqual({ [name]: 'silent' });
  const claimed = await claimAlertsToMail(store.database, clock.now());
  await renewSourceAlerts(store.database, clock.now());
  expect([claimed, await claimAlertsToMail(store.database, clock.now())]).toEqual([
    [{ name, kind: 'silent' }],
    [],
  ]);
  const mail = composeAlerts(claimed, { baseUrl: 'https://news.example', language: 'en' });
  expect(mail.text).toContain('- quiet Bcc: all: no new entries for much longer than usual\n');
  expect(mail.text).toContain('https://news.example/desk?kind=source');
});

test('an error that a reader reported is in the queue until it is closed, and deleted a month later', async () => {
  const id = ids.next<'error report'>();
  const report = { id, about: '/items/1', message: 'The figure is wrong.', replyTo: null };
  await insertReaderReport(store.database, report, clock.now());
  const listed = async () =>
    (await listQueue(store.database, 'report', { now: clock.now(), countMax: 50 })).map(
      (one) => one.evidence,
    );
  expect(await listed()).toEqual([['The figure is wrong.']]);
  const close = () => desk.dismiss({ subject: { kind: 'report', id } });
  valueOf(await close());
  expect(await listed()).toEqual([]);
  const [entry] = await listJournal(store.database, { subject: id, countMax: 1 });
  expect(JSON.stringify([entry?.detail, entry?.before, entry?.after])).not.toContain('The figure');
  valueOf(await desk.undo({ id: entry?.id ?? '', reason: 'A mistake.' }));
  expect(await listed()).toHaveLength(1);
  valueOf(await close());
  clock.advance({ days: 29 });
  expect(await deleteOldReports(store.database, clock.now())).toBe(0);
  clock.advance({ days: 2 });
  expect(await deleteOldReports(store.database, clock.now())).toBe(1);
});
