import { crc32 } from 'node:zlib';

import type { RebuildPicture } from './rebuilt-picture.ts';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
/** The chunks that define pixels and colours: no text, time, EXIF, profile or further frames. */
const imageChunkTypes = new Set([
  'IHDR',
  'PLTE',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'cICP',
  'sBIT',
  'IDAT',
  'IEND',
]);
const headerBytes = 13;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** With length and check sum. */
  readonly whole: Buffer;
}

/** https://www.w3.org/TR/png-3/ */
export const rebuildPng: RebuildPicture = (bytes) => {
  if (!bytes.subarray(0, signature.length).equals(signature)) return null;
  const chunks = readChunks(bytes);
  if (chunks === null) return null;
  const [header] = chunks;
  if (header?.type !== 'IHDR' || header.data.length !== headerBytes) return null;
  if (chunks.filter(({ type }) => type === 'IHDR').length !== 1) return null;
  if (!chunks.some(({ type }) => type === 'IDAT')) return null;
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  if (width === 0 || height === 0) return null;
  const kept = chunks.filter(({ type }) => imageChunkTypes.has(type)).map(({ whole }) => whole);
  return { width, height, bytes: Buffer.concat([signature, ...kept]) };
};

/** Up to the end chunk; later bytes are not part of the picture. Null if a chunk is truncated or damaged. */
function readChunks(bytes: Buffer): readonly Chunk[] | null {
  const chunks: Chunk[] = [];
  for (let at = signature.length; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null;
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) });
    if (type === 'IEND') return end - at === 12 ? chunks : null;
    at = end;
  }
  return null;
}
