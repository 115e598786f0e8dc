import fc from 'fast-check';
import { expect, test } from 'vitest';

import { detectMediaType, headBytesMax } from './detect-media-type.ts';

const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(' ', ''), 'hex');
const png = hex(
  '89504e470d0a1a0a 0000000d 49484452 00000001 00000001 08060000 00 1f15c489 00000000 49444154',
);
const html = '<!doctype html><script>alert(1)</script>';
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';

test.each<[string, Buffer | string, string]>([
  ['a PNG', png, 'image/png'],
  ['a JPEG', hex('ffd8ffe0 00104a46 49460001'), 'image/jpeg'],
  ['a GIF', 'GIF89a\u0001\u0000\u0001\u0000', 'image/gif'],
  ['a WebP', Buffer.concat([Buffer.from('RIFF'), hex('24000000'), Buffer.from('WEBPVP8 ')]), 'image/webp'],
  ['an AVIF', Buffer.concat([hex('0000001c'), Buffer.from('ftypavif')]), 'image/avif'],
  ['an MP4', Buffer.concat([hex('0000001c'), Buffer.from('ftypisom')]), 'video/mp4'],
  ['a WAV', Buffer.concat([Buffer.from('RIFF'), hex('24000000'), Buffer.from('WAVEfmt ')]), 'audio/wav'],
  ['a PDF', '%PDF-1.7\n', 'application/pdf'],
  ['English', 'plain words\r\n\tand more', 'text/plain'],
  ['Chinese', '简单的文字', 'text/plain'],
  ['HTML', html, 'text/plain'],
  ['SVG', svg, 'text/plain'],
  ['XML', `<?xml version="1.0"?>${svg}`, 'application/xml'],
  ['script', 'fetch("/")', 'text/plain'],
  ['bytes of another encoding', hex('e9e8e7 20 fffe'), 'application/octet-stream'],
  ['text with a zero in it', 'a\0b', 'application/octet-stream'],
  ['nothing', '', 'application/octet-stream'],
])('detects %s from its bytes', async (_what, bytes, mediaType) => {
  expect(await detectMediaType(Buffer.from(bytes), true)).toBe(mediaType);
});

test('detects text whose head ends within a character, and only there', async () => {
  const cut = Buffer.from('字').subarray(0, 2);
  const head = Buffer.concat([Buffer.alloc(headBytesMax - cut.length, 'x'), cut]);
  expect(await detectMediaType(head, false)).toBe('text/plain');
  expect(await detectMediaType(head, true)).toBe('application/octet-stream');
});

test('returns one media type that is valid in a header for any bytes', async () => {
  const starts = [
    '',
    'RIFF',
    'PK\u0003\u0004',
    'GIF8',
    'OggS',
    '\u001aE\u00df\u00a3',
    'ID3',
    '%PDF',
    '0&\u00b2u',
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }), async (start, rest) => {
      const head = Buffer.concat([Buffer.from(start, 'latin1'), rest]);
      expect(await detectMediaType(head, true)).toMatch(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/);
    }),
  );
});
