import type { Transaction } from 'kysely';

import type { Clock } from '../../foundation/clock.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { MailRequest } from './mail-request-store.ts';
import { insertMailRequest } from './mail-request-store.ts';

export interface RequestMailDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Puts the mail into the outbox if the caller's transaction commits. */
export async function requestMail(
  transaction: Transaction<DB>,
  { clock, ids }: RequestMailDeps,
  mail: Omit<MailRequest, 'id'>,
): Promise<void> {
  await insertMailRequest(transaction, { ...mail, id: ids.next() }, clock.now());
}
