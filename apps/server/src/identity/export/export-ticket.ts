import { randomBytes } from 'node:crypto';

import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { addMs } from '../../foundation/instant.ts';
import type { SealDeps } from '../../foundation/sealed-value.ts';
import { openValue, sealValue } from '../../foundation/sealed-value.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { SessionId } from '../credentials/session.ts';
import { useChallenge } from '../passkeys/passkey-store.ts';
import type { ProvenRequest, ReauthenticateDeps } from '../step-up/reauthenticate.ts';
import { reauthenticate } from '../step-up/reauthenticate.ts';

export const accountExported = defineAuditKind(
  'account_exported',
  'You downloaded the data of your account.',
);

const ticketMs = 5 * 60_000;
const purpose = 'download of the data of an account';

interface Ticket {
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
  readonly nonce: string;
}

interface Downloader extends Pick<Ticket, 'accountId' | 'sessionId'> {
  readonly client: Client;
}

/** The download is a plain link, authorized by a ticket: valid for five minutes, once, in the session that requested it. */
export async function requestExport(
  deps: ReauthenticateDeps & SealDeps,
  request: ProvenRequest,
): Promise<string> {
  await reauthenticate(deps, 'export_account', request);
  const { accountId, sessionId } = request;
  const ticket: Ticket = { accountId, sessionId, nonce: randomBytes(16).toString('hex') };
  return sealValue(deps, purpose, ticket, ticketMs);
}

/** False if the ticket is for another session, was used, or has expired. */
export async function useExportTicket(
  deps: SealDeps & { readonly database: Database; readonly ids: IdSource },
  sealed: string,
  { accountId, sessionId, client }: Downloader,
): Promise<boolean> {
  const ticket = openValue<Ticket>(deps, purpose, sealed);
  if (ticket === null || ticket.accountId !== accountId || ticket.sessionId !== sessionId) return false;
  const at = deps.clock.now();
  return deps.database.transaction().execute(async (transaction) => {
    // The hash of the nonce: a sealed value has more than one encoding.
    const mark = sha256Bytes(`${purpose}: ${ticket.nonce}`);
    if (!(await useChallenge(transaction, mark, addMs(at, ticketMs)))) return false;
    await recordAuditEvent(transaction, deps.ids, { kind: accountExported, at, accountId, client });
    return true;
  });
}
