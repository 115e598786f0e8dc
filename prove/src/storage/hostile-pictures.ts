import { deflateSync } from 'node:zlib';

import { createGif, createPng, jpegSegment, pngChunk } from '../../../apps/server/test/pictures.ts';
import type { HostileFile, HostileMeans } from './hostile-files.ts';

const megabyte = 1024 ** 2;
const start = Buffer.from('89504e470d0a1a0a', 'hex');
const end = pngChunk('IEND', Buffer.alloc(0));

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  readonly type?: number;
  readonly interlace?: number;
}

function header({ width, height, depth = 8, type = 0, interlace = 0 }: Header): Buffer {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  bytes.set([depth, type, 0, 0, interlace], 8);
  return pngChunk('IHDR', bytes);
}

function png(name: string, head: Header, ...chunks: readonly Buffer[]): HostileFile {
  return {
    name: `${name}.png`,
    mediaType: 'image/png',
    bytes: Buffer.concat([start, header(head), ...chunks, end]),
  };
}

const jpeg = (name: string, ...pieces: readonly Buffer[]): HostileFile => ({
  name: `${name}.jpg`,
  mediaType: 'image/jpeg',
  bytes: Buffer.concat([Buffer.from([0xff, 0xd8]), ...pieces, Buffer.from([0xff, 0xd9])]),
});

/** Pictures that are far larger than their files, or whose parts contradict each other. */
export function hostilePictures({ withBombs }: HostileMeans): readonly HostileFile[] {
  const small = [...brokenPngs(), ...hostileGifs()];
  return withBombs ? [...small, ...pngBombs(), ...jpegBombs()] : small;
}

function pngBombs(): readonly HostileFile[] {
  const data = (bytes: number): Buffer => pngChunk('IDAT', deflateSync(Buffer.alloc(bytes)));
  const large = data(150 * megabyte);
  const text = Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(150 * megabyte))]);
  return [
    png('fifty thousand pixels square', { width: 50_000, height: 50_000, depth: 1 }, large),
    png('two billion pixels wide', { width: 0x7f_ff_ff_ff, height: 1 }, large),
    png('more rows than stated', { width: 10, height: 10 }, large),
    png('more rows than stated, transparent', { width: 10, height: 10, type: 6 }, large),
    png('just below the limit, transparent', { width: 5_000, height: 4_999, type: 6 }, data(99_985_000)),
    png('just below the limit, sixteen bits', { width: 5_000, height: 4_999, depth: 16, type: 2 }, large),
    png(
      'one pixel wide, transparent',
      { width: 1, height: 24_999_999, type: 4 },
      pngChunk('IDAT', deflateSync(Buffer.alloc(75_000_000))),
    ),
    png('missing rows, transparent', { width: 4_000, height: 4_000, type: 6 }, data(100)),
    png('compressed text', { width: 10, height: 10 }, pngChunk('zTXt', text), data(110)),
    png('compressed profile', { width: 10, height: 10 }, pngChunk('iCCP', text), data(110)),
  ];
}

function brokenPngs(): readonly HostileFile[] {
  const pixels = pngChunk('IDAT', deflateSync(Buffer.alloc(110)));
  const endless = Buffer.from(pngChunk('IDAT', deflateSync(Buffer.alloc(110))));
  endless.writeUInt32BE(0xff_ff_ff_ff, 0);
  const empty = Buffer.alloc(12 * 500_000, pngChunk('IDAT', Buffer.alloc(0)));
  return [
    png('no pixels', { width: 0, height: 0 }, pixels),
    png('a chunk beyond the end', { width: 10, height: 10 }, endless),
    png('half a million empty chunks', { width: 10, height: 10 }, empty, pixels),
    png('an index beyond the palette', { width: 10, height: 10, type: 3 }, pixels),
    png('an unknown type', { width: 10, height: 10, type: 5 }, pixels),
    png('depth 255', { width: 10, height: 10, depth: 255 }, pixels),
    png('interlaced', { width: 5_000, height: 4_999, interlace: 1 }, pixels),
    { name: 'only its beginning.png', mediaType: 'image/png', bytes: createPng().subarray(0, 20) },
  ];
}

