import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { LedgerHead } from './ledger-reading-store.ts';

/** The selected items between two ids. */
export interface SetBucket {
  /** The bucket contains the ids after this one, up to the next bucket's. */
  readonly after: string;
  readonly size: number;
  /** Sum of the digests modulo 2^256. */
  readonly hash: bigint;
}

export interface SetBuckets {
  readonly head: LedgerHead & { readonly changedAt: EpochMicroseconds };
  /** Together they cover every id. At least one. */
  readonly buckets: readonly SetBucket[];
}

interface BucketRow {
  readonly epoch: string;
  readonly position: bigint;
  readonly changed_at: string;
  readonly set_size: bigint;
  readonly set_hash: string;
  readonly size: number | null;
  readonly last_id: string | null;
  readonly digests: Buffer | null;
}

const bucketsMax = 1024;
const beforeEveryId = '00000000-0000-0000-0000-000000000000';
const digestBytes = 32;

/**
 * Ranges of equally many items, and the head, in one statement and so in one database snapshot. Reads an index that
 * contains the digests; the process adds them, because PostgreSQL has no 256-bit numbers.
 */
export async function readSetBuckets(database: Database): Promise<SetBuckets> {
  const { rows } = await sql<BucketRow>`
    SELECT head.epoch, head.position, head.changed_at, head.set_size, head.set_hash::text,
      bucket.size, bucket.last_id, bucket.digests
    FROM record.ledger_head AS head
    LEFT JOIN LATERAL (
      SELECT place, count(*)::integer AS size, string_agg(digest, ''::bytea) AS digests,
        max(CASE WHEN place < next_place THEN id::text END) AS last_id
      FROM (
        SELECT id, digest, (ordinal - 1) * ${bucketsMax} / greatest(head.set_size, 1) AS place,
          ordinal * ${bucketsMax} / greatest(head.set_size, 1) AS next_place
        FROM (
          SELECT id, digest, row_number() OVER (ORDER BY id) AS ordinal FROM record.item WHERE selected
        ) AS numbered
      ) AS placed
      GROUP BY place
    ) AS bucket ON true
    ORDER BY bucket.place`.execute(database);
  const [first] = rows;
  if (first === undefined) throw new Error('the ledger has no head');
  return {
    head: {
      epoch: first.epoch,
      position: first.position,
      changedAt: fromTimestamptz(first.changed_at),
      setSize: first.set_size,
      setHash: BigInt(first.set_hash),
    },
    buckets: rows.map(({ size, digests }, at) => ({
      after: rows[at - 1]?.last_id ?? beforeEveryId,
      size: size ?? 0,
      hash: digests === null ? 0n : sumOfDigests(digests),
    })),
  };
}

/** Adds 32 bits at a time in doubles, which are exact up to two million digests: 20 times as fast as BigInts. */
function sumOfDigests(digests: Buffer): bigint {
  let sum = 0n;
  for (let lane = 0; lane < digestBytes; lane += 4) {
    let laneSum = 0;
    for (let at = lane; at < digests.length; at += digestBytes) laneSum += digests.readUInt32BE(at);
    sum = (sum << 32n) + BigInt(laneSum);
  }
  return BigInt.asUintN(256, sum);
}
