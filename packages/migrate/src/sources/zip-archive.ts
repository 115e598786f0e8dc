import { isUtf8 } from 'node:buffer';
import { crc32, inflateRawSync } from 'node:zlib';

import { daysOf } from './calendar-time.ts';

/** One file of a zip archive. */
export interface ZipEntry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  /** The offset of its local header. */
  readonly offset: number;
  /** Seconds since 1970, in the time zone of the archive. */
  readonly modifiedSeconds: number;
}

export class ZipError extends Error {}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const end64Signature = 0x06064b50;
const locator64Signature = 0x07064b50;
const endBytes = 22;
const end64Bytes = 56;
const locator64Bytes = 20;
const entryBytes = 46;
const localBytes = 30;
const commentBytesMax = 0xffff;
const entriesMax = 100_000;
const linkMode = 0o120000;
const unixFolder = 0o040000;

/** The files that the directory of an archive lists. Nothing is unpacked. */
export function readZipEntries(bytes: Buffer): readonly ZipEntry[] {
  const { count, start } = readDirectory(bytes, findEnd(bytes));
  let at = start;
  if (count > entriesMax) throw new ZipError(`the archive has more than ${entriesMax} files`);
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index += 1) {
    if (at + entryBytes > bytes.length || bytes.readUInt32LE(at) !== entrySignature)
      throw new ZipError('the directory of the archive is damaged');
    const { entry, length } = readEntry(bytes, at);
    entries.push(entry);
    at += length;
  }
  return entries;
}

/** Archives of more than 65,534 files, and those of writers that do not know the size in advance, have ZIP64 records. */
function readDirectory(bytes: Buffer, end: number): { readonly count: number; readonly start: number } {
  const count = bytes.readUInt16LE(end + 10);
  const start = bytes.readUInt32LE(end + 16);
  if (count !== 0xffff && start !== 0xffffffff) return { count, start };
  const locator = end - locator64Bytes;
  if (locator < 0 || bytes.readUInt32LE(locator) !== locator64Signature) return { count, start };
  const at = readLong(bytes, locator + 8);
  if (at + end64Bytes > bytes.length || bytes.readUInt32LE(at) !== end64Signature)
    throw new ZipError('the directory of the archive is damaged');
  return { count: readLong(bytes, at + 32), start: readLong(bytes, at + 48) };
}

function readLong(bytes: Buffer, at: number): number {
  const value = at + 8 <= bytes.length ? bytes.readBigUInt64LE(at) : -1n;
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER))
    throw new ZipError('the directory of the archive is damaged');
  return Number(value);
}

/** Values that do not fit into their fields are in an extra field, in this order. */
function readLongFields(
  bytes: Buffer,
  start: number,
  end: number,
  short: readonly number[],
): readonly number[] {
  if (!short.includes(0xffffffff)) return short;
  for (let at = start; at + 4 <= Math.min(end, bytes.length);) {
    const length = bytes.readUInt16LE(at + 2);
    if (bytes.readUInt16LE(at) === 1) {
      let next = at + 4;
      return short.map((value) => {
        if (value !== 0xffffffff || next + 8 > at + 4 + length) return value;
        next += 8;
        return readLong(bytes, next - 8);
      });
    }
    at += 4 + length;
  }
  return short;
}

function readEntry(bytes: Buffer, at: number): { readonly entry: ZipEntry; readonly length: number } {
  const nameLength = bytes.readUInt16LE(at + 28);
  const written = bytes.subarray(at + entryBytes, at + entryBytes + nameLength);
  const name = (isUtf8(written) ? written.toString('utf8') : written.toString('latin1')).replaceAll(
    '\\',
    '/',
  );
  const mode = bytes.readUInt32LE(at + 38) >>> 16;
  const extra = at + entryBytes + nameLength;
  const [size = 0, compressedSize = 0, offset = 0] = readLongFields(
    bytes,
    extra,
    extra + bytes.readUInt16LE(at + 30),
    [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)],
  );
  const entry = {
    name,
    isFolder: name.endsWith('/') || (mode & 0o170000) === unixFolder,
    isLink: (mode & 0o170000) === linkMode,
    isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
    method: bytes.readUInt16LE(at + 10),
    crc: bytes.readUInt32LE(at + 16),
    compressedSize,
    size,
    offset,
    modifiedSeconds: dosSeconds(bytes.readUInt16LE(at + 14), bytes.readUInt16LE(at + 12)),
  };
  const length = entryBytes + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  return { entry, length };
}

/** The content of a file, checked against its size and its checksum. Throws ZipError. */
export function readZipEntry(bytes: Buffer, entry: ZipEntry): Buffer {
  if (entry.isEncrypted) throw new ZipError('it is encrypted');
  const { offset, compressedSize, size } = entry;
  if (offset + localBytes > bytes.length || bytes.readUInt32LE(offset) !== localSignature)
    throw new ZipError('it is damaged');
  const start = offset + localBytes + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const packed = bytes.subarray(start, start + compressedSize);
  const content = unpacked(packed, entry);
  if (content.length !== size || crc32(content) !== entry.crc) throw new ZipError('it is damaged');
  return content;
}

function unpacked(packed: Buffer, { method, size }: ZipEntry): Buffer {
  if (method === 0) return packed;
  if (method !== 8) throw new ZipError(`its compression (method ${method}) is not supported`);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) });
  } catch {
    throw new ZipError('it is damaged or larger than it states');
  }
}

function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - endBytes - commentBytesMax);
  for (let at = bytes.length - endBytes; at >= first; at -= 1)
    if (bytes.readUInt32LE(at) === endSignature) return at;
  throw new ZipError('it is not a zip archive, or its end is missing');
}

/** Dates of MS-DOS have two seconds, and no time zone. */
function dosSeconds(date: number, time: number): number {
  const days = daysOf(1980 + (date >> 9), Math.max((date >> 5) & 15, 1), Math.max(date & 31, 1));
  return days * 86_400 + (time >> 11) * 3600 + ((time >> 5) & 63) * 60 + (time & 31) * 2;
}
