import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../foundation/database/database.ts';
import { fromTimestamptz } from '../foundation/database/timestamptz.ts';
import type { Id, IdSource } from '../foundation/ids.ts';
import { lowestIdAt } from '../foundation/ids.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { isoMicroseconds } from '../foundation/instant.ts';
import { selectPage } from '../foundation/pagination/page-query.ts';
import type { PageRequest } from '../foundation/pagination/page-request.ts';
import type { AuditKind } from './audit-kind.ts';

export type AuditEventId = Id<'audit event'>;

/** Ids and reasons; never secrets. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>;

export interface AuditEvent {
  readonly kind: AuditKind;
  readonly at: EpochMicroseconds;
  /** The actor, if known. */
  readonly accountId: Id<'account'> | null;
  readonly organizationId?: Id<'organization'>;
  readonly client: { readonly address: string; readonly userAgent: string } | null;
  readonly detail?: AuditDetail;
}

/** Runs in the caller's transaction, so that the action and its event commit or roll back together. */
export async function recordAuditEvent(database: Database, ids: IdSource, event: AuditEvent): Promise<void> {
  await insertEvent(database, ids.next<'audit event'>(), event);
}

/** An event that a restored database has lost, with the id that it had. */
export async function restoreAuditEvent(
  database: Database,
  id: AuditEventId,
  event: Omit<AuditEvent, 'kind' | 'client'> & { readonly kind: Pick<AuditKind, 'name'> },
): Promise<void> {
  await insertEvent(database, id, { ...event, client: null });
}

async function insertEvent(
  database: Database,
  id: AuditEventId,
  event: Omit<AuditEvent, 'kind'> & { readonly kind: Pick<AuditKind, 'name'> },
): Promise<void> {
  await database
    .insertInto('audit.event')
    .values({
      id,
      at: isoMicroseconds(event.at),
      kind: event.kind.name,
      account_id: event.accountId,
      organization_id: event.organizationId ?? null,
      address: event.client?.address ?? null,
      user_agent: event.client?.userAgent ?? null,
      detail: JSON.stringify(event.detail ?? {}),
    })
    .execute();
}

/**
 * The same as part of a larger statement: inserts an event for each row of `found`, a common table expression of
 * that statement, whose `id` is the account's.
 */
export function auditEventOfFound(
  id: AuditEventId,
  { kind, at, organizationId, client, detail = {} }: Omit<AuditEvent, 'accountId'>,
): RawBuilder<unknown> {
  return sql`
    INSERT INTO audit.event (id, at, kind, account_id, organization_id, address, user_agent, detail)
    SELECT ${id}::uuid, ${isoMicroseconds(at)}::timestamptz, ${kind.name}, found.id, ${organizationId ?? null}::uuid,
      ${client?.address ?? null}, ${client?.userAgent ?? null}, ${JSON.stringify(detail)}::jsonb FROM found`;
}

export interface AuditRecord {
  readonly id: AuditEventId;
  readonly createdAt: EpochMicroseconds;
  readonly kind: string;
  readonly accountId: Id<'account'> | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly detail: unknown;
}

const columns = ['id', 'at', 'kind', 'account_id', 'address', 'user_agent', 'detail'] as const;

interface AuditRow {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly account_id: string | null;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly detail: unknown;
}

function recordOf(row: AuditRow): AuditRecord {
  return {
    id: row.id as AuditEventId,
    createdAt: fromTimestamptz(row.at),
    kind: row.kind,
    accountId: row.account_id as Id<'account'> | null,
    address: row.address,
    userAgent: row.user_agent,
    detail: row.detail,
  };
}

/** An account's own events, newest first: ids rise with time. `after` is the last id of the previous page. */
export async function readAccountEvents(
  database: Database,
  accountId: Id<'account'>,
  page: { readonly limit: number; readonly after?: string },
): Promise<readonly AuditRecord[]> {
  let query = database.selectFrom('audit.event').select(columns).where('account_id', '=', accountId);
  if (page.after !== undefined) query = query.where('id', '<', page.after);
  const rows = await query.orderBy('id', 'desc').limit(page.limit).execute();
  return rows.map(recordOf);
}

