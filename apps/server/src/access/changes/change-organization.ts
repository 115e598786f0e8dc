import type { Transaction } from 'kysely';

import type { AuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { accounts, organizations } from '../../identity/index.ts';
import type { credentials } from '../../identity/index.ts';
import { raisePermissionVersion } from '../authorities/authority-store.ts';
import { readActingActor } from '../authorities/read-present-actor.ts';
import { readAuthorityBasis } from '../authorities/work-out-authority.ts';
import { notFoundOrHidden } from '../callers/authorize-organization.ts';
import type { OrganizationActor, Caller } from '../credentials/caller.ts';
import { endVoidInvitations } from './invitation-sender.ts';
import { recordActorEvent } from './record-actor-event.ts';

export interface ChangeDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** In the transaction of a change, after it. */
  readonly permissionsChanged?: (change: Change) => Promise<void>;
}

/** The caller of a change, the organization and the client. */
export interface ChangeRequest {
  readonly caller: Caller;
  readonly platformKey: string;
  readonly client: credentials.Client;
}

export interface Change {
  readonly transaction: Transaction<DB>;
  /** With the current authority, which is valid until the transaction ends. */
  readonly actor: OrganizationActor;
  readonly now: EpochMicroseconds;
}

export type ChangeEvent = Pick<AuditEvent, 'kind' | 'detail'>;

/** Null as event: nothing was changed. */
export interface ChangeOutcome<Result> {
  readonly result: Result;
  readonly event: ChangeEvent | null;
  /** Related changes. */
  readonly furtherEvents?: readonly ChangeEvent[];
}

/**
 * All permissions in an organization change here, one change at a time: the organization's row is locked before
 * the authority of the caller is read, and the change is checked against that authority, not against a cached one. A
 * session or key that ended since the request arrived changes nothing.
 */
export async function changeOrganization<Result>(
  deps: ChangeDeps,
  request: ChangeRequest,
  work: (change: Change) => Promise<ChangeOutcome<Result>>,
): Promise<Result> {
  const now = deps.clock.now();
  return deps.database.transaction().execute(async (transaction) => {
    const before = await readAuthorityBasis(transaction, request.caller, { key: request.platformKey });
    if (before === null) throw notFoundOrHidden();
    const { id } = before.organization;
    await organizations.lockOrganization(transaction, id);
    const { accountId, credential } = request.caller;
    // The recovery of an account locks its organizations; a superuser also changes others.
    if (credential.kind === 'session' && before.lastSeenAt === undefined)
      await accounts.lockAccount(transaction, accountId);
    const actor = await readActingActor(transaction, request.caller, id, now);
    if (actor === null) throw notFoundOrHidden();
    const { result, event, furtherEvents = [] } = await work({ transaction, actor, now });
    if (event === null) return result;
    await deps.permissionsChanged?.({ transaction, actor, now });
    const version = Number(await raisePermissionVersion(transaction, id));
    const ended = await endVoidInvitations(transaction, id, now);
    const changed = ended === 0 ? event : { ...event, detail: { ...event.detail, invitationsEnded: ended } };
    const at = { at: now, client: request.client };
    for (const { kind, detail } of [changed, ...furtherEvents])
      await recordActorEvent(transaction, deps, actor, { ...at, kind, detail: { ...detail, version } });
    return result;
  });
}
