import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { audit, organizations } from '../../identity/index.ts';
import type { credentials } from '../../identity/index.ts';
import { raisePermissionVersion } from '../authorities/authority-store.ts';
import { readAuthorityBasis } from '../authorities/work-out-authority.ts';
import type { Actor, Caller } from '../callers/caller.ts';
import { unknownThing } from '../callers/enter-organization.ts';
import { callerOfToken } from '../callers/platform-surface.ts';
import { findTokenById } from '../platform-tokens/platform-token-store.ts';
import { isExpired } from '../platform-tokens/platform-token.ts';

export interface ChangeDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Who asks for a change, where, and from what address. */
export interface ChangeRequest {
  readonly caller: Caller;
  readonly platformKey: string;
  readonly client: credentials.Client;
}

export interface Change {
  readonly transaction: Database;
  /** With the authority of this moment, which lasts until the transaction ends. */
  readonly actor: Actor;
  readonly now: EpochMicroseconds;
}

type AuditEvent = Parameters<typeof audit.recordAuditEvent>[2];

/** Null as event: nothing was changed after all. */
export interface ChangeOutcome<Result> {
  readonly result: Result;
  readonly event: Pick<AuditEvent, 'kind' | 'detail'> | null;
}

/**
 * Everything that decides what may be done in an organization changes here, one change at a time: the lock on the
 * organization's row comes before the authority of whoever asks is read, and that authority, not one from a cache,
 * is what the change is held against.
 */
export async function changeOrganization<Result>(
  deps: ChangeDeps,
  request: ChangeRequest,
  work: (change: Change) => Promise<ChangeOutcome<Result>>,
): Promise<Result> {
  const now = deps.clock.now();
  return deps.database.transaction().execute(async (transaction) => {
    const before = await readAuthorityBasis(transaction, request.caller, { key: request.platformKey });
    if (before === null) throw unknownThing();
    const { id } = before.organization;
    await organizations.lockOrganization(transaction, id);
    const actor = await readActor(transaction, request.caller, id, now);
    const { result, event } = await work({ transaction, actor, now });
    if (event === null) return result;
    const version = await raisePermissionVersion(transaction, id);
    await audit.recordAuditEvent(transaction, deps.ids, {
      ...event,
      at: now,
      accountId: actor.caller.accountId,
      organizationId: id,
      client: request.client,
      detail: { ...event.detail, ...viaToken(actor.caller), version: Number(version) },
    });
    return result;
  });
}

/** Both the credential and the authority may be another than when the request came in. */
async function readActor(
  transaction: Database,
  caller: Caller,
  id: Actor['organization']['id'],
  now: EpochMicroseconds,
): Promise<Actor> {
  const { credential } = caller;
  let present: Caller | null = caller;
  if (credential.kind === 'api_token') {
    const token = await findTokenById(transaction, credential.tokenId);
    present = token === null || isExpired(token, now) ? null : callerOfToken(token);
  }
  const basis = present === null ? null : await readAuthorityBasis(transaction, present, { id });
  if (present === null || basis === null) throw unknownThing();
  return { caller: present, organization: basis.organization, authority: await basis.compile() };
}

function viaToken({ credential }: Caller): { readonly viaTokenId?: string } {
  return credential.kind === 'api_token' ? { viaTokenId: credential.tokenId } : {};
}