/** The client of the account's first event that names each of these ids. */
export async function findOrigins(
  database: Database,
  accountId: Id<'account'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<AuditRecord, 'address' | 'userAgent'>>> {
  const { rows } = await sql<{ id: string; address: string | null; user_agent: string | null }>`
    SELECT DISTINCT ON (named.value) named.value AS id, event.address, event.user_agent
    FROM audit.event AS event CROSS JOIN LATERAL jsonb_each_text(event.detail) AS named
    WHERE event.account_id = ${accountId} AND named.value = ANY (${ids})
    ORDER BY named.value, event.id`.execute(database);
  return new Map(rows.map((row) => [row.id, { address: row.address, userAgent: row.user_agent }]));
}

/** Filters the events of an organization; an absent field does not filter. */
export interface AuditFilter {
  readonly kind?: string;
  readonly accountId?: Id<'account'>;
  readonly from?: EpochMicroseconds;
  readonly before?: EpochMicroseconds;
}

function organizationEvents(
  database: Database,
  organizationId: Id<'organization'>,
  { kind, accountId, from, before }: AuditFilter,
) {
  let query = database
    .selectFrom('audit.event')
    .select(columns)
    .where('organization_id', '=', organizationId);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  if (from !== undefined) query = query.where('at', '>=', isoMicroseconds(from));
  if (before !== undefined) query = query.where('at', '<', isoMicroseconds(before));
  return query;
}

/** The events in an organization, by any actor. */
export async function listOrganizationEvents(
  database: Database,
  organizationId: Id<'organization'>,
  request: Omit<PageRequest<AuditEventId>, 'list'>,
  filter: AuditFilter = {},
): Promise<readonly AuditRecord[]> {
  const query = organizationEvents(database, organizationId, filter);
  const rows = await selectPage(query, request, { createdAt: 'at', id: 'id' }).execute();
  return rows.map(recordOf);
}

/** Counts up to `max`. */
export async function countOrganizationEvents(
  database: Database,
  organizationId: Id<'organization'>,
  filter: AuditFilter,
  max: number,
): Promise<number> {
  const { count } = await database
    .selectFrom(organizationEvents(database, organizationId, filter).limit(max).as('event'))
    .select((select) => select.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The kinds of the organization's events, by name. */
export async function listEventKinds(
  database: Database,
  organizationId: Id<'organization'>,
): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('audit.event')
    .select('kind')
    .distinct()
    .where('organization_id', '=', organizationId)
    .orderBy('kind')
    .execute();
  return rows.map(({ kind }) => kind);
}

export interface DatedEvent extends Omit<AuditRecord, 'address' | 'userAgent'> {
  readonly organizationId: Id<'organization'> | null;
}

/** All events of these kinds since that time, oldest first: ids are UUIDv7, so the primary key finds the first. */
export async function readEventsSince(
  database: Database,
  kinds: readonly string[],
  since: EpochMicroseconds,
): Promise<readonly DatedEvent[]> {
  const rows = await database
    .selectFrom('audit.event')
    .select(['id', 'at', 'kind', 'account_id', 'organization_id', 'detail'])
    .where('id', '>=', lowestIdAt(since))
    .where('kind', 'in', kinds)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id as AuditEventId,
    createdAt: fromTimestamptz(row.at),
    kind: row.kind,
    accountId: row.account_id as Id<'account'> | null,
    organizationId: row.organization_id as Id<'organization'> | null,
    detail: row.detail,
  }));
}

/** Of these events, those that the database does not contain, without those older than its oldest event. */
export async function findMissingEvents(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    SELECT given.id FROM unnest(${[...ids]}::uuid[]) AS given (id)
    WHERE NOT EXISTS (SELECT FROM audit.event WHERE event.id = given.id)
      AND given.id > coalesce((SELECT id FROM audit.event ORDER BY id LIMIT 1), '00000000-0000-0000-0000-000000000000')`.execute(
    database,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Deletes up to `rowsMax` events, oldest first, never from the last 30 days. Returns the number of deleted events. */
export async function removeExpiredEvents(
  database: Database,
  before: EpochMicroseconds,
  rowsMax: number,
): Promise<number> {
  const { rows } = await sql<{ removed: bigint | string }>`
    SELECT audit.remove_expired(${isoMicroseconds(before)}, ${rowsMax}) AS removed`.execute(database);
  return Number(rows[0]?.removed ?? 0);
}
