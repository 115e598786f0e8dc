import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  createJpeg,
  createPng,
  createWebp,
  jpegSegment,
  pngChunk,
  webpChunk,
  webpLossless,
  webpLossy,
} from '../../../test/pictures.ts';
import { pictureBytesMax, readPicture } from './picture-format.ts';

/** Part of every piece of metadata, and of nothing else. */
const place = '48.8584 N, 2.2945 E';
const bytes = fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some));
const secret = bytes.map((some) => Buffer.concat([Buffer.from(place), some]));

function stored(file: Buffer) {
  const picture = readPicture(file);
  if (!picture.ok) throw new Error(picture.reason);
  return picture.value;
}

/** The stored picture equals that of the same picture without metadata, also when it is sent again. */
function expectRid(file: Buffer, plain: Buffer, mediaType: string): void {
  const picture = stored(file);
  expect([picture.mediaType, picture.bytes.includes(place)]).toEqual([mediaType, false]);
  expect(picture.bytes.equals(plain)).toBe(true);
  expect(stored(picture.bytes).bytes.equals(plain)).toBe(true);
}

describe('removes exactly the parts that do not draw the picture', () => {
  test('PNG: texts, times, EXIF, profiles, unknown chunks, further frames, what follows the end', () => {
    const type = fc.constantFrom('tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME', 'iCCP', 'pHYs', 'fdAT', 'prVt');
    const chunks = fc.array(fc.tuple(type, secret).map(([name, data]) => pngChunk(name, data)));
    const drawing = fc.constantFrom([], [pngChunk('gAMA', Buffer.from([0, 0, 177, 143]))]);
    fc.assert(
      fc.property(chunks, chunks, secret, drawing, (before, after, trailing, gamma) => {
        const file = createPng({ before: [...before, ...gamma], after, trailing });
        expectRid(file, createPng({ before: gamma }), 'image/png');
      }),
    );
  });

  test('JPEG: EXIF, XMP, thumbnails, profiles, comments, and pictures or films behind the first', () => {
    const marker = fc.oneof(fc.integer({ min: 0xe0, max: 0xef }), fc.constant(0xfe));
    const segments = fc.array(fc.tuple(marker, secret).map(([kind, data]) => jpegSegment(kind, data)));
    fc.assert(
      fc.property(segments, segments, secret, bytes, (before, between, trailing, scan) => {
        const file = createJpeg({ before, between, trailing, scan });
        expectRid(file, createJpeg({ scan }), 'image/jpeg');
      }),
    );
  });

  test('JPEG: but not the colour encoding', () => {
    const adobe = jpegSegment(0xee, Buffer.from('Adobe\0\u0064\0\0\0\0\u0001', 'latin1'));
    const file = createJpeg({ before: [adobe] });
    expect(stored(file).bytes.equals(file)).toBe(true);
  });

  test('WebP: EXIF, XMP, profiles and unknown chunks, of either kind, with transparency or without', () => {
    const type = fc.constantFrom('EXIF', 'XMP ', 'ICCP', 'abcd');
    const chunks = fc.array(fc.tuple(type, secret).map(([name, data]) => webpChunk(name, data)));
    const head = (flags: number): Buffer =>
      webpChunk('VP8X', Buffer.from([flags, 0, 0, 0, 2, 0, 0, 1, 0, 0]));
    fc.assert(
      fc.property(chunks, bytes, fc.constantFrom('lossy', 'lossless', 'alpha'), (meta, coded, kind) => {
        const image = kind === 'lossless' ? webpLossless(3, 2, coded) : webpLossy(3, 2, coded);
        const alpha = kind === 'alpha' ? [webpChunk('ALPH', coded)] : [];
        const file = createWebp([head(0x3c), ...meta, ...alpha, image, ...meta]);
        const plain = createWebp(kind === 'alpha' ? [head(0x10), ...alpha, image] : [image]);
        expectRid(file, plain, 'image/webp');
      }),
    );
  });
});

test('returns width and height of the picture', () => {
  const files = [
    createPng({ width: 640, height: 480 }),
    createJpeg({ width: 640, height: 480 }),
    createWebp([webpLossy(640, 480, Buffer.alloc(2))]),
    createWebp([webpLossless(640, 480, Buffer.alloc(2))]),
  ];
  for (const file of files) expect(stored(file)).toMatchObject({ width: 640, height: 480 });
});

describe('refused pictures', () => {
  const animated = createWebp([webpChunk('ANIM', Buffer.alloc(6)), webpLossy(3, 2, Buffer.alloc(2))]);
  const damaged = createPng();
  damaged[30] = (damaged[30] ?? 0) ^ 1;
  test.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'unknown'],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'unknown'],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), 'unknown'],
    ['a GIF', Buffer.from('GIF89a\u0001\0\u0001\0', 'latin1'), 'unknown'],
    ['a WebP that moves', animated, 'unknown'],
    ['a PNG with a wrong check sum', damaged, 'unknown'],
    ['a PNG without pixels', createPng({ width: 0 }), 'unknown'],
    ['a JPEG without an end', createJpeg().subarray(0, -2), 'unknown'],
    ['a PNG that is too wide', createPng({ width: 1_025 }), 'too-wide'],
    ['a JPEG that is too high', createJpeg({ height: 1_025 }), 'too-wide'],
    ['a WebP that is too wide', createWebp([webpLossy(1_025, 2, Buffer.alloc(2))]), 'too-wide'],
    ['a file that is too large', createPng({ trailing: Buffer.alloc(pictureBytesMax) }), 'too-large'],
  ])('%s', (_what, file, reason) => {
    expect(readPicture(file)).toEqual({ ok: false, reason });
  });

  test('refuses a picture that is truncated anywhere, and never throws', () => {
    const files = [createPng(), createJpeg(), createWebp([webpLossy(3, 2, Buffer.alloc(9))])];
    for (const file of files)
      for (let length = 0; length < file.length; length += 1)
        expect([length, readPicture(file.subarray(0, length)).ok]).toEqual([length, false]);
    fc.assert(
      fc.property(fc.constantFrom(...files), fc.nat(), fc.uint8Array({ maxLength: 20 }), (file, at, some) => {
        const changed = Buffer.from(file);
        changed.set(some.subarray(0, file.length - (at % file.length)), at % file.length);
        const picture = readPicture(changed);
        const rebuilt = picture.ok ? picture.value.bytes : createPng();
        expect(stored(rebuilt).bytes.equals(rebuilt)).toBe(true);
      }),
    );
  });
});
