import { int64Bytes } from '../cursor-bytes.ts';
import type { Id } from '../ids.ts';
import { idFromBytes, uuidToBytes } from '../ids.ts';
import type { Result } from '../result.ts';
import { accepted } from '../result.ts';

/** Encodes the id of a listed row in a cursor: always the same number of bytes. */
export interface RowIdCodec<RowId> {
  readonly bytes: number;
  readonly write: (id: RowId) => Buffer;
  readonly read: (bytes: Uint8Array) => Result<RowId, 'malformed'>;
}

/** For tables keyed by UUIDv7. */
export function uuidRowId<Kind extends string>(): RowIdCodec<Id<Kind>> {
  return { bytes: 16, write: uuidToBytes, read: idFromBytes };
}

/** For tables keyed by a database sequence. */
export const bigintRowId: RowIdCodec<bigint> = {
  bytes: 8,
  write: int64Bytes,
  read: (bytes) => accepted(Buffer.from(bytes).readBigInt64BE()),
};
