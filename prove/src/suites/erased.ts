import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseVerifierKey, verifyCheckpoint } from '@daybook/client/log';
import type { VerifierKey } from '@daybook/client/log';
import type { RecordProof } from '@daybook/client/log/proof';
import { verifyProof } from '@daybook/client/log/proof';
import type { Suite, SuiteContext } from '@daybook/evidence';
import pg from 'pg';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { createFetcher } from '../../../apps/server/src/ingest/fetch/fetcher.ts';
import { logKeyFile } from '../../../apps/server/src/record/wiring.ts';
import { createTestNewsroom } from '../../../apps/server/test/newsroom.ts';
import { sequenceLog } from '../../../apps/server/test/sequence-log.ts';
import type { FilesWith, Sought } from '../erasure/remaining-words.ts';
import { dumpMatches, filesWith, plannerStatistics, tablesWith } from '../erasure/remaining-words.ts';
import type { SharingPublishers } from '../erasure/shared-article.ts';
import { startSharingPublishers } from '../erasure/shared-article.ts';
import type { Newsroom, PublishedReport } from '../erasure/withdrawn-report.ts';
import { becomesTrue, publishReport, readSalts } from '../erasure/withdrawn-report.ts';
import { requestUntilNotBusy } from '../news/http-question.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import { countBrokenPromises } from '../news/record-promises.ts';
import { withdrawByCommand } from '../news/watch-withdrawal.ts';

const cachesWithinMs = 1_000;

/** docs/guides/operating.md states these commands. */
const rewrite = [
  'DELETE FROM pg_statistic',
  'VACUUM (FULL, ANALYZE)',
  'SELECT pg_switch_wal()',
  'CHECKPOINT',
  'CHECKPOINT',
];

export const suite: Suite = {
  name: 'erased',
  nightly: true,
  summary:
    'After a withdrawal no row, dump, tile or response contains the text or its salt, after a rewrite no file of the server, and the log still verifies.',
  headline: 'tables with words or salts',
  promise:
    'Publishers list, repeat and edit a report with words that occur nowhere else; the newsroom publishes it, and a story with its digest and its quotations, a ranking and a daily with a note repeat them. The log is sequenced and signed. The attacker has the rights of the superuser on the database afterwards, and every file of its server. The shipped command withdraws the item. At once, no row of any table, except the samples of the planner, and no dump contains the words or the salt of an entry that contained them. Within a second no response of an api process does, its cached ones, histories, earlier moments, proofs, tiles and entries of the log included. After the rewrite that the operating guide describes, no sample and no file of the server contains them, its write-ahead log included. A proof saved before still verifies, the log continues its checkpoint, and the newest proof shows the withdrawal. Restores are the subject of `prove restore`.',
  run: async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'daybook-erased-'));
    // Removed files of the write-ahead log instead of renamed ones, as the guide says.
    const stage = await setNewsStage(context.root, {
      folder,
      settings: { wal_recycle: 'off', min_wal_size: '32MB' },
    });
    const publishers = await startSharingPublishers();
    const fetcher = createFetcher({
      userAgent: 'Daybook/prove',
      clock: systemClock,
      examplePort: publishers.port,
    });
    try {
      const newsroom = createTestNewsroom(stage, systemClock, fetcher);
      await proveErasure(context, { stage, newsroom, publishers, folder });
    } finally {
      await fetcher.close();
      await publishers.close();
      await stage.remove();
      await rm(folder, { recursive: true });
    }
  },
};

interface ErasureStage {
  readonly stage: NewsStage;
  readonly newsroom: Newsroom;
  readonly publishers: SharingPublishers;
  readonly folder: string;
}

interface SavedProof {
  readonly report: PublishedReport;
  readonly proof: RecordProof;
}

async function proveErasure(context: SuiteContext, deps: ErasureStage): Promise<void> {
  const { stage, newsroom, folder } = deps;
  const port = await stage.startApi({ DAYBOOK_RATE_PER_MINUTE: '1000000' });
  const signer = await logKeyFile.parseLogKeys(await logKeyFile.generateLogKey('prove.example/log'));
  const logKeys = (await Promise.all(signer.verifierKeys.map(parseVerifierKey))) as VerifierKey[];
  const sources = [];
  for (const [at, feed] of deps.publishers.feeds.entries())
    sources.push(await newsroom.add(feed, { name: `Source ${at}`, tier: 1, allSubjects: true }));
  const saved: SavedProof[] = [];
  const sought: { words: string[]; salts: Buffer[] } = { words: [], salts: [] };
  const counts: Counts = { before: 0, tables: 0, dumps: 0, responses: 0 };
  const rounds = context.quick ? 1 : 5;
  for (let round = 0; round < rounds; round += 1) {
    const report = await publishReport({ ...deps, sources }, round);
    await sequenceLog(stage.database, signer);
    await query(stage, 'ANALYZE');
    const { text } = await requestUntilNotBusy(port, `/api/v1/items/${report.itemId}/proof`);
    saved.push({ report, proof: (JSON.parse(text) as { proof: RecordProof }).proof });
    const own = { words: report.words, salts: await readSalts(stage, report) };
    counts.before += (await tablesWith(stage.superuserUrl, own)).length;
    const moment = new Date(systemClock.nowMs()).toISOString();
    const paths = [...report.paths, ...(await logPaths(port)), ...atMoment(report, moment)];
    for (const path of paths) await requestUntilNotBusy(port, path);
    await withdrawByCommand(context.root, stage.urls, report.itemId, 'The publisher retracted it.');
    await sequenceLog(stage.database, signer);
    counts.tables += await countTables(context, stage, own);
    const dumped = await dumpMatches(stage.superuserUrl, own);
    if (dumped === null) context.didNotRun('pg_dump of the version of the server is not installed');
    counts.dumps = dumped === null || counts.dumps === null ? null : counts.dumps + dumped;
    counts.responses += await countResponses(context, port, [...paths, ...(await logPaths(port))], own);
    sought.words.push(...own.words);
    sought.salts.push(...own.salts);
  }
  report(context, { rounds, counts, sought });
  await rewriteFiles(context, stage, { data: join(folder, 'data'), sought });
  await checkLog(context, port, saved, logKeys);
  await countBrokenPromises(context, stage.database, systemClock.now());
}

