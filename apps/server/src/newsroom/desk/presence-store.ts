import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';

/** A page reports every 8 seconds while it has changes that are not sent. */
const presentFor = sql`interval '20 seconds'`;

export async function markEditing(
  database: Database,
  { subject, accountId }: { readonly subject: string; readonly accountId: string },
): Promise<void> {
  await sql`
    INSERT INTO newsroom.desk_presence (subject, account_id, seen_at) VALUES (${subject}, ${accountId}, now())
    ON CONFLICT (subject, account_id) DO UPDATE SET seen_at = now()`.execute(database);
}

export async function endEditing(
  database: Database,
  { subject, accountId }: { readonly subject: string; readonly accountId: string },
): Promise<void> {
  await sql`
    DELETE FROM newsroom.desk_presence WHERE subject = ${subject} AND account_id = ${accountId}`.execute(
    database,
  );
}

export interface Editing {
  readonly subject: string;
  readonly accountId: string;
  readonly name: string;
}

/** Of one subject, or of all; by name. */
export async function readEditing(
  database: Database,
  subject: string | null = null,
): Promise<readonly Editing[]> {
  const { rows } = await sql<Editing>`
    SELECT presence.subject, presence.account_id AS "accountId", account.name
    FROM newsroom.desk_presence AS presence JOIN identity.account ON account.id = presence.account_id
    WHERE presence.seen_at > now() - ${presentFor} AND (${subject}::text IS NULL OR presence.subject = ${subject})
    ORDER BY account.name, account.id`.execute(database);
  return rows;
}

export async function deleteOldPresence(transaction: Transaction<DB>): Promise<void> {
  await sql`DELETE FROM newsroom.desk_presence WHERE seen_at < now() - interval '1 hour'`.execute(
    transaction,
  );
}
