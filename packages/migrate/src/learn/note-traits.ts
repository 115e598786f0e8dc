import { hanPairs, isHan, tokens } from '../classify/note-tokens.ts';
import { baseOf } from '../sources/dated-name.ts';
import type { Target } from '../targets/target.ts';

/** What the learned layer reads of a chunk. */
export interface TraitSource {
  /** The path of its note. */
  readonly source: string;
  readonly headings: readonly string[];
  readonly tags: readonly string[];
  /** The proposal of the scan and the kind of evidence for it. */
  readonly proposed: Target;
  readonly basis: string | null;
  /** The beginning of its text. */
  readonly opening: string;
}

/** A property that notes share, and how much it counts. */
export interface Trait {
  readonly name: string;
  readonly value: number;
}

export const openingChars = 600;
const foldersMax = 4;
const titleWordsMax = 8;
const openingWordsMax = 20;
const values = { folder: 1, parent: 0.5, tag: 1, proposal: 0.5, title: 0.7, opening: 0.3 } as const;

export function traitsOf(chunk: TraitSource): readonly Trait[] {
  const traits = new Map<string, number>();
  const add = (name: string, value: number): void => {
    if (!traits.has(name)) traits.set(name, value);
  };
  const folders = chunk.source.split('/').slice(0, -1);
  for (let depth = folders.length; depth > Math.max(0, folders.length - foldersMax); depth -= 1) {
    const isOwn = depth === folders.length;
    add(`folder ${folders.slice(0, depth).join('/')}/`, isOwn ? values.folder : values.parent);
  }
  for (const tag of chunk.tags) add(`tag ${tag.toLowerCase()}`, values.tag);
  add(`proposal ${chunk.proposed} ${chunk.basis ?? 'section'}`, values.proposal);
  const title = [baseOf(chunk.source).replace(/[-_.]+/g, ' '), ...chunk.headings.slice(-2)].join(' ');
  for (const word of wordsOf(title).slice(0, titleWordsMax)) add(`title ${word}`, values.title);
  const opening = chunk.opening.slice(0, openingChars);
  for (const word of wordsOf(opening).slice(0, openingWordsMax)) add(`word ${word}`, values.opening);
  return Array.from(traits, ([name, value]) => shared(name, value));
}

/** Notes share most of their traits: each exists once. Emptied when full, so that it cannot grow without bound. */
const known = new Map<string, Trait>();
const knownMax = 200_000;

function shared(name: string, value: number): Trait {
  const found = known.get(name);
  if (found !== undefined && found.value === value) return found;
  const trait = { name, value };
  if (known.size >= knownMax) known.clear();
  known.set(name, trait);
  return trait;
}

function wordsOf(text: string): readonly string[] {
  const words = tokens(text).flatMap(({ raw, key, telling }) => {
    if (isHan(raw)) return hanPairs(raw);
    return telling ? [key] : [];
  });
  return [...new Set(words)];
}
