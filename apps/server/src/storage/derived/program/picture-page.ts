import { deflateSync, inflateSync } from 'node:zlib';

import { gifPicture } from './gif-picture.ts';

/** Larger pictures have no small one: their rows are decoded in the memory of a sandbox. */
const pixelsMax = 25_000_000;

/** A PDF with one page that shows the picture: the same program then draws pictures and pages of documents. */
export function picturePage(bytes: Buffer): Buffer {
  const image = readJpeg(bytes) ?? readPng(bytes) ?? readGif(bytes);
  if (image === null) throw new Error('not a picture that can be read');
  const { width, height, rotate = 0 } = image;
  if (width === 0 || height === 0 || width * height > pixelsMax) throw new Error('too large');
  // Points: at most 1,000, because the drawing is scaled anyway.
  const scale = Math.min(1, 1_000 / Math.max(width, height));
  const [across, down] = [Math.max(1, width * scale), Math.max(1, height * scale)];
  const content = `${across} 0 0 ${down} 0 0 cm /I Do`;
  return document([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /Rotate ${rotate} /MediaBox [0 0 ${across} ${down}] /Resources << /XObject << /I 5 0 R >> >> /Contents 4 0 R >>`,
    stream('', Buffer.from(content)),
    stream(
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${image.dictionary}`,
      image.data,
    ),
  ]);
}

interface PictureData {
  readonly width: number;
  readonly height: number;
  /** Of the PDF: colours and encoding. */
  readonly dictionary: string;
  readonly data: Buffer;
  readonly rotate?: number;
}

const frames = new Set([0xc0, 0xc1, 0xc2]);

/** As it is: PDF contains JPEG files. */
function readJpeg(bytes: Buffer): PictureData | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff_d8) return null;
  let rotate = 0;
  let isInverted = false;
  for (let at = 2; at + 10 < bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return null;
    const segment = bytes.subarray(at + 4, at + 2 + length);
    if (marker === 0xe1) rotate = rotationOf(segment) ?? rotate;
    if (marker === 0xee) isInverted = segment.toString('latin1', 0, 5) === 'Adobe';
    if (frames.has(marker) && segment.length >= 6) {
      const [height, width, channels] = [segment.readUInt16BE(1), segment.readUInt16BE(3), segment[5] ?? 0];
      const space = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' }[channels];
      if (space === undefined) return null;
      const decode = channels === 4 && isInverted ? '/Decode [1 0 1 0 1 0 1 0]' : '';
      const dictionary = `/ColorSpace ${space} /BitsPerComponent 8 /Filter /DCTDecode ${decode}`;
      return { width, height, dictionary, data: bytes, rotate };
    }
    at += 2 + length;
  }
  return null;
}

/** From EXIF. Mirrored pictures are shown as they are. */
function rotationOf(segment: Buffer): number | null {
  if (segment.toString('latin1', 0, 6) !== 'Exif\0\0' || segment.length < 14) return null;
  const tiff = segment.subarray(6);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number): number =>
    at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const start = tiff.length < 8 ? 0 : isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < Math.min(200, short(start)); entry += 1) {
    const at = start + 2 + entry * 12;
    if (short(at) === 0x01_12) return { 3: 180, 6: 90, 8: 270 }[short(at + 8)] ?? 0;
  }
  return null;
}

function readGif(bytes: Buffer): PictureData | null {
  const picture = gifPicture(bytes, pixelsMax);
  if (picture === null) return null;
  const { width, height, rgb } = picture;
  const dictionary = '/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode';
  return { width, height, dictionary, data: deflateSync(rgb, { level: 1 }) };
}

const pngStart = Buffer.from('89504e470d0a1a0a', 'hex');
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function readPng(bytes: Buffer): PictureData | null {
  if (!bytes.subarray(0, 8).equals(pngStart) || bytes.length < 33) return null;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth = 0, type = 0, , , interlace] = bytes.subarray(24, 29);
  const channels = channelsOf[type];
  if (channels === undefined || interlace !== 0 || width * height > pixelsMax) return null;
  const { data, palette } = chunksOf(bytes);
  if (type === 4 || type === 6) return depth === 8 ? withoutAlpha({ width, height, channels, data }) : null;
  const indexed = `[/Indexed /DeviceRGB ${Math.floor(palette.length / 3) - 1} <${palette.toString('hex')}>]`;
  const space = { 0: '/DeviceGray', 2: '/DeviceRGB', 3: indexed }[type] ?? '';
  if (type === 3 && palette.length < 3) return null;
  const parameters = `/Predictor 15 /Colors ${channels} /BitsPerComponent ${depth} /Columns ${width}`;
  const dictionary = `/ColorSpace ${space} /BitsPerComponent ${depth} /Filter /FlateDecode /DecodeParms << ${parameters} >>`;
  return { width, height, dictionary, data };
}

function chunksOf(bytes: Buffer): { readonly data: Buffer; readonly palette: Buffer } {
  const data: Buffer[] = [];
  let palette = Buffer.alloc(0);
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IDAT') data.push(content);
    if (type === 'PLTE') palette = Buffer.from(content.subarray(0, 768));
    if (type === 'IEND') break;
    at += 12 + length;
  }
  return { data: Buffer.concat(data), palette };
}

/** On white. Rows are decoded as the PNG specification says (filter types 0 to 4). */
function withoutAlpha({
  width,
  height,
  channels,
  data,
}: Pick<PictureData, 'width' | 'height' | 'data'> & { readonly channels: number }): PictureData {
  const row = width * channels;
  const coded = inflateSync(data, { maxOutputLength: (row + 1) * height });
  if (coded.length < (row + 1) * height) throw new Error('rows are missing');
  const colours = channels - 1;
  const shown = Buffer.alloc(width * height * colours);
  let above = Buffer.alloc(row);
  for (let y = 0; y < height; y += 1) {
    const start = y * (row + 1);
    const line = Buffer.from(coded.subarray(start + 1, start + 1 + row));
    unfilter(coded[start] ?? 0, line, above, channels);
    for (let x = 0; x < width; x += 1) {
      const alpha = (line[x * channels + colours] ?? 0) / 255;
      for (let colour = 0; colour < colours; colour += 1)
        shown[(y * width + x) * colours + colour] = Math.round(
          (line[x * channels + colour] ?? 0) * alpha + 255 * (1 - alpha),
        );
    }
    above = line;
  }
  const space = colours === 1 ? '/DeviceGray' : '/DeviceRGB';
  const dictionary = `/ColorSpace ${space} /BitsPerComponent 8 /Filter /FlateDecode`;
  return { width, height, dictionary, data: deflateSync(shown, { level: 1 }) };
}

function unfilter(type: number, line: Buffer, above: Buffer, step: number): void {
  for (let at = 0; at < line.length; at += 1) {
    const left = at < step ? 0 : (line[at - step] ?? 0);
    const up = above[at] ?? 0;
    const corner = at < step ? 0 : (above[at - step] ?? 0);
    line[at] = (line[at] ?? 0) + predicted(type, left, up, corner);
  }
}

function predicted(type: number, left: number, up: number, corner: number): number {
  if (type === 0) return 0;
  if (type === 1) return left;
  if (type === 2) return up;
  if (type === 3) return (left + up) >> 1;
  const estimate = left + up - corner;
  const [byLeft, byUp, byCorner] = [left, up, corner].map((value) => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

function stream(dictionary: string, data: Buffer): Buffer {
  const head = Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`);
  return Buffer.concat([head, data, Buffer.from('\nendstream')]);
}

function document(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n')];
  const places: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    places.push(length);
    length += part.length;
    parts.push(part);
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
