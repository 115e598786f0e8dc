import type { Aligned } from './alignment.ts';
import { alignClaim, bestAligned } from './alignment.ts';
import { dateKey } from './dates.ts';
import type { Entity } from './entities.ts';
import { sharesWord } from './entities.ts';
import { stemOf } from './language/text-tokens.ts';
import { findWords, stem } from './latin-words.ts';
import { functionWords } from './negation.ts';
import type { Passage } from './passages.ts';
import type { GroundingSource } from './source.ts';

/** Names whose roles the aligned sentences exchange, or that they give to another name. */
export function misplacedNames(
  claim: Passage,
  aligned: readonly Aligned[],
  sources: readonly GroundingSource[],
): string[] {
  const isWord = (word: string): boolean =>
    sources.some((source) => source.names().lowerStems.has(stem(word)));
  const names = claim.entities().filter(({ words }) => words[0]?.length === 2 || !words.every(isWord));
  if (names.length === 0 || isTitleCase(claim.text, isWord)) return [];
  const near = bestAligned(aligned, 0.5, 0.1);
  const swaps = near.map(({ passage }) => swappedNames(claim, names, passage));
  const swapped = swaps.includes(null) ? [] : (swaps.find((one) => one !== undefined) ?? []);
  return [
    ...swapped,
    ...agentFaults(claim, names, sources),
    ...names
      .filter((name) => !isDemonym(claim, name) && isStranger(claim, name, names, sources))
      .map(({ text }) => text),
  ];
}

/** Capitals inside the sentence on words that the sources write in lower case. */
function isTitleCase(text: string, isWord: (word: string) => boolean): boolean {
  const inside = findWords(text).filter(({ opens, text: word }) => !opens && /^\p{Lu}\p{Ll}+$/u.test(word));
  return inside.filter(({ lower }) => functionWords.has(lower) || isWord(lower)).length > 1;
}

const passive = /\b(?:by|been|being)\b/u;

/** Two names in the reverse order with a shared word between them in both; null if the order is the same. */
function swappedNames(
  claim: Passage,
  names: readonly Entity[],
  passage: Passage,
): string[] | null | undefined {
  const stated = passage.entities();
  let result: null | undefined;
  for (const [at, one] of names.entries()) {
    for (const other of names.slice(at + 1)) {
      if (sharesWord(one, other)) continue;
      if (isExchanged(claim, one, other, passage, stated)) return [one.text, other.text];
      const order = orderOf(claim, one, other, passage, stated);
      if (order === 'same') result = null;
      else if (order === 'reverse' && !isComparedBackwards(claim, passage)) return [one.text, other.text];
    }
  }
  return result;
}

