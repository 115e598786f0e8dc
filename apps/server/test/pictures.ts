import { crc32, deflateSync } from 'node:zlib';

/** Small pictures of the supported formats, with metadata chosen by a test. */

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([u32(data.length), named, u32(crc32(named))]);
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

export interface PngOptions {
  readonly width?: number;
  readonly height?: number;
  /** Chunks before and after the pixels, and bytes after the end. */
  readonly before?: readonly Buffer[];
  readonly after?: readonly Buffer[];
  readonly trailing?: Buffer;
}

/** Grey, with real pixels, so that browsers show it. */
export function createPng(options: PngOptions = {}): Buffer {
  const { width = 2, height = 2, before = [], after = [], trailing = Buffer.alloc(0) } = options;
  const header = Buffer.concat([u32(width), u32(height), Buffer.from([8, 0, 0, 0, 0])]);
  const pixels = deflateSync(Buffer.alloc((width + 1) * height, 128));
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    ...before,
    pngChunk('IDAT', pixels),
    ...after,
    pngChunk('IEND', Buffer.alloc(0)),
    trailing,
  ]);
}

export function jpegSegment(marker: number, data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([0xff, marker]), u16(data.length + 2), data]);
}

export interface JpegOptions {
  readonly width?: number;
  readonly height?: number;
  /** Coded data of a scan; every 0xff in it is stuffed. */
  readonly scan?: Uint8Array;
  readonly before?: readonly Buffer[];
  readonly between?: readonly Buffer[];
  readonly trailing?: Buffer;
}

export function createJpeg(options: JpegOptions = {}): Buffer {
  const { width = 2, height = 2, scan = Buffer.from([1, 255, 2]), before = [], between = [] } = options;
  const coded = Buffer.concat([...scan].map((byte) => Buffer.from(byte === 255 ? [255, 0] : [byte])));
  const frame = Buffer.concat([Buffer.from([8]), u16(height), u16(width), Buffer.from([1, 1, 17, 0])]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...before,
    jpegSegment(0xdb, Buffer.alloc(65, 1)),
    jpegSegment(0xc0, frame),
    ...between,
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    coded,
    // A restart marker within the data.
    Buffer.from([0xff, 0xd0]),
    coded,
    Buffer.from([0xff, 0xd9]),
    options.trailing ?? Buffer.alloc(0),
  ]);
}

export function webpChunk(type: string, data: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, data, Buffer.alloc(data.length % 2)]);
}

export function createWebp(chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), length, body]);
}

/** A VP8 key frame with this size; its coded data is arbitrary. */
export function webpLossy(width: number, height: number, coded: Uint8Array): Buffer {
  const head = Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0]);
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return webpChunk('VP8 ', Buffer.concat([head, coded]));
}

export function webpLossless(width: number, height: number, coded: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(0x2f, 0);
  head.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  return webpChunk('VP8L', Buffer.concat([head, coded]));
}

interface GifOptions {
  readonly width: number;
  readonly height: number;
  /** The colour of a pixel, as its index in the palette. */
  readonly indexAt: (x: number, y: number) => number;
  /** Red, green and blue; 256 of them. */
  readonly palette: Buffer;
  readonly transparent?: number;
}

/** One frame. */
export function createGif({ width, height, indexAt, palette, transparent }: GifOptions): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  const control = transparent === undefined ? [] : [Buffer.from([0x21, 0xf9, 4, 1, 0, 0, transparent, 0])];
  const pixels = Array.from({ length: width * height }, (_, at) =>
    indexAt(at % width, Math.floor(at / width)),
  );
  const coded = codeLzw(pixels);
  const blocks = Array.from({ length: Math.ceil(coded.length / 255) }, (_, block) => {
    const part = coded.subarray(block * 255, (block + 1) * 255);
    return Buffer.concat([Buffer.from([part.length]), part]);
  });
  return Buffer.concat([
    Buffer.from('GIF89a'),
    size,
    Buffer.from([0xf7, 0, 0]),
    palette,
    ...control,
    Buffer.from([0x2c, 0, 0, 0, 0]),
    size,
    Buffer.from([0, 8]),
    ...blocks,
    Buffer.from([0, 0x3b]),
  ]);
}

/** Codes of 9 to 12 bits, least significant bit first. */
function codeLzw(pixels: readonly number[]): Buffer {
  const [clear, end] = [256, 257];
  const out: number[] = [];
  let [bits, used, size, next] = [0, 0, 9, 258];
  const known = new Map<string, number>();
  const write = (code: number): void => {
    bits |= code << used;
    used += size;
    for (; used >= 8; used -= 8) {
      out.push(bits & 255);
      bits >>>= 8;
    }
  };
  write(clear);
  let prefix = pixels[0] ?? 0;
  for (const pixel of pixels.slice(1)) {
    const name = `${prefix} ${pixel}`;
    const found = known.get(name);
    if (found !== undefined) {
      prefix = found;
      continue;
    }
    write(prefix);
    prefix = pixel;
    if (next === 4_096) {
      write(clear);
      known.clear();
      [size, next] = [9, 258];
      continue;
    }
    known.set(name, next);
    if (next === 1 << size) size += 1;
    next += 1;
  }
  write(prefix);
  write(end);
  out.push(bits & 255);
  return Buffer.from(out);
}
