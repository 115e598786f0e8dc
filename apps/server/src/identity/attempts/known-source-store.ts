import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { AccountId } from '../accounts/account.ts';

interface KnownSource {
  readonly accountId: AccountId;
  readonly source: Buffer;
  readonly signedInAt: EpochMicroseconds;
}

/** Part of a statement: for each account in its common table expression `found`. No effect if the source is null. */
export function upsertingKnownSource(
  source: Buffer | null,
  signedInAt: EpochMicroseconds,
): RawBuilder<unknown> {
  return sql`
    INSERT INTO identity.known_source AS known (account_id, source, signed_in_at)
    SELECT found.id, ${source}::bytea, ${isoMicroseconds(signedInAt)}::timestamptz FROM found
    WHERE ${source}::bytea IS NOT NULL
    ON CONFLICT (account_id, source) DO UPDATE SET signed_in_at = greatest(known.signed_in_at, excluded.signed_in_at)`;
}

export async function upsertKnownSource(
  database: Database,
  { accountId, source, signedInAt }: KnownSource,
): Promise<void> {
  await sql`
    WITH found AS (SELECT ${accountId}::uuid AS id) ${upsertingKnownSource(source, signedInAt)}`.execute(
    database,
  );
}

/** Whether the account had a sign-in since then, and none from these sources. */
export async function isSourceNew(
  database: Database,
  {
    accountId,
    sources,
    since,
  }: {
    readonly accountId: AccountId;
    readonly sources: readonly Buffer[];
    readonly since: EpochMicroseconds;
  },
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    SELECT count(*) > 0 AND bool_and(source <> ALL(${sources}::bytea[])) AS "isNew"
    FROM identity.known_source
    WHERE account_id = ${accountId} AND signed_in_at > ${isoMicroseconds(since)}::timestamptz`.execute(
    database,
  );
  return rows[0]?.isNew === true;
}

/** For every account with this source. */
export async function replaceKnownSource(
  database: Database,
  replaced: Buffer,
  source: Buffer,
): Promise<void> {
  await database
    .updateTable('identity.known_source')
    .set({ source })
    .where('source', '=', replaced)
    .execute();
}

export async function deleteKnownSources(database: Database, accountId: AccountId): Promise<void> {
  await database.deleteFrom('identity.known_source').where('account_id', '=', accountId).execute();
}
