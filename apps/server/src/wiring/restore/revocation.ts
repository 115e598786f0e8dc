import type { Id } from '../../foundation/ids.ts';
import { parseId } from '../../foundation/ids.ts';
import { parseIsoDatetime } from '../../foundation/instant.ts';
import type { EntryKey } from '../../ingest/wiring.ts';
import { corrections } from '../../record/index.ts';

interface Dated {
  readonly id: string;
  readonly at: string;
}

/** An item that a restored database must not show. It contains no word of the item. */
export interface RevokedItem extends Dated {
  readonly kind: 'withdrawal';
  readonly itemId: Id<'item'>;
  readonly reason: string;
  /** What the lists of its sources name it by, so that a later poll does not publish it again. */
  readonly keys: readonly EntryKey[];
}

/** A subscription to reports by e-mail that ended. */
export interface RevokedSubscription extends Dated {
  readonly kind: 'subscription';
  readonly subscriptionId: Id<'subscription'>;
}

/** An event of the audit log, by its name, that ended a sign-in method, a membership or an account. */
export interface RevokingAuditEvent extends Dated {
  readonly kind: 'event';
  readonly event: string;
  /** The actor. */
  readonly accountId: Id<'account'> | null;
  /** The member that the actor removed. */
  readonly memberId: Id<'account'> | null;
  readonly organizationId: Id<'organization'> | null;
  /** The e-mail address of the account, encrypted with the secret key; null where the event does not change it. */
  readonly address: string | null;
}

/** A line of the file: what a restored database must apply again. */
export type Revocation = RevokedItem | RevokedSubscription | RevokingAuditEvent;

const keyForm = /^[0-9a-f]{64}$/;
const sourceIdForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Null: not a line that `exportRevocations` wrote. */
export function parseRevocation(line: string): Revocation | null {
  let value: Readonly<Record<string, unknown>>;
  try {
    value = JSON.parse(line) as typeof value;
  } catch {
    return null;
  }
  const { id, at, kind } = value;
  if (typeof id !== 'string' || typeof at !== 'string' || !parseIsoDatetime(at).ok) return null;
  if (kind === 'withdrawal') return parseItem({ id, at }, value);
  if (kind === 'subscription') {
    const subscriptionId = idOf<'subscription'>(value['subscriptionId']);
    return subscriptionId === null ? null : { id, at, kind, subscriptionId };
  }
  return kind === 'event' ? parseEvent({ id, at }, value) : null;
}

function parseItem(
  dated: Dated,
  { itemId, reason, keys }: Readonly<Record<string, unknown>>,
): RevokedItem | null {
  const item = idOf<'item'>(itemId);
  if (item === null || typeof reason !== 'string' || !corrections.isReason(reason)) return null;
  if (!Array.isArray(keys) || !keys.every(isEntryKey)) return null;
  return { ...dated, kind: 'withdrawal', itemId: item, reason, keys };
}

function parseEvent(
  dated: Dated,
  { event, accountId, memberId, organizationId, address }: Readonly<Record<string, unknown>>,
): RevokingAuditEvent | null {
  if (typeof event !== 'string') return null;
  return {
    ...dated,
    kind: 'event',
    event,
    accountId: idOf(accountId),
    memberId: idOf(memberId),
    organizationId: idOf(organizationId),
    address: typeof address === 'string' ? address : null,
  };
}

function idOf<Kind extends string>(value: unknown): Id<Kind> | null {
  const parsed = parseId<Kind>(String(value));
  return parsed.ok ? parsed.value : null;
}

function isEntryKey(value: unknown): value is EntryKey {
  if (typeof value !== 'object' || value === null) return false;
  const { sourceId, key } = value as Partial<Record<keyof EntryKey, unknown>>;
  return (
    typeof sourceId === 'string' &&
    sourceIdForm.test(sourceId) &&
    typeof key === 'string' &&
    keyForm.test(key)
  );
}
