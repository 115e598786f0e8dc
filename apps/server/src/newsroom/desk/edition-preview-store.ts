import type { Transaction } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { editions } from '../../record/index.ts';

/** Deletes the expired ones of all drafts. */
export async function insertPreview(
  transaction: Transaction<DB>,
  { kind, period }: editions.EditionKey,
  {
    token,
    now,
    expiresAt,
  }: { readonly token: string; readonly now: EpochMicroseconds; readonly expiresAt: EpochMicroseconds },
): Promise<void> {
  await transaction
    .deleteFrom('newsroom.edition_preview')
    .where('expires_at', '<=', toTimestamptz(now))
    .execute();
  await transaction
    .insertInto('newsroom.edition_preview')
    .values({ token_hash: sha256Bytes(token), kind, period, expires_at: toTimestamptz(expiresAt) })
    .execute();
}

/** Returns how many there were. */
export async function deletePreviews(
  transaction: Transaction<DB>,
  { kind, period }: editions.EditionKey,
): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('newsroom.edition_preview')
    .where('kind', '=', kind)
    .where('period', '=', period)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Null if the address is unknown, expired or ended. */
export async function readPreview(
  database: Database,
  token: string,
  now: EpochMicroseconds,
): Promise<editions.EditionKey | null> {
  const row = await database
    .selectFrom('newsroom.edition_preview')
    .select(['kind', 'period'])
    .where('token_hash', '=', sha256Bytes(token))
    .where('expires_at', '>', toTimestamptz(now))
    .executeTakeFirst();
  return row === undefined ? null : { kind: row.kind as editions.EditionKind, period: row.period };
}
