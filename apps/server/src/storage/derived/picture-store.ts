import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';

/**
 * In a transaction. The picture counts toward the quota of the organization, of which it leaves what only owners and
 * admins can use. Without space or without the content there is no picture.
 */
export async function savePicture(
  transaction: Database,
  {
    key,
    organizationId,
    picture,
  }: { readonly key: string; readonly organizationId: string; readonly picture: Buffer },
  { quotaBytes, usablePercent }: { readonly quotaBytes: number; readonly usablePercent: number },
): Promise<void> {
  const live = await sql`
    SELECT FROM storage.derived WHERE key = ${key} AND EXISTS (
      SELECT FROM storage.blob WHERE blob.key = derived.key AND blob.stored_at IS NOT NULL
        AND blob.condemned_at IS NULL AND blob.scan_state IN ('clean', 'unscanned')
    ) FOR UPDATE OF derived`.execute(transaction);
  const room = await sql`
    SELECT FROM storage.usage WHERE organization_id = ${organizationId}
      AND used_bytes + reserved_bytes + ${picture.length}::bigint
        <= coalesce(quota_bytes, ${quotaBytes}::bigint) * ${usablePercent}::integer / 100
    FOR UPDATE`.execute(transaction);
  if (live.rows.length === 0 || room.rows.length === 0) return;
  const saved = await transaction
    .insertInto('storage.content_picture')
    .values({ key, picture })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .execute();
  if (saved.length === 0) return;
  await sql`UPDATE storage.derived SET bytes = bytes + ${picture.length}::bigint WHERE key = ${key}`.execute(
    transaction,
  );
}

export async function findPicture(database: Database, key: string): Promise<Buffer | null> {
  const row = await database
    .selectFrom('storage.content_picture')
    .select('picture')
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.picture ?? null;
}

/** Which of these contents have one. */
export async function selectPictured(
  database: Database,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await database
    .selectFrom('storage.content_picture')
    .select('key')
    .where('key', 'in', [...keys])
    .execute();
  return new Set(rows.map(({ key }) => key));
}
