import { describe, expect, test } from 'vitest';

import { createGif } from '../../../../test/pictures.ts';
import { gifPicture } from './gif-picture.ts';

const palette = Buffer.from(Array.from({ length: 768 }, (_, at) => (at * 37) & 255));
const colour = (index: number): readonly number[] => [...palette.subarray(index * 3, index * 3 + 3)];

describe('the first frame of a GIF file', () => {
  test('has the colours of each pixel, with codes of every length', () => {
    // Rarely the same pair twice: the table of codes is filled more than once.
    const indexAt = (x: number, y: number): number => (x * x * 7 + y * 131 + ((x * y) >> 3)) & 255;
    const picture = gifPicture(createGif({ width: 180, height: 120, indexAt, palette }), 1e6);
    expect([picture?.width, picture?.height]).toEqual([180, 120]);
    const wrong = Array.from({ length: 180 * 120 }, (_, at) => at).filter((at) => {
      const shown = [...(picture?.rgb.subarray(at * 3, at * 3 + 3) ?? [])];
      return shown.join() !== colour(indexAt(at % 180, Math.floor(at / 180))).join();
    });
    expect(wrong).toEqual([]);
  });

  test('is white where it is transparent', () => {
    const gif = createGif({ width: 4, height: 4, indexAt: (x) => x, palette, transparent: 2 });
    expect([...(gifPicture(gif, 100)?.rgb.subarray(0, 12) ?? [])]).toEqual([
      ...colour(0),
      ...colour(1),
      255,
      255,
      255,
      ...colour(3),
    ]);
  });

  test('has its rows in order if they are stored in four passes', () => {
    const gif = createGif({ width: 1, height: 8, indexAt: (_, y) => y, palette });
    gif[13 + 768 + 9] = 0x40;
    const { rgb = Buffer.alloc(0) } = gifPicture(gif, 100) ?? {};
    const rows = [0, 4, 2, 5, 1, 6, 3, 7];
    expect([...rgb]).toEqual(rows.flatMap(colour));
  });

  test.each([
    ['another format', Buffer.from('PNG of any kind')],
    ['only a header', Buffer.from('GIF89a\u0001\0\u0001\0\0\0\0', 'latin1')],
    ['more pixels than allowed', createGif({ width: 11, height: 10, indexAt: () => 0, palette })],
  ])('is not read of %s', (_, bytes) => {
    expect(gifPicture(bytes, 100)).toBeNull();
  });
});
