import { normalizeTokenText } from '@daybook/grounding/text';

import { dayMs } from '../../../foundation/clock.ts';
import { sameFigure } from '../../../language/headline-figures.ts';
import type { EntryTerms, StoryEntry } from './entry-terms.ts';
import { sharesVersion } from './entry-terms.ts';
import { hashText, mix, shingles } from './shingles.ts';
import type { ReadText } from './text-sketch.ts';
import type { EntryFacts } from './weighed-entry.ts';

/** Identifies near-identical items of one fact: small enough to be stored with each item. */
export interface ReadingSignature {
  /** The title without case, spaces and punctuation; null if it is too short. */
  readonly titleKey: string | null;
  /** MinHash of title and summary: the share of equal values estimates the overlap of shingles. */
  readonly hashes: readonly number[];
}

const hashCount = 48;
const bandSize = 4;
const summaryCharsMax = 1200;
/** Unrelated items share shorter titles: “Weekly update”, “通知”. */
const titleLettersMin = 16;
const titleHanMin = 7;
/** With fewer shingles an estimate is meaningless. */
const shinglesMin = 4;
const alikeFrom = 0.6;
const windowMs = 3 * dayMs;

export function readingSignature({
  title,
  summary,
}: Pick<StoryEntry, 'title' | 'summary'>): ReadingSignature {
  const letters = lettersOf(title);
  const han = letters.match(/\p{Script=Han}/gu)?.length ?? 0;
  const telling = han >= titleHanMin || letters.length - han >= titleLettersMin;
  return {
    titleKey: telling ? letters : null,
    hashes: minHash(shingles(`${title}\n${summary.slice(0, summaryCharsMax)}`)),
  };
}

/** Keys for an index: items that may belong to one reading group share at least one. */
export function readingKeys({ titleKey, hashes }: ReadingSignature): readonly string[] {
  const keys = titleKey === null ? [] : [`title ${titleKey}`];
  for (let at = 0; at + bandSize <= hashes.length; at += bandSize) {
    keys.push(`band ${at} ${hashes.slice(at, at + bandSize).join(' ')}`);
  }
  return keys;
}

/** The input of reading groups. */
export interface ReadItem {
  readonly signature: ReadingSignature;
  /** Index keys for near-identical items, derived from the signature. */
  readonly readingTerms: readonly string[];
  readonly terms: EntryTerms;
  /** Of its publisher's text; null if that is too short to recognise copies. */
  readonly text: ReadText | null;
}

/** The part of an item that decides whether two are one reading. */
type ReadFacts = Pick<ReadItem, 'signature'> & { readonly terms: EntryFacts };

/** Equal titles or nearly the same text within three days; never if a figure, a version or a company differs. */
export function isSameReading(one: ReadFacts, other: ReadFacts): boolean {
  if (one.terms.roundup || other.terms.roundup) return false;
  const [here, there] = [one.terms.at, other.terms.at];
  if (here !== null && there !== null && Math.abs(here - there) > windowMs) return false;
  if (clashes(one.terms, other.terms)) return false;
  const { titleKey } = one.signature;
  if (titleKey !== null && titleKey === other.signature.titleKey) return true;
  return textSimilarity(one.signature, other.signature) >= alikeFrom;
}

/** Estimated share of common shingles: 0 to 1. */
function textSimilarity({ hashes: one }: ReadingSignature, { hashes: other }: ReadingSignature): number {
  if (one.length !== hashCount || other.length !== hashCount) return 0;
  let same = 0;
  for (const [at, hash] of one.entries()) if (hash === other[at]) same += 1;
  return same / hashCount;
}

/** Two stories in nearly the same words differ in a name or a figure. */
function clashes(one: EntryFacts, other: EntryFacts): boolean {
  const [here, there] = [one.title, other.title];
  if (here.companies.size > 0 && there.companies.size > 0 && here.companies.isDisjointFrom(there.companies))
    return true;
  for (const [name, versions] of here.versions) {
    const others = there.versions.get(name);
    if (others !== undefined && !sharesVersion(versions, others)) return true;
  }
  const lacks = (quantities: typeof here.quantities, others: typeof here.quantities): boolean =>
    quantities.some((quantity) => !others.some((ours) => sameFigure(quantity, ours)));
  return lacks(here.quantities, there.quantities) && lacks(there.quantities, here.quantities);
}

function lettersOf(text: string): string {
  return normalizeTokenText(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

function minHash(found: readonly string[]): readonly number[] {
  if (found.length < shinglesMin) return [];
  const least = new Uint32Array(hashCount).fill(0xffffffff);
  for (const shingle of found) {
    const base = hashText(shingle);
    for (let at = 0; at < hashCount; at += 1) {
      const hash = mix(base ^ Math.imul(at + 1, 0x9e3779b1));
      if (hash < (least[at] ?? 0)) least[at] = hash;
    }
  }
  return [...least];
}
