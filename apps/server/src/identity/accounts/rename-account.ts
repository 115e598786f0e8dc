import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { Client } from '../client.ts';
import { updateAccountName } from './account-store.ts';
import type { AccountId } from './account.ts';
import { nameFaultMessages, parseDisplayName } from './display-name.ts';

export const accountRenamed = defineAuditKind(
  'account_renamed',
  (word) => `You changed your name to “${word('name')}”.`,
);

/** Changes the public name; the username stays. Returns the name as stored. */
export async function renameAccount(
  { database, clock, ids }: { readonly database: Database; readonly clock: Clock; readonly ids: IdSource },
  request: { readonly accountId: AccountId; readonly name: string; readonly client: Client },
): Promise<string> {
  const { accountId, client } = request;
  const name = parseDisplayName(request.name);
  if (!name.ok) throw invalidField('name', nameFaultMessages[name.reason]);
  await database.transaction().execute(async (transaction) => {
    await updateAccountName(transaction, accountId, name.value);
    const event = { kind: accountRenamed, at: clock.now(), accountId, client, detail: { name: name.value } };
    await recordAuditEvent(transaction, ids, event);
  });
  return name.value;
}
