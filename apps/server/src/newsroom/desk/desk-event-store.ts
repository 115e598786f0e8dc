import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { DeskEvent, EventPlace } from './desk-event.ts';
import { startOf } from './desk-event.ts';
import type { JournalAction, JournalSubject } from './journal.ts';
import type { QueueKind } from './queue-entry.ts';

/** What a page that is read from now on shows. */
export async function readPresentStart(database: Database, nowMs: number): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`
    SELECT pg_current_snapshot()::text AS snapshot`.execute(database);
  return startOf(nowMs, rows[0]?.snapshot ?? '');
}

export interface EventPage {
  readonly events: readonly DeskEvent[];
  /** All events up to here are in this page or before it. */
  readonly place: EventPlace;
  readonly isLast: boolean;
  /** The oldest transaction that runs. */
  readonly horizon: bigint;
}

interface EventRow {
  readonly horizon: string;
  readonly xid: string | null;
  readonly part: 0 | 1;
  readonly id: string;
  readonly name: string;
  readonly kind: JournalSubject['kind'] | null;
  readonly subject: string;
}

/**
 * The events after a place, in their order. Those of transactions since the oldest running one are left out: another
 * event could still get a place before them.
 */
export async function readEvents(
  database: Database,
  { xid, part, id }: EventPlace,
  countMax: number,
): Promise<EventPage> {
  const after = sql`(${String(xid)}::xid8, ${part}::int, ${String(id)}::bigint)`;
  const { rows } = await sql<EventRow>`
    WITH present AS (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon)
    SELECT present.horizon::text, event.xid::text, event.part, event.id::text,
      event.name, event.kind, event.subject
    FROM present LEFT JOIN LATERAL (
      (SELECT entry.xid, 0 AS part, entry.id, entry.action AS name, entry.subject_kind AS kind, entry.subject
        FROM newsroom.journal_entry AS entry
        WHERE entry.xid >= ${String(xid)}::xid8 AND entry.xid < present.horizon AND (entry.xid, 0, entry.id) > ${after}
        ORDER BY entry.xid, entry.id LIMIT ${countMax})
      UNION ALL
      (SELECT queued.xid, 1, queued.id, queued.kind, NULL, queued.subject
        FROM newsroom.queue_event AS queued
        WHERE queued.xid >= ${String(xid)}::xid8 AND queued.xid < present.horizon
          AND (queued.xid, 1, queued.id) > ${after}
        ORDER BY queued.xid, queued.id LIMIT ${countMax})
      ORDER BY 1, 2, 3 LIMIT ${countMax}) AS event ON true
    ORDER BY event.xid, event.part, event.id`.execute(database);
  const events = rows.flatMap((row) => (row.xid === null ? [] : [eventOf({ ...row, xid: row.xid })]));
  const last = events.at(-1);
  const isLast = last === undefined || events.length < countMax;
  const horizon = BigInt(rows[0]?.horizon ?? 0);
  return { events, place: isLast ? { xid: horizon, part: 0, id: 0n } : last.place, isLast, horizon };
}

function eventOf(row: EventRow & { readonly xid: string }): DeskEvent {
  const { part, subject } = row;
  const event = { place: { xid: BigInt(row.xid), part, id: BigInt(row.id) } };
  if (row.kind === null) return { ...event, name: 'queue', kind: row.name as QueueKind, id: subject };
  const action = row.name as JournalAction;
  return { ...event, name: 'decision', action, subject: { kind: row.kind, id: subject } };
}

/** Pages that were closed for longer are loaded again. */
export async function deleteOldQueueEvents(transaction: Transaction<DB>): Promise<void> {
  await sql`DELETE FROM newsroom.queue_event WHERE at < now() - interval '2 days'`.execute(transaction);
}
