import { cursorBytes, int64Bytes, joinCursor } from '../../foundation/cursor-bytes.ts';
import { uuidFromBytes, uuidToBytes } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';

/** A place in the ledger. Not secret: a forged one reveals only public content. */
export interface LedgerPosition {
  /** UUID of the ledger; a restored database has a new one. */
  readonly epoch: string;
  readonly position: bigint;
}

/** The next page of a snapshot, with the values of its first page. */
export interface SnapshotPlace {
  readonly head: LedgerPosition;
  readonly asOfMicroseconds: bigint;
  readonly afterId: string;
}

// version · epoch · position (int64), and for a page: · asOf (int64) · id
const version = 1;
const uuidBytes = 16;
const asOfAt = 1 + uuidBytes + 8;
const afterIdAt = asOfAt + 8;
const cursorCharsMax = 200;

export function encodePosition(place: LedgerPosition): string {
  return joinCursor(...positionParts(place));
}

export function decodePosition(text: string): Result<LedgerPosition, 'malformed'> {
  const bytes = exactBytes(text, asOfAt);
  return bytes === null ? refused('malformed') : accepted(readPosition(bytes));
}

export function encodePlace({ head, asOfMicroseconds, afterId }: SnapshotPlace): string {
  return joinCursor(...positionParts(head), int64Bytes(asOfMicroseconds), uuidToBytes(afterId));
}

export function decodePlace(text: string): Result<SnapshotPlace, 'malformed'> {
  const bytes = exactBytes(text, afterIdAt + uuidBytes);
  if (bytes === null) return refused('malformed');
  return accepted({
    head: readPosition(bytes),
    asOfMicroseconds: bytes.readBigInt64BE(asOfAt),
    afterId: uuidFromBytes(bytes.subarray(afterIdAt)),
  });
}

function positionParts({ epoch, position }: LedgerPosition): readonly Uint8Array[] {
  return [Uint8Array.of(version), uuidToBytes(epoch), int64Bytes(position)];
}

function readPosition(bytes: Buffer): LedgerPosition {
  const positionAt = 1 + uuidBytes;
  return {
    epoch: uuidFromBytes(bytes.subarray(1, positionAt)),
    position: bytes.readBigInt64BE(positionAt),
  };
}

function exactBytes(text: string, length: number): Buffer | null {
  const bytes = cursorBytes(text, cursorCharsMax);
  return bytes?.length === length && bytes[0] === version ? bytes : null;
}
