import { crc32, deflateRawSync } from 'node:zlib';

/** A file of a zip archive that a test writes, with every lie it needs. */
export interface ZipFile {
  readonly name: string;
  readonly content: string | Buffer;
  readonly isLink?: true;
  readonly isEncrypted?: true;
  /** The size that the archive states. */
  readonly size?: number;
  readonly crc?: number;
}

/** The same archive with its sizes and its directory in ZIP64 records. */
export function zip64Of(...files: readonly ZipFile[]): Buffer {
  const short = zipOf(...files);
  const end = short.length - 22;
  const start = short.readUInt32LE(end + 16);
  const directory: Buffer[] = [];
  for (let at = start; at < end;) {
    const entry = Buffer.from(short.subarray(at, at + 46 + short.readUInt16LE(at + 28)));
    at += entry.length;
    const extra = Buffer.alloc(28);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    for (const [place, field] of [24, 20, 42].entries()) {
      extra.writeBigUInt64LE(BigInt(entry.readUInt32LE(field)), 4 + place * 8);
      entry.writeUInt32LE(0xffffffff, field);
    }
    entry.writeUInt16LE(extra.length, 30);
    directory.push(entry, extra);
  }
  const listed = Buffer.concat(directory);
  const end64 = Buffer.alloc(76);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(BigInt(files.length), 32);
  end64.writeBigUInt64LE(BigInt(start), 48);
  end64.writeUInt32LE(0x07064b50, 56);
  end64.writeBigUInt64LE(BigInt(start + listed.length), 64);
  const last = Buffer.from(short.subarray(end));
  last.writeUInt16LE(0xffff, 10);
  last.writeUInt32LE(0xffffffff, 16);
  return Buffer.concat([short.subarray(0, start), listed, end64, last]);
}

export function zipOf(...files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const content = Buffer.from(file.content);
    const [name, packed] = [Buffer.from(file.name), deflateRawSync(content)];
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(file.isEncrypted === true ? 1 : 0, 2);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt16LE(((2020 - 1980) << 9) | (5 << 5) | 17, 8);
    shared.writeUInt32LE(file.crc ?? crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(file.size ?? content.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((file.isLink === true ? 0o120777 : 0o100644) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    parts.push(Buffer.from('PK\u0003\u0004'), shared, name, packed);
    directory.push(Buffer.from('PK\u0001\u0002'), Buffer.from([20, 3]), shared, tail, name);
    offset += 4 + shared.length + name.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}
