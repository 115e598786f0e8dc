import type { JournalAction, JournalSubject } from './journal.ts';
import type { QueueKind } from './queue-entry.ts';

/**
 * The place of an event: by transaction, because ids are given before the commit; then decisions before entries of the
 * queue, then by id. A place with the id 0 is before all events of its transaction.
 */
export interface EventPlace {
  readonly xid: bigint;
  readonly part: 0 | 1;
  readonly id: bigint;
}

/** What happened in the newsroom: a decision in the journal, or something new in the queue. */
export type DeskEvent = { readonly place: EventPlace } & (
  | { readonly name: 'decision'; readonly action: JournalAction; readonly subject: JournalSubject }
  | { readonly name: 'queue'; readonly kind: QueueKind; readonly id: string }
);

/** Where a client starts: after an event, or after everything that a page showed. */
export interface EventStart {
  readonly after: EventPlace;
  /** When that was. */
  readonly atMs: number;
  /** Whether the page showed what this transaction did. */
  readonly isShown: (xid: bigint) => boolean;
}

export function comparePlaces(one: EventPlace, other: EventPlace): number {
  const [a, b] = [
    [one.xid, BigInt(one.part), one.id],
    [other.xid, BigInt(other.part), other.id],
  ];
  const at = a.findIndex((value, index) => value !== b[index]);
  if (at === -1) return 0;
  return (a[at] ?? 0n) < (b[at] ?? 0n) ? -1 : 1;
}

/** As clients send it back: the time at which it was sent, then its place. */
export function eventId({ place }: DeskEvent, nowMs: number): string {
  return `${nowMs}.${place.xid}-${place.part}-${place.id}`;
}

/** What a page shows: the time, then the snapshot of the database that it was read from. */
export function startOf(nowMs: number, snapshot: string): string {
  return `${nowMs}.${snapshot}`;
}

export const startPattern =
  '^[0-9]{1,15}\\.([0-9]{1,19}-[01]-[0-9]{1,18}|[0-9]{1,19}:[0-9]{1,19}:[0-9,]{0,4000})$';

/** Null for text that is neither the id of an event nor the start of a page. */
export function readStart(text: string): EventStart | null {
  if (!new RegExp(startPattern, 'u').test(text)) return null;
  const dot = text.indexOf('.');
  const [time, place] = [text.slice(0, dot), text.slice(dot + 1)];
  const atMs = Number(time);
  if (!place.includes(':')) {
    const [xid = '', part = '', id = ''] = place.split('-');
    const after: EventPlace = { xid: BigInt(xid), part: part === '0' ? 0 : 1, id: BigInt(id) };
    return { after, atMs, isShown: () => false };
  }
  const [oldest = '0', next = '0', running = ''] = place.split(':');
  const open = new Set(running.split(',').map((one) => (one === '' ? null : BigInt(one))));
  const end = BigInt(next);
  return {
    after: { xid: BigInt(oldest), part: 0, id: 0n },
    atMs,
    isShown: (xid) => xid < end && !open.has(xid),
  };
}
