interface ColourRows {
  readonly width: number;
  readonly height: number;
  /** Three bytes per pixel. */
  readonly rgb: Buffer;
}

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly isInterlaced: boolean;
  readonly palette: Buffer;
  /** -1: all colours are shown. */
  readonly transparent: number;
  readonly codeBits: number;
  readonly coded: Buffer;
}

/** The first frame of a GIF file on white; null if it is no GIF file. */
export function gifPicture(bytes: Buffer, pixelsMax: number): ColourRows | null {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) || bytes.length < 13) return null;
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  const frame = firstFrame(bytes);
  if (frame === null || width * height > pixelsMax || frame.width * frame.height > pixelsMax) return null;
  const indexes = decodeLzw(frame.coded, frame.codeBits, frame.width * frame.height);
  const rgb = Buffer.alloc(width * height * 3, 0xff);
  const rows = rowOrder(frame);
  for (let row = 0; row < frame.height; row += 1) {
    const y = frame.top + (rows[row] ?? 0);
    const shown = y < height ? Math.min(frame.width, width - frame.left) : 0;
    for (let x = 0; x < shown; x += 1) {
      const index = indexes[row * frame.width + x] ?? 0;
      if (index === frame.transparent) continue;
      const to = (y * width + frame.left + x) * 3;
      for (let colour = 0; colour < 3; colour += 1)
        rgb[to + colour] = frame.palette[index * 3 + colour] ?? 0xff;
    }
  }
  return { width, height, rgb };
}

/** The blocks before it are extensions; one of them may name the transparent colour. */
function firstFrame(bytes: Buffer): Frame | null {
  const flags = bytes[10] ?? 0;
  const globalBytes = (flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1);
  let at = 13 + globalBytes;
  let transparent = -1;
  while (bytes[at] === 0x21) {
    const [kind, , control = 0] = bytes.subarray(at + 1, at + 4);
    if (kind === 0xf9 && (control & 1) === 1) transparent = bytes[at + 6] ?? -1;
    at = afterBlocks(bytes, at + 2);
  }
  if (bytes[at] !== 0x2c || at + 11 > bytes.length) return null;
  const own = bytes[at + 9] ?? 0;
  const ownBytes = (own & 0x80) === 0 ? 0 : 3 << ((own & 7) + 1);
  const data = at + 10 + ownBytes;
  const codeBits = bytes[data] ?? 0;
  if (codeBits < 1 || codeBits > 8) return null;
  return {
    left: bytes.readUInt16LE(at + 1),
    top: bytes.readUInt16LE(at + 3),
    width: bytes.readUInt16LE(at + 5),
    height: bytes.readUInt16LE(at + 7),
    isInterlaced: (own & 0x40) !== 0,
    palette: ownBytes > 0 ? bytes.subarray(at + 10, data) : bytes.subarray(13, 13 + globalBytes),
    transparent,
    codeBits,
    coded: blocksOf(bytes, data + 1),
  };
}

function afterBlocks(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 0) at += (bytes[at] ?? 0) + 1;
  return at + 1;
}

function blocksOf(bytes: Buffer, start: number): Buffer {
  const blocks: Buffer[] = [];
  for (let at = start; at < bytes.length && bytes[at] !== 0; at += (bytes[at] ?? 0) + 1)
    blocks.push(bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0)));
  return Buffer.concat(blocks);
}

/** In four passes: every eighth row, those in the middle between them, and so on. */
function rowOrder({ height, isInterlaced }: Frame): readonly number[] {
  if (!isInterlaced) return Array.from({ length: height }, (_, row) => row);
  const rows: number[] = [];
  for (const [first, step] of [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const)
    for (let row = first; row < height; row += step) rows.push(row);
  return rows;
}

const codesMax = 4_096;

/** Codes of growing length, least significant bit first; missing pixels are 0. */
function decodeLzw(coded: Buffer, codeBits: number, pixels: number): Uint8Array {
  const [clear, end] = [1 << codeBits, (1 << codeBits) + 1];
  const prefix = new Uint16Array(codesMax);
  const suffix = new Uint8Array(codesMax).map((_, code) => (code < clear ? code : 0));
  const string = new Uint8Array(codesMax + 1);
  const out = new Uint8Array(pixels);
  let [bits, used, size, next, previous, length] = [0, 0, codeBits + 1, end + 1, -1, 0];
  for (let at = 0; at < coded.length && length < pixels;) {
    while (used < size && at < coded.length) {
      bits |= (coded[at] ?? 0) << used;
      used += 8;
      at += 1;
    }
    while (used >= size && length < pixels) {
      const code = bits & ((1 << size) - 1);
      bits >>>= size;
      used -= size;
      if (code === end) return out;
      if (code === clear) {
        [size, next, previous] = [codeBits + 1, end + 1, -1];
        continue;
      }
      if (code > next || (code === next && previous < 0)) throw new Error('an unknown code');
      // The last letter of a code that is not complete yet is its first.
      let count = code === next ? 1 : 0;
      let walk = code === next ? previous : code;
      while (walk >= clear) {
        string[count++] = suffix[walk] ?? 0;
        walk = prefix[walk] ?? 0;
      }
      string[count++] = walk;
      if (code === next) string[0] = walk;
      for (let letter = count - 1; letter >= 0 && length < pixels; letter -= 1)
        out[length++] = string[letter] ?? 0;
      if (previous >= 0 && next < codesMax) {
        [prefix[next], suffix[next]] = [previous, walk];
        next += 1;
        if (next === 1 << size && size < 12) size += 1;
      }
      previous = code;
    }
  }
  return out;
}
