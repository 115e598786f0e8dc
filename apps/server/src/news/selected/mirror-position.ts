import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';

/** A place in the ledger. No secret: whoever forges one sees only what the feed shows anyway. */
export interface LedgerPosition {
  /** UUID of the ledger; a restored database has another. */
  readonly epoch: string;
  readonly position: bigint;
}

/** Where a snapshot goes on, with what its first page said. */
export interface SnapshotPlace {
  readonly head: LedgerPosition;
  readonly asOfMicroseconds: bigint;
  readonly afterId: string;
}

// version · epoch · position (int64), and for a page: · asOf (int64) · id
const version = 1;
const uuidBytes = 16;
const cursorBytes = 1 + uuidBytes + 8;
const pageBytes = cursorBytes + 8 + uuidBytes;

export function encodePosition({ epoch, position }: LedgerPosition): string {
  return positionBytes({ epoch, position }).toString('base64url');
}

export function decodePosition(text: string): Result<LedgerPosition, 'malformed'> {
  const bytes = exactBytes(text, cursorBytes);
  return bytes === null ? refused('malformed') : accepted(readPosition(bytes));
}

export function encodePlace({ head, asOfMicroseconds, afterId }: SnapshotPlace): string {
  const asOf = Buffer.alloc(8);
  asOf.writeBigInt64BE(asOfMicroseconds);
  return Buffer.concat([positionBytes(head), asOf, bytesOfUuid(afterId)]).toString('base64url');
}

export function decodePlace(text: string): Result<SnapshotPlace, 'malformed'> {
  const bytes = exactBytes(text, pageBytes);
  if (bytes === null) return refused('malformed');
  return accepted({
    head: readPosition(bytes),
    asOfMicroseconds: bytes.readBigInt64BE(cursorBytes),
    afterId: uuidOf(bytes.subarray(cursorBytes + 8)),
  });
}

function positionBytes({ epoch, position }: LedgerPosition): Buffer {
  const bytes = Buffer.alloc(cursorBytes);
  bytes.writeUInt8(version);
  bytesOfUuid(epoch).copy(bytes, 1);
  bytes.writeBigInt64BE(position, 1 + uuidBytes);
  return bytes;
}

function readPosition(bytes: Buffer): LedgerPosition {
  return { epoch: uuidOf(bytes.subarray(1)), position: bytes.readBigInt64BE(1 + uuidBytes) };
}

/** Only the one spelling that we write: Node would skip what is not base64url. */
function exactBytes(text: string, length: number): Buffer | null {
  if (text.length > 200) return null;
  const bytes = Buffer.from(text, 'base64url');
  const known = bytes.length === length && bytes.toString('base64url') === text && bytes[0] === version;
  return known ? bytes : null;
}

function bytesOfUuid(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex', 0, uuidBytes);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