/** Each name follows the date or number that the sentence gives to the other one. */
function isExchanged(
  claim: Passage,
  one: Entity,
  other: Entity,
  passage: Passage,
  stated: readonly Entity[],
): boolean {
  const mine = [neighboursOf(claim, one), neighboursOf(claim, other)] as const;
  const theirs = [one, other].map((name) =>
    stated
      .filter((candidate) => sharesWord(name, candidate))
      .map((candidate) => neighboursOf(passage, candidate)),
  );
  const meets = (own: Neighbours, some: readonly Neighbours[] | undefined): boolean =>
    (some ?? []).some(([left]) => /^(?:date |#)/u.test(left) && left === own[0]);
  return (
    meets(mine[0], theirs[1]) &&
    meets(mine[1], theirs[0]) &&
    !meets(mine[0], theirs[0]) &&
    !meets(mine[1], theirs[1])
  );
}

type Neighbours = readonly [string, string];

/** The order of two names in a sentence, if a word between them in the claim is between them there too. */
function orderOf(
  claim: Passage,
  one: Entity,
  other: Entity,
  passage: Passage,
  stated: readonly Entity[],
): 'same' | 'reverse' | null {
  let order: 'reverse' | null = null;
  for (const a of stated.filter((candidate) => sharesWord(one, candidate))) {
    for (const b of stated.filter((candidate) => sharesWord(other, candidate) && candidate !== a)) {
      const [left, right] = a.start < b.start ? [a, b] : [b, a];
      const between = passage.text.slice(left.end, right.start);
      if (/[,;:()]/u.test(between) || !sharedBetween(claim, one, other, passage, left, right)) continue;
      if (left === a) return 'same';
      if (passive.test(claim.text.slice(one.end, other.start)) === passive.test(between)) order = 'reverse';
    }
  }
  return order;
}

/** "A is slower than B" follows from "B is faster than A". */
function isComparedBackwards(claim: Passage, passage: Passage): boolean {
  return claim.opposites.some(({ pair, sign }) =>
    passage.opposites.some((one) => one.pair === pair && one.sign !== sign),
  );
}

/** Most words that are no names between the names of the claim are between those of the sentence. */
function sharedBetween(
  claim: Passage,
  one: Entity,
  other: Entity,
  passage: Passage,
  a: Entity,
  b: Entity,
): boolean {
  const said = wordsBetween(claim, one.end, other.start);
  return said.size > 0 && said.intersection(wordsBetween(passage, a.end, b.start)).size / said.size >= 0.6;
}

function wordsBetween(
  { tokens, text, start: offset }: Passage,
  from: number,
  to: number,
): ReadonlySet<string> {
  const inside = tokens.filter(({ start, end }) => start - offset >= from && end - offset <= to);
  return new Set(
    inside.filter(({ start }) => /^\p{Ll}/u.test(text.slice(start - offset))).map(({ key }) => key),
  );
}

/** The claim makes the object of a verb what the source makes its agent: "A sacked B" from "sacked by B". */
function agentFaults(
  claim: Passage,
  names: readonly Entity[],
  sources: readonly GroundingSource[],
): string[] {
  const [subject, object] = names;
  if (subject === undefined || object === undefined || passive.test(claim.text)) return [];
  const verb = /^ (\p{Ll}+) (?:the )?$/u.exec(claim.text.slice(subject.end, object.start))?.[1];
  if (verb === undefined) return [];
  const passages = sources.flatMap((source) => source.statements().passages);
  const isAgent = ({ text, entities }: Passage): boolean =>
    entities().some((agent) => {
      const before = /(\p{Ll}+) by (?:the )?$/u.exec(text.slice(0, agent.start))?.[1];
      return (
        before !== undefined &&
        stemOf(before) === stemOf(verb) &&
        sharesWord(agent, object) &&
        !sharesWord(agent, subject)
      );
    });
  return passages.some(isAgent) ? [subject.text] : [];
}

/** "American soldiers" may be soldiers of the U.S. */
function isDemonym({ text }: Passage, { words, end }: Entity): boolean {
  return (
    words.length === 1 && /(?:an|ish|ese|ch)$/u.test(words[0] ?? '') && /^ \p{Ll}/u.test(text.slice(end))
  );
}

/** The rest of the claim must be in one sentence to this share. */
const strangerMin = 0.6;

/** A name that neither the best sentence nor the sentences before it contain, where it has another name instead. */
function isStranger(
  claim: Passage,
  name: Entity,
  names: readonly Entity[],
  sources: readonly GroundingSource[],
): boolean {
  const own = new Set(
    claim.tokens.filter(({ start }) => start >= name.start && start < name.end).map(({ key }) => key),
  );
  const aligned = alignClaim(claim, sources, (key) => own.has(key), true);
  const best = aligned.reduce<Aligned | null>(
    (top, one) => (top === null || one.score > top.score ? one : top),
    null,
  );
  if (
    best === null ||
    best.score < strangerMin ||
    claim.keys.size - own.size + claim.quantities.length + claim.dates.length < 3
  )
    return false;
  const { passages } = best.source.statements();
  const at = passages.indexOf(best.passage);
  const has = (passage: Passage): boolean => passage.entities().some((one) => sharesWord(one, name));
  if (passages.slice(Math.max(0, at - 3), at + 1).some(has)) return false;
  if (aligned.some((one) => one.score > best.score - 0.15 && has(one.passage))) return false;
  const all = passages.filter(has).length;
  if (all === 0 || all > passages.length / 3) return false;
  const isCredited = /according to (?:the )?$/iu.test(claim.text.slice(0, name.start));
  const mine = neighboursOf(claim, name);
  return best.passage.entities().some((one) => {
    if (names.some((other) => sharesWord(other, one))) return false;
    const theirs = neighboursOf(best.passage, one);
    return isCredited || mine.some((key) => key !== '' && theirs.includes(key));
  });
}

/** The words or dates directly before and after a name, apart from function words. */
function neighboursOf(passage: Passage, name: Entity): readonly [string, string] {
  const [start, end] = [name.start + passage.start, name.end + passage.start];
  const keys = [
    ...passage.tokens,
    ...passage.quantities.map((one) => ({ ...one, key: `#${one.numeral.value}` })),
    ...passage.dates.map((date) => ({ ...date, key: dateKey(date) })),
  ];
  const left = keys.filter((one) => one.end <= start).sort((one, other) => other.end - one.end)[0];
  const right = keys.filter((one) => one.start >= end).sort((one, other) => one.start - other.start)[0];
  const near = (from: number, to: number): boolean =>
    to - from < 12 && !/[,;:]/u.test(passage.text.slice(from - passage.start, to - passage.start));
  return [
    left !== undefined && near(left.end, start) ? left.key : '',
    right !== undefined && near(end, right.start) ? right.key : '',
  ];
}
