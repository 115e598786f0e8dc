import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

/** The effect of a decision on one item of the selected set; null means "not in it". */
export interface LedgerChange {
  readonly itemId: string;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
}

const modulus = 2n ** 256n;

/**
 * Assigns positions to the changes. Part of the last statement before commit: the head's row stays locked from here
 * on, so the next position is assigned only when this one is visible. Times never decrease with positions, even if a
 * clock is behind. `after` names a part of the statement that must run before.
 */
export function ledgerParts(
  changes: readonly LedgerChange[],
  now: EpochMicroseconds,
  after: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { size, hash } = setDelta(changes);
  return sql`
    head AS (
      UPDATE record.ledger_head SET
        position = position + ${changes.length},
        set_size = set_size + ${size},
        set_hash = mod(set_hash + ${hash.toString()}::numeric, ${modulus.toString()}::numeric),
        -- Before the first position it holds the time of the migration, which means nothing.
        changed_at = CASE WHEN position = 0 THEN ${toTimestamptz(now)}::timestamptz
          ELSE greatest(changed_at, ${toTimestamptz(now)}::timestamptz) END
      WHERE (SELECT count(*) FROM ${after}) >= 0
      RETURNING position, changed_at
    ), positioned AS (
      INSERT INTO record.ledger_entry (item_id, position, removed, changed_at)
      SELECT change.item_id, head.position - ${changes.length} + change.ordinal, change.removed, head.changed_at
      FROM head, unnest(
        ${changes.map(({ itemId }) => itemId)}::uuid[],
        ${changes.map((change) => change.after === null)}::boolean[])
        WITH ORDINALITY AS change (item_id, removed, ordinal)
      ON CONFLICT (item_id) DO UPDATE
        SET position = excluded.position, removed = excluded.removed, changed_at = excluded.changed_at
    )`;
}

/** A restored database may have lost positions that it assigned: older cursors require a new snapshot. */
export async function startNewEpoch(database: Database): Promise<string> {
  const { rows } = await sql<{ epoch: string }>`
    UPDATE record.ledger_head SET epoch = gen_random_uuid() RETURNING epoch`.execute(database);
  const [head] = rows;
  if (head === undefined) throw new Error('the ledger has no head');
  return head.epoch;
}

/** Several decisions of one transaction may change an item; the ledger contains their net effect once. */
export function combineLedgerChanges(changes: readonly LedgerChange[]): readonly LedgerChange[] {
  const combined = new Map<string, LedgerChange>();
  for (const change of changes) {
    const { before } = combined.get(change.itemId) ?? change;
    // The latest change determines the order.
    combined.delete(change.itemId);
    combined.set(change.itemId, { ...change, before });
  }
  return [...combined.values()].filter(({ before, after }) => before !== null || after !== null);
}

export function setDelta(changes: readonly LedgerChange[]): { readonly size: number; readonly hash: bigint } {
  let size = 0;
  let hash = 0n;
  for (const { before, after } of changes) {
    size += (after === null ? 0 : 1) - (before === null ? 0 : 1);
    hash += numberOf(after) - numberOf(before);
  }
  return { size, hash: BigInt.asUintN(256, hash) };
}

function numberOf(digest: Buffer | null): bigint {
  return digest === null ? 0n : BigInt(`0x${digest.toString('hex')}`);
}