interface Counts {
  before: number;
  tables: number;
  /** Null without the program. */
  dumps: number | null;
  responses: number;
}

function report(
  { figure }: SuiteContext,
  {
    rounds,
    counts,
    sought,
  }: {
    readonly rounds: number;
    readonly counts: Readonly<Counts>;
    readonly sought: Sought;
  },
): void {
  const none = (name: string, value: number, unit: string): void =>
    figure({ name, value, unit, goal: { exactly: 0 } });
  figure({ name: 'items withdrawn', value: rounds, unit: 'items' });
  figure({ name: 'salts searched for', value: sought.salts.length, unit: 'salts', goal: { atLeast: 1 } });
  figure({
    name: 'before the withdrawal: tables with them',
    value: counts.before,
    unit: 'tables',
    goal: { atLeast: 5 },
  });
  none('tables with words or salts at once', counts.tables, 'tables');
  if (counts.dumps !== null) none('words or salts in a dump', counts.dumps, 'matches');
  none('responses with words or salts after a second', counts.responses, 'responses');
}

async function countTables({ note }: SuiteContext, stage: NewsStage, sought: Sought): Promise<number> {
  const tables = await tablesWith(stage.superuserUrl, sought);
  for (const table of tables) note(`rows with words or salts: ${table}`);
  // Samples of values, which PostgreSQL replaces when it analyzes a table that is not empty.
  return tables.filter((table) => !table.startsWith(plannerStatistics)).length;
}

function atMoment({ paths }: PublishedReport, moment: string): readonly string[] {
  const resources = paths.filter((path) => /^\/api\/v1\/[a-z-]+(?:\/[\w-]+)?$/u.test(path));
  return resources.map((path) => `${path}?at=${moment}`);
}

/** All files of the log. */
async function logPaths(port: number): Promise<readonly string[]> {
  const { text } = await requestUntilNotBusy(port, '/log/checkpoint');
  const [, size = '0'] = text.split('\n');
  return ['/log/checkpoint', `/log/tile/0/000.p/${size}`, `/log/tile/entries/000.p/${size}`];
}

async function countResponses(
  { note }: SuiteContext,
  port: number,
  paths: readonly string[],
  { words, salts }: Sought,
): Promise<number> {
  const sought = [...words, ...salts.map((salt) => salt.toString('hex'))];
  let showing = 0;
  for (const path of paths) {
    const isClean = async (): Promise<boolean> => {
      const { text } = await requestUntilNotBusy(port, path);
      return !sought.some((one) => text.includes(one));
    };
    if (await becomesTrue(isClean, cachesWithinMs)) continue;
    showing += 1;
    note(`still contains words or salts: ${path}`);
  }
  return showing;
}

async function query({ superuserUrl }: NewsStage, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

async function rewriteFiles(
  { figure, note }: SuiteContext,
  stage: NewsStage,
  { data, sought }: { readonly data: string; readonly sought: Sought },
): Promise<void> {
  await query(stage, 'CHECKPOINT');
  const before = await filesWith(data, sought);
  const startedMs = performance.now();
  for (const statement of rewrite) await query(stage, statement);
  const seconds = (performance.now() - startedMs) / 1_000;
  const after: FilesWith = await filesWith(data, sought);
  for (const file of [...after.tables, ...after.log]) note(`bytes of words or salts: ${file}`);
  figure({
    name: 'before the rewrite: files with their bytes',
    value: before.tables.length + before.log.length,
    unit: 'files',
    goal: { atLeast: 1 },
  });
  figure({ name: 'the rewrite took', value: seconds, unit: 's' });
  const none = (name: string, value: number, unit = 'files'): void =>
    figure({ name, value, unit, goal: { exactly: 0 } });
  const left = await tablesWith(stage.superuserUrl, sought);
  for (const table of left) note(`after the rewrite: ${table}`);
  none('after the rewrite: tables with them, samples of the planner included', left.length, 'tables');
  none('after the rewrite: files of tables with their bytes', after.tables.length);
  none('after the rewrite: files of the write-ahead log with their bytes', after.log.length);
}

async function checkLog(
  { figure }: SuiteContext,
  port: number,
  saved: readonly SavedProof[],
  logKeys: readonly VerifierKey[],
): Promise<void> {
  let [old, withdrawn] = [0, 0];
  for (const { report: one, proof } of saved) {
    const verified = await verifyProof(proof, { logKeys });
    if (verified.ok && verified.content === 'proven') old += 1;
    const known = (await verifyCheckpoint(proof.checkpoint, { logKeys }))?.checkpoint;
    if (known === undefined) continue;
    const path = `/api/v1/items/${one.itemId}/proof?since=${known.size}`;
    const { text } = await requestUntilNotBusy(port, path);
    const newest = await verifyProof((JSON.parse(text) as { proof: RecordProof }).proof, { logKeys, known });
    if (newest.ok && newest.entry.action === 'withdrawn') withdrawn += 1;
  }
  const all = { exactly: saved.length };
  figure({ name: 'proofs saved before that verify', value: old, unit: 'proofs', goal: all });
  figure({
    name: 'proofs of withdrawals that continue the saved checkpoint',
    value: withdrawn,
    unit: 'proofs',
    goal: all,
  });
}
