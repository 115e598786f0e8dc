import { expect, test } from 'vitest';

import { blocksOf, withoutBlocks } from './blocks.ts';

const news = 'Veltrane opened a data center in Bergen on Monday and will employ 120 people.';
const note = 'Mara Quill writes about data centers and lives in Bergen.';

test('removes repeated paragraphs whatever their case and spaces, and no others', () => {
  const repeated = new Set(blocksOf(note));
  expect(
    withoutBlocks(
      `${news}\n\n  MARA quill  writes about data centers and lives in Bergen.\n${news} Again.`,
      repeated,
    ),
  ).toBe(`${news}\n\n${news} Again.`);
});

test('treats paragraphs that differ in a figure as different', () => {
  expect(blocksOf('Shares of Veltrane rose 3 percent today.')).not.toEqual(
    blocksOf('Shares of Veltrane rose 4 percent today.'),
  );
});

test('removes nothing from a text that consists of repeated paragraphs', () => {
  const text = `${news}\n${note}`;
  expect(withoutBlocks(text, new Set(blocksOf(text)))).toBe(text);
});

test('reads the beginning and the end of a long page, and no short lines', () => {
  const lines = Array.from({ length: 100 }, (_, at) => `Paragraph ${at} of a long page about data centers.`);
  const blocks = blocksOf(['Share', ...lines].join('\n'));
  expect(blocks).toHaveLength(48);
  expect(blocks).toContain(blocksOf(lines[11] ?? '')[0]);
  expect(blocks).not.toContain(blocksOf(lines[12] ?? '')[0]);
  expect(blocks).toContain(blocksOf(lines[64] ?? '')[0]);
});
