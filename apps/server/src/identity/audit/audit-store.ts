import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { isoMicroseconds, isoMilliseconds, storedInstant } from '../../foundation/instant.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AuditEvent } from './audit-event.ts';

/** Inside the caller's transaction, so that what happened and the note of it stand or fall together. */
export async function recordAuditEvent(database: Database, ids: IdSource, event: AuditEvent): Promise<void> {
  await database
    .insertInto('identity.audit_event')
    .values({
      id: ids.next<'audit event'>(),
      at: isoMicroseconds(event.at),
      kind: event.kind,
      account_id: event.accountId,
      organization_id: event.organizationId ?? null,
      address: event.client?.address ?? null,
      user_agent: event.client?.userAgent ?? null,
      detail: JSON.stringify(event.detail ?? {}),
    })
    .execute();
}

export interface AuditRecord {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly detail: unknown;
}

export interface AuditPage {
  readonly limit: number;
  /** The id of the last record of the page before. */
  readonly after?: string;
}

/** An account's own events, newest first: ids rise with time. */
export async function readAuditLog(
  database: Database,
  accountId: AccountId,
  page: AuditPage,
): Promise<readonly AuditRecord[]> {
  let query = database
    .selectFrom('identity.audit_event')
    .select(['id', 'at', 'kind', 'address', 'user_agent', 'detail'])
    .where('account_id', '=', accountId);
  if (page.after !== undefined) query = query.where('id', '<', page.after);
  const rows = await query.orderBy('id', 'desc').limit(page.limit).execute();
  return rows.map((row) => ({
    id: row.id,
    at: isoMilliseconds(storedInstant(row.at)),
    kind: row.kind,
    address: row.address,
    userAgent: row.user_agent,
    detail: row.detail,
  }));
}
