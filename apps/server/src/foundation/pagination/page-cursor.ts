import { createHmac, timingSafeEqual } from 'node:crypto';

import type { JsonValue } from '../canonical-json.ts';
import { canonicalJson } from '../canonical-json.ts';
import { cursorBytes, int64Bytes, joinCursor } from '../cursor-bytes.ts';
import type { EpochMicroseconds } from '../instant.ts';
import { isEpochMicroseconds } from '../instant.ts';
import type { Result } from '../result.ts';
import { accepted, refused } from '../result.ts';
import type { CursorKey, CursorKeys } from './cursor-keys.ts';
import { keyIdBytes } from './cursor-keys.ts';
import type { RowIdCodec } from './row-id.ts';

/** The list that a cursor belongs to, without the direction and the page size. */
export interface PageList<RowId> {
  readonly keys: CursorKeys;
  readonly ids: RowIdCodec<RowId>;
  /** The route's operation id. */
  readonly route: string;
  /** The organization or account whose rows these are. */
  readonly tenant: string;
  /** All other parameters that select the listed rows. */
  readonly filters: JsonValue;
}

/** The sort key of a list, before the id: newest first, or by name from A to Z. */
export type PageSort = 'createdAt' | 'name';

/** The position of one row in its list; a page begins after it or ends before it. */
export interface PagePosition<RowId> {
  readonly createdAt: EpochMicroseconds;
  readonly id: RowId;
  /** As the database orders by it; of a list by name. */
  readonly sortName?: string;
}

// version · key id · createdAt (int64) · row id · of a list by name: its bytes (uint16), name · MAC (HMAC-SHA-256, first 16 bytes)
const versions: Readonly<Record<PageSort, number>> = { createdAt: 1, name: 2 };
const nameLengthBytes = 2;
const cursorCharsMax = 2_000;
const keyIdAt = 1;
const createdAtAt = keyIdAt + keyIdBytes;
const rowIdAt = createdAtAt + 8;
const macBytes = 16;

export function encodePageCursor<RowId>(
  list: PageList<RowId>,
  position: PagePosition<RowId>,
  sort: PageSort = 'createdAt',
): string {
  const key = list.keys.signing;
  const signed = Buffer.concat([
    Uint8Array.of(versions[sort]),
    key.id,
    int64Bytes(position.createdAt),
    list.ids.write(position.id),
    ...(sort === 'name' ? writeName(position) : []),
  ]);
  return joinCursor(signed, macOf(key, list, signed));
}

function writeName<RowId>({ sortName }: PagePosition<RowId>): readonly Uint8Array[] {
  if (sortName === undefined) throw new Error('a row of a list by name needs its sortName');
  const length = Buffer.alloc(nameLengthBytes);
  length.writeUInt16BE(Buffer.byteLength(sortName));
  return [length, Buffer.from(sortName)];
}

/**
 * The list itself is not in the cursor, only covered by its MAC. So a cursor of another tenant and a forged one
 * look the same to the server and to the caller.
 */
export function decodePageCursor<RowId>(
  list: PageList<RowId>,
  text: string,
  sort: PageSort = 'createdAt',
): Result<PagePosition<RowId>, 'not-ours'> {
  const bytes = cursorBytes(text, cursorCharsMax);
  if (bytes === null) return refused('not-ours');
  const macAt = bytes.length - macBytes;
  const nameAt = rowIdAt + list.ids.bytes;
  if (!isWholeCursor(bytes, nameAt, macAt, sort)) return refused('not-ours');
  const key = list.keys.verifying.find(({ id }) => id.equals(bytes.subarray(keyIdAt, createdAtAt)));
  if (key === undefined) return refused('not-ours');
  if (!timingSafeEqual(bytes.subarray(macAt), macOf(key, list, bytes.subarray(0, macAt))))
    return refused('not-ours');
  const createdAt = bytes.readBigInt64BE(createdAtAt);
  const id = list.ids.read(bytes.subarray(rowIdAt, nameAt));
  if (!isEpochMicroseconds(createdAt) || !id.ok) return refused('not-ours');
  const sortName = bytes.toString('utf8', nameAt + nameLengthBytes, macAt);
  return accepted({ createdAt, id: id.value, ...(sort === 'name' && { sortName }) });
}

/** Checks the length of a cursor of its kind and the requested order. */
function isWholeCursor(bytes: Buffer, nameAt: number, macAt: number, sort: PageSort): boolean {
  if (sort === 'createdAt') return macAt === nameAt && bytes.readUInt8() === versions.createdAt;
  return (
    macAt >= nameAt + nameLengthBytes &&
    bytes.readUInt8() === versions.name &&
    bytes.readUInt16BE(nameAt) === macAt - nameAt - nameLengthBytes
  );
}

/** The signed part has one length per list, or states it: no byte can move between it and the list's name. */
function macOf<RowId>(key: CursorKey, list: PageList<RowId>, signed: Uint8Array): Buffer {
  return createHmac('sha256', key.secret)
    .update(signed)
    .update(canonicalJson([list.route, list.tenant, list.filters]))
    .digest()
    .subarray(0, macBytes);
}
