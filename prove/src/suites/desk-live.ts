import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';
import { sql } from 'kysely';

import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import { epochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { readPresentStart } from '../../../apps/server/src/newsroom/desk/desk-event-store.ts';
import { insertJournalEntry } from '../../../apps/server/src/newsroom/desk/journal-store.ts';
import { insertReaderReport } from '../../../apps/server/src/newsroom/desk/reader-report-store.ts';
import type { AccountsProcess, AccountsStage } from '../../../apps/server/test/accounts-stage.ts';
import { openAccountsStage } from '../../../apps/server/test/accounts-stage.ts';
import { keyOf } from '../newsroom/desk-people.ts';
import type { OpenDesk } from '../newsroom/open-desk.ts';
import { openDesk } from '../newsroom/open-desk.ts';
import { signInForCookie } from '../permissions/grant-invitations.ts';

const desks = 50;
const slots = 3;
const promisedMs = 1_000;

export const suite: Suite = {
  name: 'desk-live',
  nightly: true,
  summary:
    'Every open page of the desk receives each decision and each new entry of the queue once and in order, within a second, while processes are killed.',
  headline: 'p99',
  promise:
    '50 pages of editors follow `/desk/events` over three api processes. Transactions that write entries of the journal and of the queue overlap and commit in another order than they began. A process is killed with `kill -9` every few seconds and started again; its pages connect to another one with `Last-Event-ID`. Every page has received every event exactly once, in the order that the database gives. Of the pages that are connected, 99 of 100 events arrive within one second of their commit. Over 100,000 further events the memory of the processes does not grow.',
  run: async (context) => {
    const stage = await openAccountsStage();
    try {
      const [account] = await stage.createAccounts(1);
      if (account === undefined) throw new Error('an account is missing');
      const settings = {
        DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000',
        DAYBOOK_LOG_LEVEL: 'error',
        DAYBOOK_NEWSROOM_ORGANIZATION: keyOf(account),
      };
      const start = () => stage.start({ settings, signInsUnlimited: true });
      const processes = await Promise.all(Array.from({ length: slots }, start));
      const cookie = await signInForCookie(processes[0]?.port ?? 0, account);
      await followUnderKills(context, stage, { processes, start, cookie });
      await followMany(context, stage, { processes, cookie });
    } finally {
      await stage.stop();
    }
  },
};

interface Processes {
  readonly processes: (AccountsProcess | undefined)[];
  readonly cookie: string;
}

/** When each event was committed, by its place. */
type Commits = Map<string, number>;

async function followUnderKills(
  context: SuiteContext,
  { identity: { database } }: AccountsStage,
  { processes, start, cookie }: Processes & { readonly start: () => Promise<AccountsProcess> },
): Promise<void> {
  const random = seededRandom(70);
  const commits: Commits = new Map();
  const arrivals: { readonly place: string; readonly atMs: number }[] = [];
  const { all, stop } = await openAll(database, { processes, cookie }, (place, atMs) =>
    arrivals.push({ place, atMs }),
  );
  const endMs = performance.now() + (context.quick ? 8_000 : 180_000);
  const untilEnd = (): boolean => performance.now() < endMs;
  let kills = 0;
  const killing = (async () => {
    while (untilEnd()) {
      await delay(context.quick ? 2_500 : 4_000);
      const slot = kills % slots;
      processes[slot]?.child.kill('SIGKILL');
      processes[slot] = undefined;
      kills += 1;
      processes[slot] = await start();
    }
  })();
  const writers = Array.from({ length: 6 }, async () => {
    while (untilEnd()) {
      await write(database, commits, { count: 1 + Math.floor(random() * 3), holdMs: random() * 40 });
      await delay(20 + random() * 60);
    }
  });
  await Promise.all([killing, ...writers]);
  await delay(2_000);
  await stop();
  await judge(context, { database, commits, all });
  const lateMs = arrivals
    .map(({ place, atMs }) => atMs - (commits.get(place) ?? atMs))
    .toSorted((one, other) => one - other);
  const at = (share: number): number => Math.round(lateMs[Math.floor(lateMs.length * share)] ?? Infinity);
  context.figure({
    name: 'processes killed',
    value: kills,
    unit: 'processes',
    goal: { atLeast: context.quick ? 1 : 10 },
  });
  context.figure({
    name: 'connections of the pages',
    value: all.reduce((sum, { connections }) => sum + connections, 0),
    unit: 'connections',
    goal: { atLeast: desks + 1 },
  });
  context.figure({ name: 'from the commit to a page, median', value: at(0.5), unit: 'ms' });
  context.figure({
    name: 'from the commit to a page, p99',
    value: at(0.99),
    unit: 'ms',
    goal: { atMost: promisedMs },
  });
}

async function openAll(
  database: Database,
  { processes, cookie }: Processes,
  onEvent: (place: string, atMs: number) => void,
  count = desks,
): Promise<{ readonly all: readonly OpenDesk[]; readonly stop: () => Promise<void> }> {
  const start = await readPresentStart(database, Date.now());
  let turn = 0;
  const nextPort = (): number | null => processes[(turn += 1) % slots]?.port ?? null;
  const all = Array.from({ length: count }, () => openDesk({ cookie, start, nextPort, onEvent }));
  while (all.some(({ connections }) => connections === 0)) await delay(20);
  return {
    all,
    stop: async () => {
      await Promise.all(all.map(({ stop }) => stop()));
    },
  };
}

/** Entries of the journal, and sometimes one of the queue, in one transaction that stays open for a while. */
async function write(
  database: Database,
  commits: Commits,
  { count, holdMs }: { readonly count: number; readonly holdMs: number },
): Promise<void> {
  const places = await database.transaction().execute(async (transaction) => {
    for (let at = 0; at < count; at += 1)
      await insertJournalEntry(transaction, {
        at: epochMicroseconds(BigInt(Date.now()) * 1_000n),
        action: 'select',
        subject: { kind: 'item', id: randomUUID() },
        actor: { kind: 'operator' },
        requestId: null,
        requestHash: null,
        undoes: null,
        detail: {},
        reason: null,
        before: null,
        after: null,
        itemIds: [],
      });
    if (count % 2 === 0)
      await insertReaderReport(
        transaction,
        { id: randomUUID(), about: '/', message: 'Wrong.', replyTo: null },
        epochMicroseconds(BigInt(Date.now()) * 1_000n),
      );
    if (holdMs > 0) await delay(holdMs);
    return placesOf(transaction, 'xid = pg_current_xact_id()');
  });
  const nowMs = performance.now();
  for (const place of places) commits.set(place, nowMs);
}

async function placesOf(database: Database, condition: string): Promise<readonly string[]> {
  const { rows } = await sql<{ place: string }>`
    SELECT xid::text || '-' || part || '-' || id AS place FROM (
      SELECT xid, 0 AS part, id FROM newsroom.journal_entry
      UNION ALL SELECT xid, 1, id FROM newsroom.queue_event) AS event
    WHERE ${sql.raw(condition)} ORDER BY xid, part, id`.execute(database);
  return rows.map(({ place }) => place);
}

async function judge(
  context: SuiteContext,
  {
    database,
    commits,
    all,
  }: { readonly database: Database; readonly commits: Commits; readonly all: readonly OpenDesk[] },
): Promise<void> {
  const expected = (await placesOf(database, 'xid IS NOT NULL')).filter((place) => commits.has(place));
  let [missed, repeated, disordered] = [0, 0, 0];
  for (const { places } of all) {
    const received = new Set(places);
    missed += expected.filter((place) => !received.has(place)).length;
    repeated += places.length - received.size;
    if (places.join(' ') !== expected.filter((place) => received.has(place)).join(' ')) disordered += 1;
  }
  context.figure({ name: 'events', value: expected.length, unit: 'events', goal: { atLeast: 100 } });
  context.figure({ name: 'pages', value: all.length, unit: 'pages', goal: { exactly: desks } });
  context.figure({ name: 'missed', value: missed, unit: 'events', goal: { exactly: 0 } });
  context.figure({ name: 'received twice', value: repeated, unit: 'events', goal: { exactly: 0 } });
  context.figure({ name: 'in another order', value: disordered, unit: 'pages', goal: { exactly: 0 } });
}

/** Two pages for each process: more would measure this process, which reads all of them. */
async function followMany(
  context: SuiteContext,
  { identity: { database } }: AccountsStage,
  { processes, cookie }: Processes,
): Promise<void> {
  const wanted = context.quick ? 4_000 : 100_000;
  let received = 0;
  const { stop } = await openAll(database, { processes, cookie }, () => (received += 1), 2 * slots);
  const commits: Commits = new Map();
  const bytes: number[] = [];
  while (commits.size < wanted) {
    await Promise.all(Array.from({ length: 4 }, () => write(database, commits, { count: 49, holdMs: 0 })));
    bytes.push(processes.reduce((sum, one) => sum + residentBytes(one?.child.pid), 0));
  }
  const untilMs = performance.now() + 30_000;
  while (received < 2 * slots * commits.size && performance.now() < untilMs) await delay(50);
  await stop();
  const of = (from: number, to: number): number => {
    const part = bytes.slice(Math.floor(bytes.length * from), Math.ceil(bytes.length * to));
    return part.reduce((sum, one) => sum + one, 0) / part.length;
  };
  context.figure({ name: 'further events', value: commits.size, unit: 'events' });
  context.figure({
    name: 'of them not received',
    value: 2 * slots * commits.size - received,
    unit: 'events',
    goal: { exactly: 0 },
  });
  context.figure({
    name: 'memory of the processes in the last fifth, of the second fifth',
    value: Math.round((100 * of(0.8, 1)) / of(0.2, 0.4)),
    unit: '%',
    ...(!context.quick && { goal: { atMost: 115 } }),
  });
}

function residentBytes(pid = 0): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return Number(pages) * 4_096;
}
