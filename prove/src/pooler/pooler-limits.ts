import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { requestOnce } from '../news/http-question.ts';
import type { PoolerStage } from './pooler-stage.ts';

/** Seconds until the server cancelled a statement without end; NaN where it ended otherwise. */
export async function secondsUntilCancelled({ pool }: DatabaseConnection): Promise<number> {
  const client = await pool.connect();
  // The transaction has its session before the clock starts: waiting for one is not what is measured.
  await client.query('BEGIN');
  const startedAt = performance.now();
  const error: unknown = await client.query('SELECT pg_sleep(3600)').catch((caught: unknown) => caught);
  const seconds = (performance.now() - startedAt) / 1_000;
  await client.query('ROLLBACK');
  client.release();
  return error instanceof pg.DatabaseError && error.code === '57014' ? seconds : Number.NaN;
}

/** Seconds until an idle transaction was ended. */
export async function secondsUntilEnded({ pool }: DatabaseConnection): Promise<number> {
  const client = await pool.connect();
  await client.query('BEGIN');
  const startedAt = performance.now();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  client.once('end', resolve);
  // The pooler may reset the connection instead of closing it.
  client.on('error', () => {});
  await ended;
  client.release(true);
  return (performance.now() - startedAt) / 1_000;
}

/** Seconds until a search that meets a locked table was answered with 503; NaN where it was answered otherwise. */
export async function secondsUntilSearchGivenUp({ superuser, apis }: PoolerStage): Promise<number> {
  const client = await superuser.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE record.window_item IN ACCESS EXCLUSIVE MODE');
    const startedAt = performance.now();
    const { status } = await requestOnce(apis[0]?.port ?? 0, '/api/v1/items?q=locked+out');
    return status === 503 ? (performance.now() - startedAt) / 1_000 : Number.NaN;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/** Whether the pooler refuses a session that sends a setting at its start; were it lenient, this would prove little. */
export async function refusesSettings(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, statement_timeout: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return false;
  } catch (error) {
    return String(error).includes('unsupported startup parameter');
  } finally {
    await client.end().catch(() => {});
  }
}

export interface SessionCounts {
  readonly throughPooler: number;
  readonly past: number;
}

/** Names of the connections that go past the pooler. */
const past = ['daybook notifications', 'daybook executor lock'];

/** The most sessions of the two logins that PostgreSQL had at any look. */
export async function countSessions({ superuser }: PoolerStage, enough: AbortSignal): Promise<SessionCounts> {
  let most = { throughPooler: 0, past: 0 };
  while (!enough.aborted) {
    const { rows } = await superuser.pool.query<{ past: number; pooled: number }>(
      `SELECT (count(*) FILTER (WHERE application_name = ANY($1)))::int AS past,
         (count(*) FILTER (WHERE application_name <> ALL($1)))::int AS pooled
       FROM pg_stat_activity WHERE usename IN ('daybook_app', 'daybook_reader')`,
      [past],
    );
    most = {
      throughPooler: Math.max(most.throughPooler, rows[0]?.pooled ?? 0),
      past: Math.max(most.past, rows[0]?.past ?? 0),
    };
    await delay(100);
  }
  return most;
}
