import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { tailPieceBytes } from '../bucket/bucket.ts';
import { saveHash } from '../files/version-store.ts';
import { lockUpload } from './upload-store.ts';
import type { Upload, UploadId } from './upload.ts';

/** A writer: writers with an older number are refused. */
export interface HeldUpload {
  readonly id: UploadId;
  readonly fence: bigint;
}

export type TakenUpload =
  | { readonly taken: false; readonly upload: Upload | null }
  | {
      readonly taken: true;
      readonly upload: Upload;
      readonly held: HeldUpload;
      /** The previous writer has not released it, and may still be writing. */
      readonly isTakenOver: boolean;
    };

/** In a transaction. Refused if another writer has it, and if it no longer waits for bytes. */
export async function takeUpload(transaction: Database, id: UploadId, leaseMs: number): Promise<TakenUpload> {
  const upload = await lockUpload(transaction, id);
  if (upload?.state !== 'open') return { taken: false, upload };
  const { rows } = await sql<{ fence: bigint; was_held: boolean }>`
    WITH before AS (SELECT leased_until FROM storage.upload WHERE id = ${id})
    UPDATE storage.upload SET fence = fence + 1, leased_until = ${leaseEnd(leaseMs)}
    WHERE id = ${id} AND (leased_until IS NULL OR leased_until < clock_timestamp())
    RETURNING fence, (SELECT leased_until FROM before) IS NOT NULL AS was_held`.execute(transaction);
  const [row] = rows;
  if (row === undefined) return { taken: false, upload };
  return { taken: true, upload, held: { id, fence: row.fence }, isTakenOver: row.was_held };
}

function leaseEnd(leaseMs: number) {
  return sql<string>`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;
}

/** The row, while this writer still has the lease. */
function ownUpload(database: Database, { id, fence }: HeldUpload) {
  return database
    .updateTable('storage.upload')
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', '=', 'open');
}

/** False if another writer has taken it, or it no longer waits for bytes. */
export async function renewUpload(database: Database, held: HeldUpload, leaseMs: number): Promise<boolean> {
  const { numUpdatedRows } = await ownUpload(database, held)
    .set({ leased_until: leaseEnd(leaseMs) })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function releaseUpload(database: Database, held: HeldUpload): Promise<void> {
  await ownUpload(database, held).set({ leased_until: null }).execute();
}

export async function saveStagedName(database: Database, held: HeldUpload, name: string): Promise<boolean> {
  const { numUpdatedRows } = await ownUpload(database, held)
    .set({ staged_name: name })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** In a transaction. The bucket has this many bytes; with the last of them the upload becomes `completing`. */
export async function saveStored(
  transaction: Database,
  held: HeldUpload,
  upload: Upload,
  stored: { readonly size: number; readonly tag: string | null; readonly sha256: Buffer | null },
): Promise<boolean> {
  const { size, tag, sha256 } = stored;
  const { numUpdatedRows } = await ownUpload(transaction, held)
    .set({
      received: BigInt(size),
      ...(tag !== null && { part_tags: sql<string[]>`part_tags || ${tag}::text` }),
      ...(size === upload.size && { state: 'completing', leased_until: null }),
    })
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await transaction.deleteFrom('storage.upload_tail').where('upload_id', '=', held.id).execute();
  if (sha256 !== null) await saveHash(transaction, upload.projectId, upload.blobKey, sha256);
  return true;
}

/** In a transaction. Appends bytes to one numbered piece, whose boundary they do not cross. */
export async function saveTail(
  transaction: Database,
  held: HeldUpload,
  tail: { readonly size: number; readonly bytes: Buffer },
): Promise<boolean> {
  const { numUpdatedRows } = await ownUpload(transaction, held)
    .set({ received: BigInt(tail.size) })
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  const number = Math.floor((tail.size - tail.bytes.length) / tailPieceBytes);
  await transaction
    .insertInto('storage.upload_tail')
    .values({ upload_id: held.id, number, bytes: tail.bytes })
    .onConflict((conflict) =>
      conflict
        .columns(['upload_id', 'number'])
        .doUpdateSet({ bytes: sql<Buffer>`upload_tail.bytes || excluded.bytes` }),
    )
    .execute();
  return true;
}

/** One piece at a time. */
export async function* readTail(database: Database, id: UploadId): AsyncGenerator<Buffer> {
  let after = -1;
  for (;;) {
    const piece = await database
      .selectFrom('storage.upload_tail')
      .select(['number', 'bytes'])
      .where('upload_id', '=', id)
      .where('number', '>', after)
      .orderBy('number')
      .limit(1)
      .executeTakeFirst();
    if (piece === undefined) return;
    yield piece.bytes;
    after = piece.number;
  }
}
