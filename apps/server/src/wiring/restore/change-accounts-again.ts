import { randomBytes } from 'node:crypto';

import {
  revokingEvents as ofAccess,
  removeMemberAgain,
  suspendOrganizationAgain,
} from '../../access/wiring.ts';
import type { AuditEventId } from '../../audit/index.ts';
import { findMissingEvents, restoreAuditEvent } from '../../audit/wiring.ts';
import type { Id } from '../../foundation/ids.ts';
import { createIdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { parseIsoDatetime } from '../../foundation/instant.ts';
import type { SecretBox } from '../../foundation/secret-box.ts';
import type { ChangedSince } from '../../identity/wiring.ts';
import {
  closeRestoredAccount,
  requestDeletionAgain,
  revokingEvents as ofIdentity,
} from '../../identity/wiring.ts';
import { revokingEvents as ofStorage } from '../../storage/wiring.ts';
import { credentialKinds } from '../credential-kinds.ts';
import type { ApplyDeps } from './apply-revocations.ts';
import { addressPurpose } from './read-revocations.ts';
import type { RevokingAuditEvent } from './revocation.ts';

export interface AccountsChangedAgain {
  /** Accounts whose sign-in methods ended. */
  readonly closed: number;
  /** Requests to delete an account or organization. */
  readonly deletions: number;
  readonly removedMembers: number;
  /** What an operator or owner has to decide, in sentences. */
  readonly review: readonly string[];
}

/**
 * Applies the events that the restored audit log does not contain, and then adds them to it, so that a second run
 * finds none.
 */
export async function changeAccountsAgain(
  deps: ApplyDeps & { readonly secretBox: SecretBox | null },
  given: readonly RevokingAuditEvent[],
): Promise<AccountsChangedAgain> {
  const missing = await findMissingEvents(
    deps.database,
    given.map(({ id }) => id),
  );
  const events = given.filter(({ id }) => missing.has(id));
  const changes = { ...deps, ids: createIdSource({ clock: deps.clock, randomBytes }), credentialKinds };
  const review: string[] = [];
  const closed = await closeAccounts(changes, events, review);
  const removedMembers = await removeMembers(changes, events, review);
  const deletions = await requestDeletions(changes, events);
  review.push(...permissionsToReview(events));
  for (const { id, at, event, accountId, organizationId, memberId } of events)
    await restoreAuditEvent(deps.database, id as AuditEventId, {
      kind: { name: event },
      at: instantOf(at),
      accountId,
      ...(organizationId !== null && { organizationId }),
      ...(memberId !== null && { detail: { memberId } }),
    });
  return { closed, deletions, removedMembers, review };
}

type Changes = ApplyDeps &
  Parameters<typeof closeRestoredAccount>[0] & { readonly secretBox: SecretBox | null };

async function closeAccounts(
  deps: Changes,
  events: readonly RevokingAuditEvent[],
  review: string[],
): Promise<number> {
  const ending = new Set(['sign_in_changed', 'email_changed', 'second_factor_off']);
  const byAccount = Map.groupBy(
    events.filter(({ event }) => ending.has(ofIdentity.get(event) ?? '')),
    ({ accountId }) => accountId,
  );
  let closed = 0;
  for (const [accountId, changed] of byAccount) {
    if (accountId === null) continue;
    const { since, unreadable } = summarize(deps.secretBox, accountId, changed);
    const closing = await closeRestoredAccount(deps, since);
    if (closing !== 'unknown') closed += 1;
    if (closing === 'address_taken')
      review.push(`account ${accountId}: another account of the backup has its newer e-mail address`);
    if (unreadable && closing !== 'unknown')
      review.push(`account ${accountId}: no configured key decrypts its newer e-mail address`);
  }
  return closed;
}

/** In the order of the events: the last address counts. */
function summarize(
  box: SecretBox | null,
  accountId: Id<'account'>,
  events: readonly RevokingAuditEvent[],
): { readonly since: ChangedSince; readonly unreadable: boolean } {
  const sealed = events.findLast(({ address }) => address !== null)?.address ?? null;
  let email: string | null = null;
  try {
    if (sealed !== null && box !== null)
      email = box.open(Buffer.from(sealed, 'base64'), addressPurpose(accountId)).toString();
  } catch {
    // Reported below.
  }
  const secondFactorOff = events.some(({ event }) => ofIdentity.get(event) === 'second_factor_off');
  return { since: { accountId, email, secondFactorOff }, unreadable: sealed !== null && email === null };
}

async function removeMembers(
  deps: Changes,
  events: readonly RevokingAuditEvent[],
  review: string[],
): Promise<number> {
  let removed = 0;
  for (const { event, organizationId, memberId } of events) {
    if (ofAccess.get(event) !== 'member_left' || organizationId === null || memberId === null) continue;
    const result = await removeMemberAgain(deps, { organizationId, accountId: memberId });
    if (result === 'removed') removed += 1;
    if (result === 'last_owner')
      review.push(
        `organization ${organizationId}: account ${memberId} left, but is its last owner in the backup`,
      );
  }
  return removed;
}

async function requestDeletions(deps: Changes, events: readonly RevokingAuditEvent[]): Promise<number> {
  let requested = 0;
  const accounts = latest(events, ({ accountId }) => accountId, ofIdentity);
  for (const [accountId, { meaning, at }] of accounts)
    if (meaning === 'deletion_requested')
      requested += (await requestDeletionAgain(deps.database, accountId, at)) ? 1 : 0;
  const organizations = latest(events, ({ organizationId }) => organizationId, ofAccess);
  for (const [organizationId, { meaning, at, actor }] of organizations)
    if (meaning === 'organization_deletion_requested' && actor !== null)
      requested += (await suspendOrganizationAgain(deps, { organizationId, requestedBy: actor }, at)) ? 1 : 0;
  return requested;
}

interface LatestDeletion {
  readonly meaning: string;
  readonly at: EpochMicroseconds;
  readonly actor: Id<'account'> | null;
}

/** The last request or cancellation of each account or organization. */
function latest<Kind extends string>(
  events: readonly RevokingAuditEvent[],
  subjectOf: (event: RevokingAuditEvent) => Id<Kind> | null,
  meanings: ReadonlyMap<string, string>,
): ReadonlyMap<Id<Kind>, LatestDeletion> {
  const found = new Map<Id<Kind>, LatestDeletion>();
  for (const event of events) {
    const [subject, meaning] = [subjectOf(event), meanings.get(event.event) ?? ''];
    if (subject !== null && meaning.includes('deletion'))
      found.set(subject, { meaning, at: instantOf(event.at), actor: event.accountId });
  }
  return found;
}

/** A line for each organization and kind of change. */
function permissionsToReview(events: readonly RevokingAuditEvent[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { event, organizationId } of events)
    if ((ofAccess.get(event) ?? ofStorage.get(event)) === 'review') {
      const name = `organization ${organizationId}: ${event.replaceAll('_', ' ')}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  return [...counts].map(([name, count]) => `${name}, ${count} times since the backup`);
}

function instantOf(at: string): EpochMicroseconds {
  const parsed = parseIsoDatetime(at);
  if (!parsed.ok) throw new Error(`${at} is not a time`);
  return parsed.value;
}
