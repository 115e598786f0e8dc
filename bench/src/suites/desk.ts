import type { Suite, SuiteContext } from '@daybook/evidence';
import { median } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { addSources } from '../../../apps/server/src/ingest/sources/add-sources.ts';
import { settingsFor } from '../../../apps/server/src/ingest/sources/source.ts';
import { createEditorDesk } from '../../../apps/server/src/newsroom/desk/editor-desk.ts';
import { deskQueue } from '../../../apps/server/src/newsroom/desk/index.ts';
import type { AccountsStage, StageAnswer } from '../../../apps/server/test/accounts-stage.ts';
import { openAccountsStage, send } from '../../../apps/server/test/accounts-stage.ts';
import { createRecordFactory, valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import { recordQueries } from '../recorded-queries.ts';

/** Entries of the queue, each with twice as many stories; the last one is that of the goal. */
const entryCounts = { quick: [2_000], full: [1_000, 10_000, 100_000] } as const;
const rounds = { quick: 30, full: 200 } as const;
/** As the page of the queue asks. */
const page = { kind: 'failed', countMax: 51, tabsCountMax: 100 } as const;

export const suite: Suite = {
  name: 'desk',
  nightly: true,
  summary:
    'the first page of the queue beside its SQL, a decision beside the one of the publisher, and the check of a keystroke',
  promise:
    'With 100,000 entries in the queue and 200,000 stories, the first page of the queue over HTTP takes at most 1.5 × the time of its SQL on one connection, at the 95th percentile. A decision at the desk (permission, version, journal) takes at most 3 ms longer than the same decision of the publisher alone. The check of typed text answers within 50 ms at the 95th percentile, with an article of 60,000 characters.',
  run: async (context) => {
    const stage = await openAccountsStage();
    try {
      const [account] = await stage.createAccounts(1);
      const key = (account?.email ?? '').replace(/@.*/, '');
      const { port } = await stage.start({
        settings: {
          DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000',
          DAYBOOK_LOG_LEVEL: 'error',
          DAYBOOK_NEWSROOM_ORGANIZATION: key,
        },
        signInsUnlimited: true,
      });
      const cookie = await signIn(port, account);
      const { itemId, sourceId } = await openQueue(stage);
      let before = 0;
      for (const entries of entryCounts[context.quick ? 'quick' : 'full']) {
        await addEntries(stage, sourceId, entries - before);
        before = entries;
        await measurePage(context, stage, { port, cookie, entries });
      }
      await measureDecision(context, stage);
      await measureCheck(context, { port, cookie, itemId });
    } finally {
      await stage.stop();
    }
  },
};

async function signIn(port: number, account: unknown): Promise<string> {
  const { email, password } = account as { readonly email: string; readonly password: string };
  const { headers } = await send(port, '/auth/signin', {
    form: { email, password },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

/** An item whose article is stored, and its source. */
async function openQueue({ identity: { database }, superuser }: AccountsStage): Promise<{
  readonly itemId: Id<'item'>;
  readonly sourceId: string;
}> {
  const record = createRecordFactory({ database, clock: systemClock });
  const itemId = await record.publish({ title: 'Pellan released a model' });
  const settings = settingsFor(new URL('http://wire.example/feed'), { name: 'The Wire' });
  const deps = { database, clock: systemClock, ids: record.ids, publisher: record.publisher };
  const [source] = await addSources(deps, [settings]);
  const sourceId = source?.id ?? '';
  const article = Array.from(
    { length: 900 },
    (_, at) => `Pellan sold ${at} million chips in ${1990 + (at % 30)} to Dunmere.`,
  );
  await superuser.pool.query(
    `${insertEntries} VALUES ($2, $1, false, 'https://wire.example/article', 'Pellan released a model', $3, now(), NULL, NULL, NULL)`,
    [sourceId, itemId, article.join(' ')],
  );
  return { itemId, sourceId };
}

const insertEntries = `INSERT INTO newsroom.entry (id, source_id, first_import, url, title, text, discovered_at, outcome,
    outcome_reason, outcome_at)`;

/** Failed entries, which wait for an editor, and twice as many stories. */
async function addEntries({ superuser }: AccountsStage, sourceId: string, entries: number): Promise<void> {
  await superuser.pool.query(
    `${insertEntries} SELECT id, $1, false, 'https://wire.example/' || id, 'Entry ' || id, 'Text.', now(), 'failed',
      'a test', now() FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $2::int)) AS made`,
    [sourceId, entries],
  );
  await superuser.pool.query(
    `INSERT INTO record.story (id, title, report_count, source_count, latest_at)
     SELECT gen_random_uuid(), 'Story ' || n, 1, 1, now() FROM generate_series(1, 2 * $1::int) AS n`,
    [entries],
  );
  await superuser.pool.query('VACUUM (ANALYZE)');
}

interface Browser {
  readonly port: number;
  readonly cookie: string;
}

async function measurePage(
  context: SuiteContext,
  { superuser }: AccountsStage,
  { port, cookie, entries }: Browser & { readonly entries: number },
): Promise<void> {
  const queries = await recordQueries(superuser.pool, (recorded) => readPage(recorded));
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = -5; round < rounds[context.quick ? 'quick' : 'full']; round += 1) {
    const [pageMs, sqlMs] = [
      await timed(() => send(port, `/desk?kind=${page.kind}`, { headers: { cookie } })),
      await timed(async () => {
        for (const { text, values } of queries) await superuser.pool.query(text, values);
      }),
    ];
    if (round < 0) continue;
    ours.push(pageMs);
    bare.push(sqlMs);
  }
  const among = `${entries.toLocaleString('en-US')} entries`;
  context.figure({
    name: `first page of the queue, ${among}, p95`,
    value: p95(ours),
    unit: 'ms',
    isRecorded: true,
  });
  context.figure({ name: `its SQL on one connection, ${among}, p95`, value: p95(bare), unit: 'ms' });
  context.figure({
    name: `first page, ${among}, of its SQL`,
    value: p95(ours) / p95(bare),
    unit: '×',
    ...(entries === entryCounts.full.at(-1) && { goal: { atMost: 1.5 } }),
  });
}

async function readPage(database: Database): Promise<void> {
  const now = systemClock.now();
  await deskQueue.countQueue(database, { now, countMax: page.tabsCountMax });
  const entries = await deskQueue.listQueue(database, page.kind, { now, countMax: page.countMax });
  await deskQueue.readEntryVersions(
    database,
    entries.map(({ id }) => id),
  );
}

async function measureDecision(
  context: SuiteContext,
  { identity: { database } }: AccountsStage,
): Promise<void> {
  const record = createRecordFactory({ database, clock: systemClock });
  const { publisher } = record;
  const desk = createEditorDesk({ database, clock: systemClock, publisher, language: 'en' });
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = -5; round < rounds[context.quick ? 'quick' : 'full']; round += 1) {
    const [one, other] = [await record.publish(), await record.publish()];
    const deskMs = await timed(async () =>
      valueOf(await desk.selectItem({ itemId: one, reason: 'It matters.' })),
    );
    const publisherMs = await timed(async () =>
      valueOf(await publisher.selectItem({ itemId: other, reason: 'It matters.' })),
    );
    if (round < 0) continue;
    ours.push(deskMs);
    bare.push(publisherMs);
  }
  context.figure({ name: 'a decision at the desk, median', value: median(ours), unit: 'ms' });
  context.figure({ name: 'the same of the publisher, median', value: median(bare), unit: 'ms' });
  context.figure({
    name: 'a decision at the desk takes longer by',
    value: median(ours) - median(bare),
    unit: 'ms',
    goal: { atMost: 3 },
  });
}

async function measureCheck(
  context: SuiteContext,
  { port, cookie, itemId }: Browser & { readonly itemId: Id<'item'> },
): Promise<void> {
  const check = (title: string): Promise<StageAnswer> =>
    send(port, `/desk/items/${itemId}/check`, {
      form: { title, summary: 'Pellan sold 12 million chips to Dunmere. It was founded in Oslo.' },
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
  const first = await check('Pellan released a model for 12 dollars');
  if (first.status !== 200 || first.json<{ findings: unknown[] }>().findings.length === 0)
    throw new Error(`the check answered ${first.status}: ${first.text}`);
  const times: number[] = [];
  for (let round = -5; round < rounds[context.quick ? 'quick' : 'full']; round += 1) {
    const ms = await timed(() => check(`Pellan released model ${round}`));
    if (round >= 0) times.push(ms);
  }
  context.figure({
    name: 'the check of a keystroke, p95',
    value: p95(times),
    unit: 'ms',
    goal: { atMost: 50 },
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

function p95(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.95)] ?? 0;
}
