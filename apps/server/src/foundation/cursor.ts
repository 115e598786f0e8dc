import type { JsonValue } from './canonical-json.ts';
import { canonicalJson } from './canonical-json.ts';
import { cursorBytes, int64Bytes, joinCursor } from './cursor-bytes.ts';
import { sha256Bytes } from './hash.ts';
import type { Id } from './ids.ts';
import { idFromBytes, uuidToBytes } from './ids.ts';
import type { EpochMicroseconds } from './instant.ts';
import { isEpochMicroseconds } from './instant.ts';
import type { Result } from './result.ts';
import { accepted, refused } from './result.ts';

/** The last row of a page; the next page resumes after it. */
export interface CursorPosition<Kind extends string> {
  readonly key: EpochMicroseconds;
  readonly id: Id<Kind>;
}

/** Malformed: not issued by Daybook. Foreign: issued for another query. */
export type CursorFault = 'malformed' | 'foreign';

// version · key (int64) · binding · id
const version = 1;
const keyAt = 1;
const bindingAt = 9;
const idAt = 25;
const bytesTotal = 41;
const charsMax = Math.ceil((bytesTotal * 4) / 3);

/**
 * Opaque, but not secret: a forged cursor shows only rows that the query shows anyway. The binding detects a
 * cursor used with another query, where its position would mean something else.
 */
export function encodeCursor<Kind extends string>(position: CursorPosition<Kind>, query: JsonValue): string {
  const key = int64Bytes(position.key);
  return joinCursor(Uint8Array.of(version), key, bindingOf(query), uuidToBytes(position.id));
}

export function decodeCursor<Kind extends string>(
  text: string,
  query: JsonValue,
): Result<CursorPosition<Kind>, CursorFault> {
  const bytes = cursorBytes(text, charsMax);
  if (bytes?.length !== bytesTotal || bytes.readUInt8() !== version) return refused('malformed');
  const key = bytes.readBigInt64BE(keyAt);
  const id = idFromBytes<Kind>(bytes.subarray(idAt));
  if (!isEpochMicroseconds(key) || !id.ok) return refused('malformed');
  if (!bytes.subarray(bindingAt, idAt).equals(bindingOf(query))) return refused('foreign');
  return accepted({ key, id: id.value });
}

function bindingOf(query: JsonValue): Buffer {
  return sha256Bytes(canonicalJson(query)).subarray(0, idAt - bindingAt);
}
