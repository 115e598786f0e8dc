import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../foundation/database/database.ts';
import { fromTimestamptz } from '../foundation/database/timestamptz.ts';
import type { Id, IdSource } from '../foundation/ids.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { isoMicroseconds } from '../foundation/instant.ts';
import { selectPage } from '../foundation/pagination/page-query.ts';
import type { PageRequest } from '../foundation/pagination/page-request.ts';
import type { AuditKind } from './audit-kind.ts';

export type AuditEventId = Id<'audit event'>;

/** Ids and reasons; never a secret. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>;

export interface AuditEvent {
  readonly kind: AuditKind;
  readonly at: EpochMicroseconds;
  /** Who did it, where that is known. */
  readonly accountId: Id<'account'> | null;
  readonly organizationId?: Id<'organization'>;
  readonly client: { readonly address: string; readonly userAgent: string } | null;
  readonly detail?: AuditDetail;
}

/** Inside the caller's transaction, so that what happened and the note of it stand or fall together. */
export async function recordAuditEvent(database: Database, ids: IdSource, event: AuditEvent): Promise<void> {
  await database
    .insertInto('audit.event')
    .values({
      id: ids.next<'audit event'>(),
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
 * The same as part of a statement that writes other things too: an event for each row of `found`, a common table
 * expression of that statement, whose `id` is the account's.
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

/** An account's own events, newest first: ids rise with time. `after` is the id of the last one of the page before. */
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

/** Where the account did what first named each of these ids. */
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

/** Narrows the events of an organization; an absent field narrows nothing. */
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

/** What happened in an organization, whoever did it. */
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

/** Counts no further than `max`. */
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

/** The kinds that the organization has events of, by name. */
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

/** At most `rowsMax`, the oldest first; never one of the last 30 days, whatever is asked for. Answers how many went. */
export async function removeExpiredEvents(
  database: Database,
  before: EpochMicroseconds,
  rowsMax: number,
): Promise<number> {
  const { rows } = await sql<{ removed: bigint | string }>`
    SELECT audit.remove_expired(${isoMicroseconds(before)}, ${rowsMax}) AS removed`.execute(database);
  return Number(rows[0]?.removed ?? 0);
}
