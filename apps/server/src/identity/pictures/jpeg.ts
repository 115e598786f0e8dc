import type { RebuildPicture } from './rebuilt-picture.ts';

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
/** Baseline, extended and progressive: the modes that browsers show. */
const frameHeaders = new Set([0xc0, 0xc1, 0xc2]);
/** Quantization tables, Huffman tables, restart interval. */
const tables = new Set([0xdb, 0xc4, 0xdd]);
/** Defines the colour encoding, and contains nothing else. */
const adobe = 0xee;
const adobeBytes = 12;

interface Segment {
  readonly marker: number;
  readonly data: Buffer;
  /** With its marker and, for a scan, the coded data after it. */
  readonly whole: Buffer;
}

/** https://www.w3.org/Graphics/JPEG/itu-t81.pdf, annex B. */
export const rebuildJpeg: RebuildPicture = (bytes) => {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== startOfImage) return null;
  const segments = readSegments(bytes);
  if (segments === null) return null;
  const frames = segments.filter(({ marker }) => frameHeaders.has(marker));
  const [frame] = frames;
  if (frame === undefined || frames.length !== 1 || frame.data.length < 6) return null;
  if (!segments.some(({ marker }) => marker === startOfScan)) return null;
  const [height, width] = [frame.data.readUInt16BE(1), frame.data.readUInt16BE(3)];
  if (width === 0 || height === 0) return null;
  const kept = segments.filter(isImageSegment).map(({ whole }) => whole);
  return {
    width,
    height,
    bytes: Buffer.concat([bytes.subarray(0, 2), ...kept, Buffer.from([0xff, endOfImage])]),
  };
};

function isImageSegment({ marker, data }: Segment): boolean {
  if (marker === adobe) return data.length === adobeBytes && data.toString('latin1', 0, 5) === 'Adobe';
  return frameHeaders.has(marker) || tables.has(marker) || marker === startOfScan;
}

/** Up to the end of the image: another picture or a film can follow. Null if truncated or malformed. */
function readSegments(bytes: Buffer): readonly Segment[] | null {
  const segments: Segment[] = [];
  for (let at = 2; at + 2 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    // Fill bytes before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === endOfImage) return segments;
    if (!hasLength(marker) || at + 4 > bytes.length) return null;
    const dataEnd = at + 2 + bytes.readUInt16BE(at + 2);
    if (dataEnd < at + 4 || dataEnd > bytes.length) return null;
    const end = marker === startOfScan ? endOfScan(bytes, dataEnd) : dataEnd;
    segments.push({ marker, data: bytes.subarray(at + 4, dataEnd), whole: bytes.subarray(at, end) });
    at = end;
  }
  return null;
}

/** Neither a restart, nor another start, nor a reserved marker. */
function hasLength(marker: number): boolean {
  return marker >= 0xc0 && !(marker >= 0xd0 && marker <= 0xd8);
}

/** The position of the next marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    if (at === -1 || at + 1 >= bytes.length) return bytes.length;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
    at += next === 0xff ? 1 : 2;
  }
}
