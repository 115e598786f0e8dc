import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Suite, SuiteContext } from '@daybook/evidence';
import type { Cluster } from '@daybook/local-postgres';
import { startCluster } from '@daybook/local-postgres';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { freePorts, queryOnce } from '../http/api-child.ts';
import { isNginxInstalled, startNginx } from '../http/nginx.ts';
import { describeMissingSource, readRelease } from '../releases/release.ts';
import type { Fleet } from '../upgrade/fleet.ts';
import { startFleet } from '../upgrade/fleet.ts';
import { lockLogSettings, loggedWaitMs, readLockWaits } from '../upgrade/lock-waits.ts';
import type { Newswire } from '../upgrade/newswire.ts';
import { startNewswire } from '../upgrade/newswire.ts';
import { installRelease, runCommand } from '../upgrade/released-program.ts';
import type { Visitors } from '../upgrade/visitors.ts';
import { startVisitors } from '../upgrade/visitors.ts';

const loader = fileURLToPath(new URL('../processes/released-loader.ts', import.meta.url));
const plans = {
  full: { items: 1_000_000, itemsMin: 100_000, importMs: 300_000, accounts: 100_000, phaseMs: 15_000 },
  quick: { items: 20_000, itemsMin: 5_000, importMs: 30_000, accounts: 2_000, phaseMs: 3_000 },
} as const;
const owner = { email: 'editor@example.org', password: 'a long sentence for the first account' };
const accountsAtOnce = 2_000;
const lockWaitMaxMs = 200;

export const suite: Suite = {
  name: 'upgrade',
  nightly: true,
  summary:
    'A rolling upgrade from the last release to this version, back and forth again, fails no request and loses no write.',
  headline: 'requests that failed',
  promise:
    'An installation of the release in `apps/server/test/releases/released.json`, with the packages of its own lockfile: two api processes behind nginx and one worker, 100 k accounts, and as many items up to 1 M as are imported in five minutes (2 k accounts and 20 k items with `--quick`). Readers request pages and lists, members sign in, refresh tokens and create folders, and publishers publish articles. Meanwhile the migrations of this version are applied; then the processes are replaced by those of this version one by one, by those of the release again, and by those of this version. No request fails, every folder whose creation was confirmed exists once, every article is published once, and no request waits longer than 200 ms for the lock of a table, measured by PostgreSQL. At the end the record, the newsroom and the storage verify.',
  run: async (context) => {
    const release = await readRelease(context.root);
    const missing =
      (await describeMissingSource(context.root, release)) ??
      (isNginxInstalled() ? null : 'nginx is not installed (Debian package nginx)');
    if (missing !== null) return context.didNotRun(missing);
    const released = await installRelease(context.root, release);
    const folder = await mkdtemp(join(tmpdir(), 'prove-upgrade-'));
    await chmod(folder, 0o755);
    const settings = { shared_buffers: '512MB', max_wal_size: '4GB', ...lockLogSettings };
    const cluster = await startCluster({ folder: join(folder, 'database'), settings });
    try {
      await prove(context, { released, folder, cluster, version: release.version });
    } finally {
      await cluster.stop('immediate');
      await rm(folder, { recursive: true, force: true });
    }
  },
};

interface Stage {
  readonly released: string;
  readonly folder: string;
  readonly cluster: Cluster;
  readonly version: string;
}

async function prove(context: SuiteContext, stage: Stage): Promise<void> {
  const { released, folder } = stage;
  const plan = context.quick ? plans.quick : plans.full;
  const [edgePort = 0, workerPort = 0, ...apiPorts] = await freePorts(4);
  const wire = await startNewswire();
  const files = join(folder, 'files');
  await mkdir(files);
  const urls = await createDatabase(stage);
  const settings: Readonly<Record<string, string>> = {
    DATABASE_URL: urls.application,
    DATABASE_READER_URL: urls.newsReader,
    DATABASE_OWNER_URL: urls.owner,
    DAYBOOK_BASE_URL: `http://localhost:${edgePort}`,
    DAYBOOK_TRUSTED_PROXIES: '127.0.0.1/32',
    DAYBOOK_SECRET_KEY: 'ab'.repeat(32),
    DAYBOOK_STORAGE_FOLDER: files,
    DAYBOOK_EXAMPLE_PORT: String(wire.port),
    DAYBOOK_RATE_PER_MINUTE: '1000000',
    DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000',
  };
  const closing: (() => Promise<unknown>)[] = [wire.close];
  try {
    await fill(context, stage, { settings, urls, plan, opml: wire.opml() });
    const fleet = await startFleet(released, { apiPorts, workerPort, settings });
    closing.unshift(fleet.stop);
    const nginx = await startNginx(released, edgePort, apiPorts);
    closing.unshift(nginx.stop);
    await upgradeUnderLoad(context, stage, { settings, wire, fleet, edgePort, phaseMs: plan.phaseMs });
    await reportVerified(context, settings);
  } finally {
    for (const close of closing) await close();
  }
}