function hostileGifs(): readonly HostileFile[] {
  const valid = createGif({
    width: 20,
    height: 20,
    indexAt: (x, y) => x * y,
    palette: Buffer.alloc(768, 99),
  });
  const frame = 13 + 768;
  const gif = (name: string, change: (bytes: Buffer) => Buffer | void): HostileFile => {
    const bytes = Buffer.from(valid);
    return { name: `${name}.gif`, mediaType: 'image/gif', bytes: change(bytes) ?? bytes };
  };
  return [
    gif('sixty-five thousand pixels square', (bytes) => bytes.fill(0xff, 6, 10)),
    gif('a frame beyond its picture', (bytes) => bytes.fill(0xff, frame + 1, frame + 9)),
    gif('a frame just below the limit', (bytes) => {
      bytes.writeUInt16LE(5_000, frame + 5);
      bytes.writeUInt16LE(4_999, frame + 7);
    }),
    gif('codes of one bit', (bytes) => bytes.fill(1, frame + 10, frame + 11)),
    gif('codes that do not exist', (bytes) => bytes.fill(0xff, frame + 12)),
    gif('extensions without end', (bytes) =>
      Buffer.concat([
        bytes.subarray(0, frame),
        Buffer.alloc(megabyte, '!\u00f9\u0001\u0000\u0000', 'latin1'),
      ]),
    ),
    gif('no palette', (bytes) => bytes.fill(0, 10, 11)),
    gif('half of it', (bytes) => bytes.subarray(0, frame + 60)),
  ];
}

function jpegBombs(): readonly HostileFile[] {
  const frame = (marker: number, width: number, height: number): Buffer => {
    const bytes = Buffer.from([8, 0, 0, 0, 0, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
    bytes.writeUInt16BE(height, 1);
    bytes.writeUInt16BE(width, 3);
    return jpegSegment(marker, bytes);
  };
  const quantization = jpegSegment(0xdb, Buffer.alloc(65, 1).fill(0, 0, 1));
  // One code of one bit.
  const huffman = (table: number): Buffer => {
    const bytes = Buffer.alloc(18);
    bytes.set([table, 1]);
    return jpegSegment(0xc4, bytes);
  };
  const tables = Buffer.concat([quantization, huffman(0), huffman(0x10)]);
  const scan = (from: number, to: number): Buffer =>
    Buffer.concat([jpegSegment(0xda, Buffer.from([3, 1, 0, 2, 0, 3, 0, from, to, 0])), Buffer.alloc(40)]);
  const exif = Buffer.alloc(2_000, 0xff);
  exif.write('Exif\0\0II', 'latin1');
  exif.writeUInt32LE(8, 10);
  const component = (from: number, to: number): Buffer =>
    Buffer.concat([jpegSegment(0xda, Buffer.from([1, 1, 0, from, to, 0])), Buffer.alloc(4)]);
  return [
    jpeg('sixty-five thousand pixels square', tables, frame(0xc0, 65_500, 65_500), scan(0, 63)),
    jpeg('just below the limit', tables, frame(0xc0, 5_000, 4_999), scan(0, 63)),
    jpeg('progressive, just below the limit', tables, frame(0xc2, 5_000, 4_999), scan(0, 0)),
    jpeg(
      'twenty thousand scans',
      tables,
      frame(0xc2, 5_000, 4_999),
      scan(0, 0),
      ...Array.from({ length: 20_000 }, () => component(1, 63)),
    ),
    jpeg('a second, larger frame', tables, frame(0xc0, 10, 10), frame(0xc2, 65_500, 65_500), scan(0, 63)),
    jpeg('arithmetic', frame(0xc9, 5_000, 4_999), scan(0, 63)),
    jpeg('an orientation without end', jpegSegment(0xe1, exif), tables, frame(0xc0, 10, 10), scan(0, 63)),
    jpeg('nothing but markers', Buffer.alloc(30 * megabyte, 0xff)),
    jpeg('a segment beyond the end', Buffer.from([0xff, 0xe0, 0xff, 0xff, 0])),
    jpeg('no length', Buffer.from([0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
  ];
}
