import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

type Tokens = Readonly<Record<string, string>>;

const tokensFile = readFileSync(new URL('styles/tokens.css', import.meta.url), 'utf8');
const declared = [...tokensFile.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)];
const looks: Readonly<Record<'light' | 'dark', Tokens>> = {
  light: Object.fromEntries(declared.map(([, name, light]) => [name, light])),
  dark: Object.fromEntries(declared.map(([, name, , dark]) => [name, dark])),
};

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** As WCAG 2.2 defines it. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Pairs of colours and their required contrast: text 4.5, borders of controls 3. */
const pairs = [
  ['ink', 'paper', 4.5],
  ['faint', 'paper', 4.5],
  ['accent', 'paper', 4.5],
  ['good', 'paper', 3],
  ['bad', 'paper', 4.5],
  ['ink', 'code', 4.5],
  ['ink', 'field', 4.5],
  ['border', 'paper', 3],
  ['border', 'field', 3],
  ['on-accent', 'accent', 4.5],
  ['ink', 'wash', 4.5],
  ['faint', 'wash', 4.5],
  ['accent', 'wash', 4.5],
] as const;

describe.each(Object.entries(looks))('in the %s look', (_name, tokens) => {
  test.each(pairs)('%s on %s has enough contrast', (front, back, atLeast) => {
    expect(contrast(tokens[front]!, tokens[back]!)).toBeGreaterThanOrEqual(atLeast);
  });
});

test('docs/design.md lists the actual colours and contrasts', () => {
  const design = readFileSync(new URL('../../../../../docs/design.md', import.meta.url), 'utf8');
  for (const [name, value] of Object.entries(looks.light))
    expect(design).toMatch(
      new RegExp(`\\| \`--${name}\` +\\| \`${value}\` +\\| \`${looks.dark[name]}\` +\\|`),
    );
  for (const [front, back] of pairs) {
    const figures = Object.values(looks).map((tokens) => contrast(tokens[front]!, tokens[back]!).toFixed(1));
    expect(design).toContain(`| \`${front}\` on \`${back}\` | ${figures.join(' | ')} |`);
  }
});
