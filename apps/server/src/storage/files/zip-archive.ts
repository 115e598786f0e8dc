import { crc32 } from 'node:zlib';

import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';

/** A folder if it has no content. */
export interface ZipEntry {
  /** With `/` between folders, and at the end of a folder. */
  readonly path: string;
  readonly changedAt: EpochMicroseconds;
  readonly content: {
    readonly size: number;
    readonly open: () => Promise<AsyncIterable<Uint8Array>>;
  } | null;
}

// APPNOTE.TXT 6.3.10. Nothing is compressed: most large files already are, and the length is known beforehand.
const localSignature = 0x04034b50;
const descriptorSignature = 0x08074b50;
const centralSignature = 0x02014b50;
const zip64EndSignature = 0x06064b50;
const zip64LocatorSignature = 0x07064b50;
const endSignature = 0x06054b50;
const zip64ExtraId = 0x0001;
const namesAreUtf8 = 0x0800;
const sizesFollow = 0x0008;
/** Required by the sizes of large files and archives. */
const version = 45;
/** Declares Unix as origin, for the modes of files. */
const madeBy = 0x0300 | version;
const uint32Max = 0xffff_ffff;
const uint16Max = 0xffff;

interface Written {
  readonly entry: ZipEntry;
  readonly name: Buffer;
  readonly offset: number;
  readonly crc: number;
}

/** Streams the bytes of an archive; throws if a content has the wrong size. */
export async function* writeZip(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array> {
  const written: Written[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.path);
    const start = offset;
    const head = localHeader(entry, name);
    yield head;
    let crc = 0;
    let size = 0;
    if (entry.content !== null) {
      for await (const chunk of await entry.content.open()) {
        crc = crc32(chunk, crc);
        size += chunk.length;
        yield chunk;
      }
      if (size !== entry.content.size) throw new Error(`${entry.path} has ${size} bytes`);
    }
    const tail = descriptor(entry, crc);
    if (tail.length > 0) yield tail;
    offset += head.length + size + tail.length;
    written.push({ entry, name, offset: start, crc });
  }
  let centralBytes = 0;
  for (const one of written) {
    const header = centralHeader(one);
    centralBytes += header.length;
    yield header;
  }
  yield endOf(written.length, centralBytes, offset);
}

/** The size of the archive. */
export function zipSize(entries: readonly ZipEntry[]): number {
  let offset = 0;
  let centralBytes = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.path);
    centralBytes += centralHeader({ entry, name, offset, crc: 0 }).length;
    offset += localHeader(entry, name).length + sizeOf(entry) + descriptor(entry, 0).length;
  }
  return offset + centralBytes + endOf(entries.length, centralBytes, offset).length;
}

function sizeOf({ content }: ZipEntry): number {
  return content?.size ?? 0;
}

function localHeader(entry: ZipEntry, name: Buffer): Buffer {
  const large = sizeOf(entry) >= uint32Max;
  const extra = large ? zip64Extra([0, 0]) : Buffer.alloc(0);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(localSignature, 0);
  head.writeUInt16LE(version, 4);
  writeCommon(head, 6, entry);
  // The checksum and the sizes stay zero here.
  if (large) {
    head.writeUInt32LE(uint32Max, 18);
    head.writeUInt32LE(uint32Max, 22);
  }
  head.writeUInt16LE(name.length, 26);
  head.writeUInt16LE(extra.length, 28);
  return Buffer.concat([head, name, extra]);
}

/** Flags, method (none), time and date, which both headers have in this order. */
function writeCommon(header: Buffer, at: number, { changedAt, content }: ZipEntry): void {
  const { time, date } = dosInstant(changedAt);
  header.writeUInt16LE(content === null ? namesAreUtf8 : namesAreUtf8 | sizesFollow, at);
  header.writeUInt16LE(0, at + 2);
  header.writeUInt16LE(time, at + 4);
  header.writeUInt16LE(date, at + 6);
}

/** After the bytes, because their checksum is unknown before. */
function descriptor(entry: ZipEntry, crc: number): Buffer {
  if (entry.content === null) return Buffer.alloc(0);
  const size = sizeOf(entry);
  const large = size >= uint32Max;
  const tail = Buffer.alloc(large ? 24 : 16);
  tail.writeUInt32LE(descriptorSignature, 0);
  tail.writeUInt32LE(crc, 4);
  for (const at of [0, 1]) {
    if (large) tail.writeBigUInt64LE(BigInt(size), 8 + at * 8);
    else tail.writeUInt32LE(size, 8 + at * 4);
  }
  return tail;
}

function centralHeader({ entry, name, offset, crc }: Written): Buffer {
  const size = sizeOf(entry);
  const large = [...(size >= uint32Max ? [size, size] : []), ...(offset >= uint32Max ? [offset] : [])];
  const extra = large.length > 0 ? zip64Extra(large) : Buffer.alloc(0);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(centralSignature, 0);
  head.writeUInt16LE(madeBy, 4);
  head.writeUInt16LE(version, 6);
  writeCommon(head, 8, entry);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(Math.min(size, uint32Max), 20);
  head.writeUInt32LE(Math.min(size, uint32Max), 24);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt16LE(extra.length, 30);
  // Extracted files are not executable, and never links.
  head.writeUInt32LE(entry.content === null ? 0o040755 * 0x1_0000 + 0x10 : 0o100644 * 0x1_0000, 38);
  head.writeUInt32LE(Math.min(offset, uint32Max), 42);
  return Buffer.concat([head, name, extra]);
}

function zip64Extra(values: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + values.length * 8);
  extra.writeUInt16LE(zip64ExtraId, 0);
  extra.writeUInt16LE(values.length * 8, 2);
  for (const [index, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  return extra;
}

function endOf(count: number, centralBytes: number, centralAt: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(endSignature, 0);
  end.writeUInt16LE(Math.min(count, uint16Max), 8);
  end.writeUInt16LE(Math.min(count, uint16Max), 10);
  end.writeUInt32LE(Math.min(centralBytes, uint32Max), 12);
  end.writeUInt32LE(Math.min(centralAt, uint32Max), 16);
  if (count < uint16Max && centralBytes < uint32Max && centralAt < uint32Max) return end;
  const large = Buffer.alloc(76);
  large.writeUInt32LE(zip64EndSignature, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(madeBy, 12);
  large.writeUInt16LE(version, 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(centralBytes), 40);
  large.writeBigUInt64LE(BigInt(centralAt), 48);
  large.writeUInt32LE(zip64LocatorSignature, 56);
  large.writeBigUInt64LE(BigInt(centralAt + centralBytes), 64);
  large.writeUInt32LE(1, 72);
  return Buffer.concat([large, end]);
}

/** To two seconds, from 1980 to 2107, in UTC. */
function dosInstant(instant: EpochMicroseconds): { readonly time: number; readonly date: number } {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = isoMilliseconds(instant)
    .split(/\D/)
    .map(Number);
  const years = Math.min(Math.max(year - 1_980, 0), 127);
  return {
    time: hour * 2_048 + minute * 32 + Math.floor(second / 2),
    date: years * 512 + month * 32 + day,
  };
}
