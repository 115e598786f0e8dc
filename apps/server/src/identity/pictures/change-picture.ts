import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { lockAccount } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import { pictureFaultMessages, readPicture } from './picture-format.ts';
import { deletePicture, insertPicture } from './picture-store.ts';

export const pictureChanged = defineAuditKind('picture_changed', 'You changed your picture.');
export const pictureRemoved = defineAuditKind('picture_removed', 'You removed your picture.');

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
}

interface PictureRequest {
  readonly accountId: AccountId;
  readonly client: Client;
}

/** Replaces the previous picture. Data that does not draw the picture is not stored. */
export async function changePicture(
  { database, clock, ids }: Deps,
  { accountId, client, file }: PictureRequest & { readonly file: Buffer },
): Promise<void> {
  const picture = readPicture(file);
  if (!picture.ok) throw invalidField('picture', pictureFaultMessages[picture.reason]);
  const now = clock.now();
  await database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, accountId);
    await deletePicture(transaction, accountId);
    await insertPicture(transaction, accountId, { ...picture.value, id: ids.next(), createdAt: now });
    await recordAuditEvent(transaction, ids, { kind: pictureChanged, at: now, accountId, client });
  });
}

/** Does nothing if the account has no picture. */
export async function removePicture(
  { database, clock, ids }: Deps,
  { accountId, client }: PictureRequest,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    if (!(await deletePicture(transaction, accountId))) return;
    const event = { kind: pictureRemoved, at: clock.now(), accountId, client };
    await recordAuditEvent(transaction, ids, event);
  });
}
