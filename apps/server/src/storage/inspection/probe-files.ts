import { constants, crc32, deflateRawSync } from 'node:zlib';

const deepestMax = 110;
const isEncrypted = 1;

/** An archive in an archive, deeper than a scanner unpacks. The innermost file is long enough to be scanned. */
export function nestedArchive(depth = deepestMax, inner: Buffer = Buffer.alloc(100, 'daybook ')): Buffer {
  let bytes: Buffer = inner;
  for (let level = 0; level < depth; level += 1) bytes = zipOf(bytes, 0);
  return bytes;
}

/** An archive with a password. */
export function encryptedArchive(): Buffer {
  return zipOf(Buffer.alloc(100, 'daybook '), isEncrypted);
}

const block = 1024 ** 2;

/** An archive of less than a megabyte with one file of 640 MB, larger than a scanner unpacks: the same block, repeated. */
export function inflatedArchive(blocks = 610): Buffer {
  const packed = deflateRawSync(Buffer.alloc(block), { finishFlush: constants.Z_FULL_FLUSH });
  const repeated = Buffer.concat([
    ...Array.from({ length: blocks }, () => packed),
    deflateRawSync(Buffer.alloc(0)),
  ]);
  return zipFile({ packed: repeated, size: blocks * block, checksum: 0, flags: 0 });
}

function zipOf(content: Buffer, flags: number): Buffer {
  const checksum = crc32(content);
  return zipFile({ packed: deflateRawSync(content), size: content.length, checksum, flags });
}

/** A zip file with one compressed file. */
function zipFile(file: {
  readonly packed: Buffer;
  readonly size: number;
  readonly checksum: number;
  readonly flags: number;
}): Buffer {
  const name = Buffer.from('a');
  const { packed } = file;
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(file.flags, 2);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt16LE(33, 8);
  fields.writeUInt32LE(file.checksum, 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(file.size, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed]);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, Buffer.alloc(14), name]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06'), end]);
}
