import { expect, test } from 'vitest';

import { decodeDocument } from './decode-document.ts';

const gbk = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
/** `人工智能公司发布了新的模型` in GBK. */
const chinese = gbk('c8cbb9a4d6c7c4dcb9abcbbeb7a2b2bcc1cbd0c2b5c4c4a3d0cd');
const text = (bytes: Uint8Array, contentType: string | null = null): string =>
  decodeDocument(bytes, contentType).text;
const ascii = (value: string): Uint8Array => new TextEncoder().encode(value);
const join = (...parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

test('decodes GBK with a UTF-8 header as GBK', () => {
  const document = join(ascii('<?xml version="1.0" encoding="utf-8"?><title>'), chinese, ascii('</title>'));
  expect(text(document, 'application/rss+xml; charset=utf-8')).toContain('人工智能公司发布了新的模型');
});

test('follows the standard order: byte order mark, header, declaration, UTF-8', () => {
  const declared = join(ascii('<?xml version="1.0" encoding="gb2312"?>'), chinese);
  expect(decodeDocument(declared, null)).toMatchObject({ encoding: 'gbk', settledBy: 'declaration' });
  expect(decodeDocument(declared, 'text/xml; charset=gb18030')).toMatchObject({
    encoding: 'gb18030',
    settledBy: 'http',
  });
  const marked = join(gbk('efbbbf'), ascii('é'));
  expect(decodeDocument(marked, 'text/xml; charset=iso-8859-1')).toMatchObject({
    text: 'é',
    settledBy: 'byte order mark',
  });
  expect(decodeDocument(ascii('é'), null)).toMatchObject({ text: 'é', settledBy: 'default' });
});

test('decodes UTF-8 with a label of Latin-1 or GBK as UTF-8', () => {
  expect(text(ascii('naïve – “quoted”'), 'text/xml; charset=iso-8859-1')).toBe('naïve – “quoted”');
  expect(text(ascii('人工智能公司'), 'text/xml; charset=gbk')).toBe('人工智能公司');
});

test('decodes a few Windows-1252 bytes in UTF-8 without replacement characters', () => {
  const mixed = join(
    ascii('naïve café, über – '),
    gbk('93'),
    ascii('quoted'),
    gbk('94'),
    ascii(' it'),
    gbk('92'),
    ascii('s'),
  );
  expect(text(mixed)).toBe('naïve café, über – “quoted” it’s');
});

test('decodes bytes that are valid only in Latin-1 as Windows-1252', () => {
  expect(text(join(ascii('caf'), gbk('e9'), ascii(' 2 '), gbk('80')))).toBe('café 2 €');
});

test.each([
  ['big5', 'a4a4b0eaaabaa4bda5qqq'.slice(0, 16), '中國的公'],
  ['shift_jis', '82b182ea82cd8366815b835e82c582b7', 'これはデータです'],
  ['koi8-r', 'edcfc4c5ccd820d7d9d0d5ddc5cec1', 'Модель выпущена'],
])('recognises %s without a label', (encoding, hex, expected) => {
  expect(decodeDocument(gbk(hex), null)).toMatchObject({ encoding, text: expected });
});

test('recognises UTF-16 without a byte order mark by its zero bytes', () => {
  const utf16 = Uint8Array.from(['<', 'a', '>'].flatMap((character) => [0, character.charCodeAt(0)]));
  expect(text(utf16)).toBe('<a>');
});
