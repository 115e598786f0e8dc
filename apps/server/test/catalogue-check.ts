import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

function leavesOf(words: object, path: readonly string[] = []): Leaf[] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leavesOf(value, [...path, key])
      : [{ path: [...path, key], value }],
  );
}

/** The files that use the texts, without the catalogues and tests. */
function sourceOf(folders: readonly string[]): string {
  const server = fileURLToPath(new URL('../src/', import.meta.url));
  return folders
    .flatMap((folder) => globSync(`${server}${folder}/**/*.{ts,js}`))
    .filter((file) => !file.includes('/words/') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

/** By the name of the key, or by an index into its group. */
function isUsed(source: string, path: readonly string[]): boolean {
  const [key, group] = path.toReversed() as [string, string | undefined];
  const name = RegExp.escape(key);
  return (
    new RegExp(`\\.${name}\\b|[{,]\\s*${name}\\s*[,:}]|'${name}'`, 'u').test(source) ||
    (group !== undefined && new RegExp(`\\b${group}\\[`, 'u').test(source))
  );
}

/** `{count}` in a text; for a function, which of its first three arguments the text contains. */
function placeholdersOf(value: unknown): readonly string[] {
  if (typeof value === 'string')
    return [...new Set([...value.matchAll(/\{\w+\}/gu)].map(([found]) => found))].sort();
  if (typeof value !== 'function') return [];
  const samples = [7_001, 7_003, 7_007];
  const text = String((value as (...given: number[]) => unknown)(...samples)).replaceAll(',', '');
  return samples.filter((sample) => text.includes(String(sample))).map(String);
}

/** The texts of both languages have the same keys and placeholders, and a file of these folders uses each of them. */
export function checkCatalogues(
  texts: { readonly english: object; readonly chinese: object },
  folders: readonly string[],
): void {
  const [english, chinese] = [leavesOf(texts.english), leavesOf(texts.chinese)];

  test('both languages have the same keys', () => {
    const keysOf = (leaves: readonly Leaf[]): string[] => leaves.map(({ path }) => path.join('.')).sort();
    expect(keysOf(chinese)).toEqual(keysOf(english));
  });

  test('every key is used', () => {
    const source = sourceOf(folders);
    expect(english.filter(({ path }) => !isUsed(source, path))).toEqual([]);
  });

  test('a text has the same placeholders in both languages', () => {
    const translated = new Map(chinese.map(({ path, value }) => [path.join('.'), value]));
    const different = english.filter(
      ({ path, value }) =>
        placeholdersOf(value).join(' ') !== placeholdersOf(translated.get(path.join('.'))).join(' '),
    );
    expect(different.map(({ path }) => path.join('.'))).toEqual([]);
  });
}