interface RunningInstallation {
  readonly settings: Readonly<Record<string, string>>;
  readonly wire: Newswire;
  readonly fleet: Fleet;
  readonly edgePort: number;
  readonly phaseMs: number;
}

async function upgradeUnderLoad(
  context: SuiteContext,
  stage: Stage,
  { settings, wire, fleet, edgePort, phaseMs }: RunningInstallation,
): Promise<void> {
  const { root } = context;
  const started = performance.now();
  const publishing = wire.publishTo(stage.cluster.url('daybook'));
  const visitors = startVisitors({ port: edgePort, readers: 4, members: 2, ...owner });
  const phase = async (name: string, work: () => Promise<unknown>): Promise<number> => {
    visitors.enter(name);
    const from = performance.now();
    await work();
    const seconds = (performance.now() - from) / 1_000;
    await delay(phaseMs);
    context.note(`${name}: ${seconds.toFixed(1)} s, ${visitors.failures.length} failures so far`);
    return seconds;
  };
  await phase(`${stage.version} under load`, async () => {});
  const migrated = await phase('migrations', () => runCommand(root, ['database', 'migrate'], settings));
  await phase('to this version', () => fleet.replace(root));
  await phase(`back to ${stage.version}`, () => fleet.replace(stage.released));
  await phase('to this version again', () => fleet.replace(root));
  await visitors.stop();
  const seconds = (performance.now() - started) / 1_000;
  const unpublished = await publishing.finish();
  context.figure({ name: 'duration of the migrations', value: migrated, unit: 's' });
  await report(context, stage, { visitors, wire, unpublished, seconds });
}

/** The logins of the release, made by its own command. */
async function createDatabase({ released, cluster }: Stage): Promise<DatabaseUrls> {
  const password = 'prove';
  await runCommand(released, ['database', 'logins'], {
    DATABASE_SUPERUSER_URL: cluster.url(),
    DATABASE_LOGIN_PASSWORD: password,
  });
  const of = (login: string): string =>
    `postgres://daybook_${login}:${password}@127.0.0.1:${cluster.port}/daybook`;
  return { owner: of('owner'), application: of('app'), newsReader: of('reader') };
}

