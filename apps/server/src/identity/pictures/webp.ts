import type { RebuildPicture } from './rebuilt-picture.ts';

const headBytes = 12;
const alphaFlag = 0x10;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** https://www.rfc-editor.org/rfc/rfc9649.html */
export const rebuildWebp: RebuildPicture = (bytes) => {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, headBytes) !== 'WEBP')
    return null;
  const chunks = readChunks(bytes);
  if (chunks === null || chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')) return null;
  const images = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L');
  const [image] = images;
  if (image === undefined || images.length !== 1) return null;
  const size = image.type === 'VP8 ' ? lossySize(image.data) : losslessSize(image.data);
  if (size === null) return null;
  const alpha = image.type === 'VP8 ' ? chunks.find(({ type }) => type === 'ALPH') : undefined;
  const kept = alpha === undefined ? [image] : [extendedHeader(size), alpha, image];
  return { ...size, bytes: writeRiff(kept) };
};

/** Null if a chunk exceeds the declared size, or the declared size exceeds the file. */
function readChunks(bytes: Buffer): readonly Chunk[] | null {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return null;
  const chunks: Chunk[] = [];
  for (let at = headBytes; at + 8 <= end;) {
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > end) return null;
    const data = bytes.subarray(at + 8, at + 8 + length);
    chunks.push({ type: bytes.toString('latin1', at, at + 4), data });
    at += 8 + length + (length % 2);
  }
  return chunks;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** For a key frame: RFC 6386, 9.1. */
function lossySize(data: Buffer): Size | null {
  if (data.length < 10 || ((data[0] ?? 1) & 1) !== 0 || data.readUIntBE(3, 3) !== 0x9d012a) return null;
  const [width, height] = [data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff];
  return width === 0 || height === 0 ? null : { width, height };
}

function losslessSize(data: Buffer): Size | null {
  if (data.length < 5 || data[0] !== 0x2f) return null;
  const bits = data.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Declares transparency, and nothing else. */
function extendedHeader({ width, height }: Size): Chunk {
  const data = Buffer.alloc(10);
  data.writeUInt8(alphaFlag, 0);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return { type: 'VP8X', data };
}

function writeRiff(chunks: readonly Chunk[]): Buffer {
  const parts = chunks.flatMap(({ type, data }) => {
    const head = Buffer.alloc(8);
    head.write(type, 0, 'latin1');
    head.writeUInt32LE(data.length, 4);
    return [head, data, Buffer.alloc(data.length % 2)];
  });
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts]);
  const head = Buffer.alloc(8);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}
