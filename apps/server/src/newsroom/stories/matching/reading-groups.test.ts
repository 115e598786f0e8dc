import { describe, expect, test } from 'vitest';

import { dayMs } from '../../../foundation/clock.ts';
import { aliasTable, builtInAliases } from './aliases.ts';
import { readEntry } from './read-entry.ts';
import type { ReadItem } from './reading-groups.ts';
import { isSameReading, readingKeys } from './reading-groups.ts';

const aliases = aliasTable(builtInAliases());
const noon = Date.UTC(2026, 10, 15, 12);

function read(title: string, { summary = '', at = noon, url = null as string | null } = {}): ReadItem {
  const entry = { title, summary, at, url, originalTitle: null };
  return readEntry(entry, aliases);
}

/** Like the index: they must share a key and be similar. */
function sameGroup(one: ReadItem, other: ReadItem): boolean {
  const keys = new Set(readingKeys(one.signature));
  return readingKeys(other.signature).some((key) => keys.has(key)) && isSameReading(one, other);
}

const text =
  'Corvanta has released Gnomon 5, a model for long documents that reads a million words at once. The company says that it costs half of its predecessor and runs on a single machine. Customers can try it from Monday on, and prices fall in spring.';

describe('a reading group', () => {
  test('contains equal titles in any case and punctuation', () => {
    expect(sameGroup(read('Corvanta releases Gnomon 5'), read('CORVANTA RELEASES “GNOMON 5”!'))).toBe(true);
    expect(sameGroup(read('科文塔发布新一代长文本模型'), read('科文塔发布新一代长文本模型！'))).toBe(true);
  });

  test('contains nearly the same text under another title', () => {
    const reprint = text.replace('from Monday on', 'from this Monday on');
    expect(
      sameGroup(
        read('Gnomon 5 is here', { summary: text }),
        read('New from Corvanta: Gnomon 5', { summary: reprint }),
      ),
    ).toBe(true);
  });

  test('separates similar texts that differ in a figure, a version or a company', () => {
    expect(
      sameGroup(
        read('Corvanta raises $200 million in funding'),
        read('Corvanta raises $300 million in funding'),
      ),
    ).toBe(false);
    expect(
      sameGroup(
        read('Corvanta releases Gnomon 5', { summary: text }),
        read('Corvanta releases Gnomon 6', { summary: text }),
      ),
    ).toBe(false);
    expect(
      sameGroup(
        read('Google cuts prices of its models', { summary: text }),
        read('Microsoft cuts prices of its models', { summary: text }),
      ),
    ).toBe(false);
  });

  test('does not match a shared address, a short title or a title repeated days later', () => {
    const url = 'https://outlet.example/live';
    expect(
      sameGroup(
        read('Corvanta opens a laboratory in Lisbon', { url }),
        read('Solmarch is sued by illustrators', { url }),
      ),
    ).toBe(false);
    expect(sameGroup(read('Weekly update'), read('Weekly update'))).toBe(false);
    const later = read('Your questions about models answered', { at: noon + 7 * dayMs });
    expect(sameGroup(read('Your questions about models answered'), later)).toBe(false);
  });

  test('contains no roundups', () => {
    expect(
      sameGroup(read('The Download: chips and models today'), read('The Download: chips and models today')),
    ).toBe(false);
  });
});
