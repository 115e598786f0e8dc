import fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseEntryName } from '../entry-name.ts';
import { attachment, sentMediaType } from './attachment.ts';

test.each([
  'image/png',
  'video/mp4',
  'text/plain',
  'application/pdf',
  'application/vnd.oasis.opendocument.text',
])('returns the stated type %s', (stated) => {
  expect(sentMediaType(stated)).toBe(stated);
});

test.each([
  'text/html',
  'TEXT/HTML',
  'text/javascript',
  'application/javascript',
  'application/ecmascript',
  'text/jscript',
  'text/css',
  'image/svg+xml',
  'application/xhtml+xml',
  'application/rss+xml',
  'application/vnd.mozilla.xul+xml',
  'text/xml',
  'application/wasm',
  'multipart/x-mixed-replace',
  'message/rfc822',
  'application/x-shockwave-flash',
  'text/something-new',
  '*/*',
])('replaces the stated type %s by bytes', (stated) => {
  expect(sentMediaType(stated)).toBe('application/octet-stream');
});

test('writes a header of two parameters in printable ASCII for any name, with the name in one of them', () => {
  const form = /^attachment; filename="[^"\\%]*"; filename\*=UTF-8''([\w.!~%-]*)$/;
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      const name = parseEntryName(text);
      if (!name.ok) return;
      const header = attachment(name.value);
      expect(header).toMatch(/^[\x20-\x7e]*$/);
      expect(decodeURIComponent(form.exec(header)?.[1] ?? '')).toBe(name.value);
    }),
  );
});
