import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

/** The right to send requests to one registrable domain. Leases and spacing use real time. */
export interface DomainLease {
  readonly domain: string;
  /** Identifies this lease: the next process to lease the domain uses another value. */
  readonly holder: string;
}

/** Inserts the domain, or makes it due no later than this. Locks its row until the transaction ends. */
export async function upsertDomainDue(
  database: Database,
  domain: string,
  dueAt: EpochMicroseconds | null,
): Promise<void> {
  await sql`
    INSERT INTO newsroom.domain AS known (name, due_at)
    VALUES (${domain}, ${dueAt === null ? null : toTimestamptz(dueAt)})
    ON CONFLICT (name) DO UPDATE SET due_at = least(known.due_at, excluded.due_at)`.execute(database);
}

/** Claims due domains that may be requested, longest waiting first. Rows cannot move while they are locked, so `ctid` identifies them. */
export async function claimDueDomains(
  database: Database,
  request: {
    readonly holder: string;
    readonly now: EpochMicroseconds;
    readonly leaseMs: number;
    readonly domainsMax: number;
  },
): Promise<readonly DomainLease[]> {
  const { holder, now, leaseMs, domainsMax } = request;
  const { rows } = await sql<{ domain: string }>`
    UPDATE newsroom.domain SET lease_holder = ${holder},
      leased_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM newsroom.domain
      WHERE due_at <= ${toTimestamptz(now)}
        AND (leased_until IS NULL OR leased_until < clock_timestamp()) AND next_request_at <= clock_timestamp()
      ORDER BY due_at LIMIT ${domainsMax} FOR UPDATE SKIP LOCKED))
    RETURNING name AS domain`.execute(database);
  return rows.map(({ domain }) => ({ domain, holder }));
}

/** Leases one domain, due or not: for a redirect or a manual poll. Returns the wait before a request; null: another process holds the lease. */
export async function leaseDomain(
  database: Database,
  { domain, holder }: DomainLease,
  leaseMs: number,
): Promise<number | null> {
  await upsertDomainDue(database, domain, null);
  const { rows } = await sql<{ wait_ms: number }>`
    UPDATE newsroom.domain SET lease_holder = ${holder},
      leased_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    WHERE name = ${domain} AND (leased_until IS NULL OR leased_until < clock_timestamp())
    RETURNING greatest(0, extract(epoch FROM next_request_at - clock_timestamp()) * 1000)::float8 AS wait_ms`.execute(
    database,
  );
  return rows[0]?.wait_ms ?? null;
}

/** False: the lease has expired, and another process may hold the domain. */
export async function renewLease(
  database: Database,
  { domain, holder }: DomainLease,
  leaseMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE newsroom.domain SET leased_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    WHERE name = ${domain} AND lease_holder = ${holder} AND leased_until > clock_timestamp()`.execute(
    database,
  );
  return numAffectedRows === 1n;
}

/**
 * Locks the lease until the transaction ends, which releases the domain. False: another process has leased the domain since.
 * An expired lease still belongs to its holder, because no process can claim the domain while its row is locked.
 */
export async function lockLease(database: Database, { domain, holder }: DomainLease): Promise<boolean> {
  const { rows } = await sql`${preparedAs('lock-lease')}
    SELECT FROM newsroom.domain WHERE name = ${domain} AND lease_holder = ${holder} FOR UPDATE`.execute(
    database,
  );
  return rows.length === 1;
}

/** When a released domain accepts the next request, and when its pages are due. */
export interface NextTurn {
  readonly requestInMs: number;
  readonly pagesDueAt: EpochMicroseconds;
}

/**
 * Releases the domain, with the time of its next source or page and of its next request. Locks the row before it reads
 * sources, so that a source that is added at the same time is not missed.
 */
export async function releaseDomain(database: Database, lease: DomainLease, next: NextTurn): Promise<void> {
  if (await lockLease(database, lease)) await releaseLockedDomain(database, lease, next);
}

/** The same, for a caller that has locked the row in this transaction. */
export async function releaseLockedDomain(
  database: Database,
  { domain }: DomainLease,
  next: NextTurn,
): Promise<void> {
  await sql`${preparedAs('release-domain')}
    UPDATE newsroom.domain SET lease_holder = NULL, leased_until = NULL,
      next_request_at = clock_timestamp() + ${next.requestInMs} * interval '1 millisecond',
      due_at = least(
        (SELECT min(due_at) FROM newsroom.source WHERE source.domain = ${domain} AND state = 'active'),
        (SELECT ${toTimestamptz(next.pagesDueAt)}::timestamptz FROM newsroom.entry
          WHERE page_domain = ${domain} LIMIT 1))
    WHERE name = ${domain}`.execute(database);
}
