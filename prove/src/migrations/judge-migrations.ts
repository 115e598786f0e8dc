import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import { migrate } from '../../../apps/server/src/foundation/database/migrate.ts';
import type { Migration } from '../../../apps/server/src/foundation/database/migration-files.ts';
import type { Probe } from './released-tables.ts';
import { readReleasedTables } from './released-tables.ts';

export interface MigrationJudgement {
  readonly migration: Migration;
  /** Everything found, declared or not. */
  readonly findings: readonly string[];
  /** Findings that the file does not declare. */
  readonly refused: readonly string[];
}

export interface JudgedDatabase {
  readonly superuserUrl: string;
  readonly ownerUrl: string;
}

export interface JudgedMigrations {
  readonly released: readonly Migration[];
  readonly added: readonly Migration[];
  /** Rows in each table that an added migration names. */
  readonly rows: number;
}

const lockWaitMaxMs = 200;
const lockTimeout = '55P03';
const deadlock = '40P01';
const uniqueViolation = '23505';

/** The numbers of probes begin beyond those of the filled rows. */
let probeNumber = 1_000_000_000;

/**
 * Applies the migrations of the release, fills the tables that the added ones name, and applies these one by one while
 * statements of the release run on every table.
 */
export async function judgeMigrations(
  { superuserUrl, ownerUrl }: JudgedDatabase,
  { released, added, rows }: JudgedMigrations,
): Promise<readonly MigrationJudgement[]> {
  await migrate(ownerUrl, released);
  const client = await connect(superuserUrl);
  try {
    await client.query('SELECT record.roll_window(current_date, 1, 1)');
    const tables = await readReleasedTables(client);
    const isNamed = (name: string): boolean => added.some(({ sql }) => new RegExp(`${name}\\b`).test(sql));
    await fillTables(
      superuserUrl,
      tables.filter(({ name }) => isNamed(name)).map(({ fill }) => fill),
      rows,
    );
    let probes: Probe[] = [];
    for (const probe of tables.flatMap((table) => table.probes)) {
      // Twice: a table of one row, empty so far, accepts the first.
      const first = await isAccepted(client, probe.sql, valuesOf(probe));
      if (first && (await isAccepted(client, probe.sql, valuesOf(probe)))) probes.push(probe);
    }
    const judgements: MigrationJudgement[] = [];
    for (const [at, migration] of added.entries()) {
      const run = (): Promise<unknown> => migrate(ownerUrl, [...released, ...added.slice(0, at + 1)]);
      const before = await fileNodes(client);
      const { blocked, broken } = await runBesideProbes(superuserUrl, migration, probes, run);
      const rewritten = changedTables(before, await fileNodes(client));
      judgements.push(judge(migration, [...blocked, ...rewritten], [...broken.values()]));
      probes = probes.filter((probe) => !broken.has(probe));
    }
    return judgements;
  } finally {
    await client.end();
  }
}

/** On two connections: filling is most of the work. */
async function fillTables(superuserUrl: string, fills: readonly string[], rows: number): Promise<void> {
  const waiting = [...fills];
  const work = async (): Promise<void> => {
    const client = await connect(superuserUrl);
    try {
      for (let fill = waiting.shift(); fill !== undefined; fill = waiting.shift())
        await isAccepted(client, fill, [rows]);
    } finally {
      await client.end();
    }
  };
  await Promise.all([work(), work()]);
}

function judge(
  migration: Migration,
  blocks: readonly string[],
  breaks: readonly string[],
): MigrationJudgement {
  const declares = (word: string): boolean =>
    new RegExp(String.raw`^-- daybook:${word} \S`, 'm').test(migration.sql);
  const refused = [...(declares('blocks') ? [] : blocks), ...(declares('contracts') ? [] : breaks)];
  return { migration, findings: [...blocks, ...breaks], refused };
}

async function runBesideProbes(
  superuserUrl: string,
  { sql }: Migration,
  probes: readonly Probe[],
  run: () => Promise<unknown>,
): Promise<{ readonly blocked: ReadonlySet<string>; readonly broken: ReadonlyMap<Probe, string> }> {
  const [blocked, broken] = [new Set<string>(), new Map<Probe, string>()];
  const ended = new AbortController();
  const repeat = async (client: pg.Client, list: readonly Probe[]): Promise<void> => {
    for (let isLast = false; !isLast;) {
      // The last pass begins after the migration, so every statement also runs on the new schema.
      isLast = ended.signal.aborted;
      for (const probe of list) {
        const { code, message } = await failureOf(client, probe.sql, valuesOf(probe));
        if (code === lockTimeout)
          blocked.add(`${probe.kind} on ${probe.table} waits more than ${lockWaitMaxMs} ms for a lock`);
        else if (code !== undefined && code !== deadlock)
          broken.set(probe, `${probe.kind} on ${probe.table} fails: ${message}`);
      }
      await delay(2);
    }
    await client.end();
  };
  // A connection for each statement on a table that the migration names; one for all others in turn.
  const named = probes.filter(({ table }) => sql.includes(table));
  const lists = [...named.map((probe) => [probe]), probes.filter((probe) => !named.includes(probe))];
  const clients = await Promise.all(lists.map(() => connect(superuserUrl)));
  const running = clients.map((client, at) => repeat(client, lists[at] ?? []));
  try {
    await run();
  } finally {
    ended.abort();
    await Promise.all(running);
  }
  return { blocked, broken };
}

/** Foreign keys and triggers do not act on generated rows. PostgreSQL itself measures how long a lock is waited for. */
async function connect(url: string): Promise<pg.Client> {
  const options = `-c session_replication_role=replica -c lock_timeout=${lockWaitMaxMs}`;
  const client = new pg.Client({ connectionString: url, options });
  await client.connect();
  return client;
}

function valuesOf({ takesNumber }: Probe): readonly number[] {
  return takesNumber ? [(probeNumber += 1)] : [];
}

async function failureOf(
  client: pg.Client,
  sql: string,
  values: readonly number[],
): Promise<{ readonly code?: string | undefined; readonly message?: string }> {
  try {
    await client.query(sql, [...values]);
    return {};
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error;
    throw error;
  }
}

/** A table of one row accepts no second one. Rows refused by a check need a value in `released-tables.ts`. */
async function isAccepted(client: pg.Client, sql: string, values: readonly number[]): Promise<boolean> {
  const { code, message } = await failureOf(client, sql, values);
  if (code !== undefined && code !== uniqueViolation) throw new Error(`${message}: ${sql}`);
  return code === undefined;
}

/** Where the rows of each table are stored: a rewrite moves them to another file. */
async function fileNodes(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; node: string }>(
    `SELECT oid::regclass::text AS name, relfilenode::text AS node FROM pg_class
     WHERE relkind = 'r' AND relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`,
  );
  return new Map(rows.map(({ name, node }) => [name, node]));
}

function changedTables(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const changed = [...before].filter(([name, node]) => after.has(name) && after.get(name) !== node);
  return changed.map(([name]) => `rewrites ${name}`);
}
