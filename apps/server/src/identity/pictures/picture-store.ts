import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Picture, PictureMediaType } from './picture-format.ts';

/** New for every picture: the bytes of an id never change. */
export type PictureId = Id<'picture'>;

export interface StoredPicture extends Picture {
  readonly id: PictureId;
  readonly createdAt: EpochMicroseconds;
}

export async function findPictureId(database: Database, accountId: AccountId): Promise<PictureId | null> {
  const row = await database
    .selectFrom('identity.account_picture')
    .select('id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row === undefined ? null : (row.id as PictureId);
}

function pictures(database: Database) {
  return database
    .selectFrom('identity.account_picture as picture')
    .select(['picture.id', 'media_type', 'width', 'height', 'content', 'picture.created_at']);
}

type PictureRow = Awaited<ReturnType<ReturnType<typeof pictures>['executeTakeFirstOrThrow']>>;

function pictureOf(row: PictureRow): StoredPicture {
  return {
    id: row.id as PictureId,
    mediaType: row.media_type as PictureMediaType,
    width: row.width,
    height: row.height,
    bytes: row.content,
    createdAt: fromTimestamptz(row.created_at),
  };
}

export async function findPictureOf(database: Database, accountId: AccountId): Promise<StoredPicture | null> {
  const row = await pictures(database).where('account_id', '=', accountId).executeTakeFirst();
  return row === undefined ? null : pictureOf(row);
}

/** For current members of an organization of its owner; null for everyone else. */
export async function findPictureSeenBy(
  database: Database,
  viewerId: AccountId,
  id: string,
): Promise<StoredPicture | null> {
  const row = await pictures(database)
    .where('picture.id', '=', id)
    .where((where) =>
      where.exists(
        where
          .selectFrom('identity.organization_membership as owner')
          .innerJoin(
            'identity.organization_membership as viewer',
            'viewer.organization_id',
            'owner.organization_id',
          )
          .select('owner.organization_id')
          .whereRef('owner.account_id', '=', 'picture.account_id')
          .where('viewer.account_id', '=', viewerId),
      ),
    )
    .executeTakeFirst();
  return row === undefined ? null : pictureOf(row);
}

export async function insertPicture(
  database: Database,
  accountId: AccountId,
  picture: StoredPicture,
): Promise<void> {
  await database
    .insertInto('identity.account_picture')
    .values({
      account_id: accountId,
      id: picture.id,
      media_type: picture.mediaType,
      width: picture.width,
      height: picture.height,
      content: picture.bytes,
      created_at: isoMicroseconds(picture.createdAt),
    })
    .execute();
}

/** False if the account had no picture. */
export async function deletePicture(database: Database, accountId: AccountId): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('identity.account_picture')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