async function fill(
  context: SuiteContext,
  { released, folder, cluster }: Stage,
  of: {
    readonly settings: Readonly<Record<string, string>>;
    readonly urls: DatabaseUrls;
    readonly plan: (typeof plans)['full' | 'quick'];
    readonly opml: string;
  },
): Promise<void> {
  const { settings, urls, plan } = of;
  const startedMs = performance.now();
  // Nothing is lost by losing a database that is still being filled.
  const durable = async (value: 'on' | 'off'): Promise<void> => {
    await queryOnce(cluster.url(), `ALTER SYSTEM SET fsync = ${value}`);
    await queryOnce(cluster.url(), 'SELECT pg_reload_conf()');
  };
  await durable('off');
  await runCommand(released, ['database', 'migrate'], settings);
  const words = ['admin', 'create-owner', '--username', 'editor', '--organization', 'newsroom', '--email'];
  await runCommand(released, [...words, owner.email], settings, `${owner.password}\n`);
  await promisify(execFile)(
    process.execPath,
    [loader, JSON.stringify({ root: released, urls, items: plan.items, withinMs: plan.importMs })],
    { maxBuffer: 2 ** 26 },
  );
  for (let from = 1; from <= plan.accounts; from += accountsAtOnce)
    await queryOnce(cluster.url('daybook'), accountsQuery(from));
  await durable('on');
  const list = join(folder, 'sources.opml');
  await writeFile(list, of.opml);
  await runCommand(released, ['sources', 'import', list], settings);
  const [row] = await queryOnce(
    cluster.url('daybook'),
    `SELECT (SELECT count(*)::int FROM record.item) AS items, (SELECT count(*)::int FROM identity.account) AS accounts,
       pg_database_size('daybook')::float8 / 1e6 AS megabytes`,
  );
  const count = (name: string, unit: string, atLeast?: number): void =>
    context.figure({
      name: `${name} before the upgrade`,
      value: Number(row?.[unit]),
      unit,
      ...(atLeast === undefined ? {} : { goal: { atLeast } }),
    });
  count('items', 'items', plan.itemsMin);
  count('accounts', 'accounts', plan.accounts);
  count('size of the database', 'megabytes');
  context.note(`filled in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
}

/** Each with an organization of its own, as accounts that sign up have. */
function accountsQuery(from: number): string {
  const id = (kind: string): string => `md5('${kind}' || n)::uuid`;
  return `
    WITH number AS MATERIALIZED (SELECT n FROM generate_series(${from}, ${from + accountsAtOnce - 1}) AS n),
    organization AS (
      INSERT INTO identity.organization (id, key, name, created_at)
      SELECT ${id('organization')}, 'member-' || n, 'Member ' || n, now() FROM number),
    account AS (
      INSERT INTO identity.account (id, username, email, email_normalised, name, organization_id, created_at)
      SELECT ${id('account')}, 'member-' || n, 'member-' || n || '@example.org', 'member-' || n || '@example.org',
        'Member ' || n, ${id('organization')}, now() FROM number)
    INSERT INTO identity.organization_membership (organization_id, account_id, role, created_at)
    SELECT ${id('organization')}, ${id('account')}, 'owner', now() FROM number`;
}

async function report(
  { figure, note }: SuiteContext,
  { cluster, folder }: Stage,
  of: {
    readonly visitors: Visitors;
    readonly wire: Newswire;
    readonly unpublished: readonly string[];
    readonly seconds: number;
  },
): Promise<void> {
  const { visitors, wire, unpublished } = of;
  const none = (name: string, value: number, unit: string): void =>
    figure({ name, value, unit, goal: { exactly: 0 } });
  for (const { phase, text } of visitors.failures.slice(0, 10)) note(`failed (${phase}): ${text}`);
  for (const url of unpublished.slice(0, 5)) note(`not published: ${url}`);
  figure({ name: 'requests', value: visitors.requests(), unit: 'requests', goal: { atLeast: 500 } });
  figure({ name: 'requests per second', value: visitors.requests() / of.seconds, unit: 'requests/s' });
  none('requests that failed', visitors.failures.length, 'requests');
  const rows = await queryOnce(
    cluster.url('daybook'),
    `SELECT name, count(*)::int AS times FROM storage.entry WHERE name LIKE 'upgrade-%' GROUP BY name`,
  );
  const times = new Map(rows.map((row) => [String(row['name']), Number(row['times'])]));
  figure({
    name: 'folders created',
    value: visitors.written.length,
    unit: 'folders',
    goal: { atLeast: 100 },
  });
  none(
    'of these missing or created twice',
    visitors.written.filter((name) => times.get(name) !== 1).length,
    'folders',
  );
  figure({ name: 'refreshes of tokens', value: visitors.refreshes(), unit: 'refreshes' });
  figure({ name: 'articles', value: wire.urls.length, unit: 'articles', goal: { atLeast: 10 } });
  none('of these not published once', unpublished.length, 'articles');
  const waits = (await readLockWaits(join(folder, 'database'))).toSorted((one, other) => other.ms - one.ms);
  for (const { application, ms, lock, relation } of waits.slice(0, 5)) {
    const [row] = await queryOnce(cluster.url('daybook'), `SELECT ${relation}::regclass::text AS name`);
    note(`${application} waited ${ms} ms for ${lock} on ${String(row?.['name'])}`);
  }
  figure({
    name: 'longest wait of a request for the lock of a table',
    value: waits[0]?.ms ?? loggedWaitMs,
    unit: 'ms',
    goal: { atMost: lockWaitMaxMs },
  });
}

async function reportVerified(
  { root, figure, note }: SuiteContext,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  let failed = 0;
  for (const part of ['record', 'newsroom', 'storage'])
    await runCommand(root, [part, 'verify'], settings).catch((error: unknown) => {
      failed += 1;
      note(String(error).slice(0, 2_000));
    });
  figure({ name: 'commands `verify` that fail', value: failed, unit: 'commands', goal: { exactly: 0 } });
}
