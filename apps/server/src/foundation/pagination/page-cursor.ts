import { createHmac, timingSafeEqual } from 'node:crypto';

import type { JsonValue } from '../canonical-json.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { EpochMicroseconds } from '../instant.ts';
import { isEpochMicroseconds } from '../instant.ts';
import type { Result } from '../result.ts';
import { accepted, refused } from '../result.ts';
import type { CursorKey, CursorKeys } from './cursor-keys.ts';
import { keyIdBytes } from './cursor-keys.ts';
import type { RowIdCodec } from './row-id.ts';

/** Which list a cursor belongs to. Neither the direction nor the size of a page is part of it. */
export interface PageList<RowId> {
  readonly keys: CursorKeys;
  readonly ids: RowIdCodec<RowId>;
  /** The route's operation id. */
  readonly route: string;
  /** The organization or account whose rows these are. */
  readonly tenant: string;
  /** Everything else that decides which rows are listed. */
  readonly filters: JsonValue;
}

/** The place of one row in its list; a page lies after it or before it. */
export interface PagePosition<RowId> {
  readonly createdAt: EpochMicroseconds;
  readonly id: RowId;
}

// version · key id · createdAt (int64) · row id · code
const version = 1;
const keyIdAt = 1;
const createdAtAt = keyIdAt + keyIdBytes;
const rowIdAt = createdAtAt + 8;
const codeBytes = 16;

export function encodePageCursor<RowId>(list: PageList<RowId>, position: PagePosition<RowId>): string {
  const key = list.keys.signing;
  const head = Buffer.alloc(rowIdAt);
  head.writeUInt8(version);
  key.id.copy(head, keyIdAt);
  head.writeBigInt64BE(position.createdAt, createdAtAt);
  const signed = Buffer.concat([head, list.ids.write(position.id)]);
  return Buffer.concat([signed, codeOf(key, list, signed)]).toString('base64url');
}

/**
 * The list itself is not in the cursor, only under its code. So a cursor of another tenant and a forged one are
 * the same to us and to whoever tries.
 */
export function decodePageCursor<RowId>(
  list: PageList<RowId>,
  text: string,
): Result<PagePosition<RowId>, 'not-ours'> {
  const codeAt = rowIdAt + list.ids.bytes;
  if (text.length !== Math.ceil(((codeAt + codeBytes) * 4) / 3)) return refused('not-ours');
  const bytes = Buffer.from(text, 'base64url');
  // Node skips what is not base64url and ignores spare bits: only the one spelling that we write is accepted.
  if (bytes.toString('base64url') !== text || bytes.readUInt8() !== version) return refused('not-ours');
  const key = list.keys.verifying.find(({ id }) => id.equals(bytes.subarray(keyIdAt, createdAtAt)));
  if (key === undefined) return refused('not-ours');
  if (!timingSafeEqual(bytes.subarray(codeAt), codeOf(key, list, bytes.subarray(0, codeAt))))
    return refused('not-ours');
  const createdAt = bytes.readBigInt64BE(createdAtAt);
  const id = list.ids.read(bytes.subarray(rowIdAt, codeAt));
  return isEpochMicroseconds(createdAt) && id.ok
    ? accepted({ createdAt, id: id.value })
    : refused('not-ours');
}

/** The signed part has one length per list, so nothing can move from it into the list's name or back. */
function codeOf<RowId>(key: CursorKey, list: PageList<RowId>, signed: Uint8Array): Buffer {
  return createHmac('sha256', key.secret)
    .update(signed)
    .update(canonicalJson([list.route, list.tenant, list.filters]))
    .digest()
    .subarray(0, codeBytes);
}
