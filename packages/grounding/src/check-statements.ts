import { alignClaim, bestAligned } from './alignment.ts';
import type { Aligned } from './alignment.ts';
import { boundsConflict, fractionBounds } from './bounds.ts';
import { exceeds, isUncertain, planOf } from './certainty.ts';
import { entitiesOf } from './entities.ts';
import type { Finding } from './finding.ts';
import { misplacedHanNames } from './han-roles.ts';
import type { Span } from './language/plain-text.ts';
import { flippedWords } from './negation.ts';
import { misplacedOrdinals } from './ordinals.ts';
import type { Passage } from './passages.ts';
import { misplacedPeriods } from './periods.ts';
import { misplacedNames } from './roles.ts';
import type { GroundingSource } from './source.ts';
import { clauseOf } from './value-slots.ts';

/** Statements of the claim that differ from the sentences that say the same. */
export function statementFindings(claim: Passage, sources: readonly GroundingSource[]): Finding[] {
  const aligned = alignClaim(claim, sources);
  const alike = aligned.filter(({ score }) => score >= 0.3).map(({ passage }) => passage.polarity());
  return [
    ...flippedWords(claim.polarity(), alike).map((text) => ({ kind: 'negation' as const, text })),
    ...misplacedPeriods(claim, aligned).map((text) => ({ kind: 'period' as const, text })),
    ...misplacedOrdinals(claim, aligned).map((text) => ({ kind: 'ordinal' as const, text })),
    ...reversedWords(claim, aligned).map((text) => ({ kind: 'opposite' as const, text })),
    ...changedFractions(claim, aligned).map((text) => ({ kind: 'bound' as const, text })),
    ...misplacedHanNames(claim, aligned).map((text) => ({ kind: 'role' as const, text })),
    ...plannedClauses(claim, aligned).map((text) => ({ kind: 'certainty' as const, text })),
    ...misplacedNames(claim, aligned, sources).map((text) => ({ kind: 'role' as const, text })),
  ];
}

/** Fractions in words with a bound that contradicts the one of the aligned sentences. */
function changedFractions(claim: Passage, aligned: readonly Aligned[]): string[] {
  const stated = bestAligned(aligned, 0.45, 0.1).flatMap(({ passage }) => fractionBounds(passage.text));
  return fractionBounds(claim.text)
    .filter((one) => {
      const same = stated.filter(({ text }) => text === one.text);
      return (
        same.length > 0 && same.every(({ bound }) => bound !== 'none' && boundsConflict(one.bound, bound))
      );
    })
    .map(({ text }) => text);
}

/** The claim states as a fact what every clause with the same words plans, expects or suspects. */
function plannedClauses(claim: Passage, aligned: readonly Aligned[]): string[] {
  if (isUncertain(claim.text) || claim.keys.size + claim.dates.length + claim.quantities.length < 3)
    return [];
  const alike = bestAligned(aligned, 0.7, 0.1);
  const isOpen = ({ passage }: Aligned): boolean => {
    const shares = passage.clauses.map(
      (clause) =>
        new Set(
          passage.tokens
            .filter(({ start, key }) => start >= clause.start && start < clause.end && claim.keys.has(key))
            .map(({ key }) => key),
        ).size,
    );
    const most = Math.max(0, ...shares);
    if (most < claim.keys.size / 2) return false;
    const text = (at: number): string => {
      const clause = passage.clauses[at];
      return clause === undefined
        ? ''
        : passage.text.slice(clause.start - passage.start, clause.end - passage.start);
    };
    return shares.every((share, at) => share < most || exceeds(claim.text, planOf(text(at), text(at - 1))));
  };
  return alike.length > 0 && alike.every(isOpen) ? [claim.text.slice(0, 40)] : [];
}

/** Words that state a direction only beside a number. */
const weak =
  /^(?:more|less|fewer|up|down|higher|lower|over|under|above|below|top|back|left|clear|free|man|can)$/iu;

/** Words whose opposite the clauses with the same words use instead. */
function reversedWords(claim: Passage, aligned: readonly Aligned[]): string[] {
  const alike = bestAligned(aligned, 0.6, 0.1);
  if (alike.length === 0 || isBackwards(claim, alike)) return [];
  return claim.opposites
    .filter((word) => {
      const { pair, sign } = word;
      if (weak.test(textOf(claim, word))) return false;
      if (claim.opposites.some((one) => one.pair === pair && one.sign !== sign)) return false;
      const own = keysAround(claim, word);
      const stated = alike.flatMap(({ passage }) =>
        passage.opposites
          .filter((one) => one.pair === pair)
          .map((one) => ({ sign: one.sign, shared: keysAround(passage, one).intersection(own).size })),
      );
      return (
        own.size > 0 &&
        stated.length > 0 &&
        stated.every((one) => one.sign !== sign) &&
        stated.some(({ shared }) => shared * 2 >= own.size)
      );
    })
    .map((word) => textOf(claim, word));
}

function textOf({ text, start }: Passage, span: Span): string {
  return text.slice(span.start - start, span.end - start);
}

/** The words of the clause around a word. */
function keysAround(passage: Passage, word: Span): ReadonlySet<string> {
  const clause = clauseOf(passage, word);
  const around = passage.tokens.filter(
    ({ start, end }) =>
      start >= clause.start && start < clause.end && (end <= word.start || start >= word.end),
  );
  return new Set(around.map(({ key }) => key));
}

/** "A is slower than B" follows from "B is faster than A". */
function isBackwards(claim: Passage, alike: readonly Aligned[]): boolean {
  const [first, second] = claim.text.split(/ than | compared with |比/u).map((part) => entitiesOf(part));
  return alike.some(({ passage }) => {
    const [one, other] = passage.text.split(/ than | compared with |比/u).map((part) => entitiesOf(part));
    const meets = (some: typeof first, others: typeof first): boolean =>
      (some ?? []).some((name) => (others ?? []).some((candidate) => candidate.text === name.text));
    return meets(first, other) && meets(second, one);
  });
}
