import { readFileSync } from 'node:fs';

import { hanCharacter, normalizeTokenText, tokenize } from '@daybook/grounding/text';

/** The kind of a name. `concept` is not a name but a common word of news: to sue, a chip, a valuation. */
export const aliasKinds = ['company', 'person', 'product', 'place', 'concept'] as const;
export type AliasKind = (typeof aliasKinds)[number];

export interface AliasEntry {
  readonly kind: AliasKind;
  /** All names of one entity, in any language; the first is its key. */
  readonly names: readonly string[];
}

/** A name found in a text. */
export interface AliasHit {
  readonly kind: AliasKind;
  readonly key: string;
}

/** Looks up names. Built once at start; the operator's entries extend the built-in ones. */
export interface AliasTable {
  readonly size: number;
  /** `stems` are the Latin words of a text in order. */
  readonly inWords: (stems: readonly string[]) => readonly AliasHit[];
  readonly inHan: (run: string) => readonly AliasHit[];
}

/** Parses the format of aliases.json: kinds to lists of names. */
export function parseAliases(text: string): readonly AliasEntry[] {
  const parsed = JSON.parse(text) as unknown;
  if (typeof parsed !== 'object' || parsed === null)
    throw new TypeError('aliases: expected an object of kinds');
  return Object.entries(parsed).flatMap(([kind, lists]) => {
    if (!isAliasKind(kind)) throw new TypeError(`aliases: unknown kind ${kind}`);
    if (!Array.isArray(lists)) throw new TypeError(`aliases: ${kind} must be a list of lists of names`);
    return lists.map((names: unknown) => ({ kind, names: checkedNames(kind, names) }));
  });
}

function isAliasKind(kind: string): kind is AliasKind {
  return (aliasKinds as readonly string[]).includes(kind);
}

function checkedNames(kind: string, names: unknown): readonly string[] {
  if (!Array.isArray(names) || names.length === 0)
    throw new TypeError(`aliases: ${kind}: a list of names is empty`);
  for (const name of names) {
    if (typeof name !== 'string' || name.trim() === '')
      throw new TypeError(`aliases: ${kind}: a name is empty`);
  }
  return names as readonly string[];
}

/** The entries that ship with Daybook. */
export function builtInAliases(): readonly AliasEntry[] {
  return ['aliases.json', 'concepts.json'].flatMap((file) =>
    parseAliases(readFileSync(new URL(file, import.meta.url), 'utf8')),
  );
}

export function aliasTable(entries: readonly AliasEntry[]): AliasTable {
  const words = new Map<string, AliasHit[]>();
  const han = new Map<string, AliasHit[]>();
  let [wordsMax, hanMax] = [1, 1];
  for (const { kind, names } of entries) {
    const hit: AliasHit = { kind, key: (names[0] ?? '').toLowerCase() };
    for (const name of names) {
      if (hanCharacter.test(name)) {
        const plain = normalizeTokenText(name).replaceAll(/\s+/g, '');
        hanMax = Math.max(hanMax, Array.from(plain).length);
        addHit(han, plain, hit);
      } else {
        const stems = tokenize(name).map(({ text }) => text);
        wordsMax = Math.max(wordsMax, stems.length);
        addHit(words, stems.join(' '), hit);
      }
    }
  }
  return {
    size: entries.length,
    inWords: (stems) => longestHits(stems, ' ', words, wordsMax),
    inHan: (run) => longestHits(Array.from(run), '', han, hanMax),
  };
}

function addHit(table: Map<string, AliasHit[]>, name: string, hit: AliasHit): void {
  const hits = table.get(name);
  if (hits === undefined) table.set(name, [hit]);
  else if (!hits.some(({ kind, key }) => kind === hit.kind && key === hit.key)) hits.push(hit);
}

/** From left to right, the longest name at each position. */
function longestHits(
  parts: readonly string[],
  separator: string,
  table: ReadonlyMap<string, readonly AliasHit[]>,
  longest: number,
): readonly AliasHit[] {
  const found: AliasHit[] = [];
  let at = 0;
  while (at < parts.length) {
    let taken = 1;
    for (let length = Math.min(longest, parts.length - at); length > 0; length -= 1) {
      const hits = table.get(parts.slice(at, at + length).join(separator));
      if (hits === undefined) continue;
      found.push(...hits);
      taken = length;
      break;
    }
    at += taken;
  }
  return found;
}
