import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

/** A withdrawal of an item, without any of its words. */
export interface Withdrawal {
  readonly id: Id<'correction'>;
  readonly at: EpochMicroseconds;
  readonly itemId: Id<'item'>;
  readonly reason: string;
}

/** All since that time, oldest first. */
export async function readWithdrawals(
  database: Database,
  since: EpochMicroseconds,
): Promise<readonly Withdrawal[]> {
  const rows = await database
    .selectFrom('record.correction')
    .select(['id', 'at', 'subject', 'reason'])
    .where('action', '=', 'withdrawn')
    .where('subject_kind', '=', 'item')
    .where('at', '>=', toTimestamptz(since))
    .orderBy('at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id as Id<'correction'>,
    at: fromTimestamptz(row.at),
    itemId: row.subject as Id<'item'>,
    reason: row.reason,
  }));
}
