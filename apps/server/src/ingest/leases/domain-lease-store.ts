import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

/** The right to ask one registrable domain. Leases and the space between requests are in real time. */
export interface DomainLease {
  readonly domain: string;
  /** Of this lease alone: whoever takes the domain over has another. */
  readonly holder: string;
}

/** Makes the domain known, and due no later than this. Locks its row until the transaction ends. */
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

/** Claims domains with something due whose turn it is, those that have waited longest first. Locked rows stay where they are, so their place stands for them. */
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

/** For one domain, due or not: where a redirect leads, or what a person asks for. How long to wait; null if it is taken. */
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

/** False: it ran out, and somebody else may ask the domain now. */
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
 * Until the transaction ends; for one that gives the domain back. False: somebody else has had it since. One that merely ran
 * out is still the holder's, because nobody can claim it while its row is locked.
 */
export async function lockLease(database: Database, { domain, holder }: DomainLease): Promise<boolean> {
  const { rows } = await sql`${preparedAs('lock-lease')}
    SELECT FROM newsroom.domain WHERE name = ${domain} AND lease_holder = ${holder} FOR UPDATE`.execute(
    database,
  );
  return rows.length === 1;
}

/** When a domain that is given back may be asked, and when its pages are due. */
export interface NextTurn {
  readonly requestInMs: number;
  readonly pagesDueAt: EpochMicroseconds;
}

/**
 * Gives the domain back, with the time of its next source or page and of its next request. The row is locked before sources
 * are read, so that one that is added at the same moment is not overlooked.
 */
export async function releaseDomain(database: Database, lease: DomainLease, next: NextTurn): Promise<void> {
  if (await lockLease(database, lease)) await releaseLockedDomain(database, lease, next);
}

/** The same for whoever has locked its row in this transaction. */
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
