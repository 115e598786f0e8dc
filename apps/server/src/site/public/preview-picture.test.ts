import { expect, test } from 'vitest';

import { drawPreview, previewSvg } from './preview-picture.ts';

const plain = { kick: 'Story', title: 'A model', foot: '3 sources' };

test('is a PNG of 1200 by 630', async () => {
  const png = await drawPreview(plain);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
});

test('third-party text cannot become part of the drawing', () => {
  const title = '</text><image href="file:///etc/passwd"/>&amp;"\u202e\u0000';
  const svg = previewSvg({ ...plain, title });
  expect(svg).not.toContain('<image');
  expect(svg).not.toContain('\u202e');
  expect(svg).not.toContain('\0');
});

test.each([
  ['a word without end', 'W'.repeat(10_000)],
  ['Chinese without a space', '模型'.repeat(300)],
  ['emoji', '🎉'.repeat(500)],
  ['nothing', ''],
])('%s stays within four lines', (_name, title) => {
  const lines = previewSvg({ ...plain, title }).match(/font-size="(?:64|56)"[^>]*>[^<]*/g) ?? [];
  expect(lines.length).toBeLessThanOrEqual(4);
  for (const line of lines) expect(Array.from(line).length).toBeLessThan(90);
});
