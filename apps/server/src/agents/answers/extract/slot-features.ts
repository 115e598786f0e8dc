import type { AnswerSlot } from './answer-slots.ts';
import { clauseAt } from './answer-slots.ts';
import type { Question } from './question.ts';
import type { Clause, SentenceDetails } from './source-document.ts';
import type { Rarity } from './term-rarity.ts';
import { share } from './term-rarity.ts';
import type { QuestionTerm } from './text-terms.ts';
import { matchOf, termsOf } from './text-terms.ts';

/** How well the words around a part of a sentence fit the question, each from 0 to 1. */
export interface SlotFeatures {
  readonly slotUnit: number;
  /** The words of the question without names, in the clause of the slot. */
  readonly slotPredicate: number;
  /** The words next to the question word, next to the slot. */
  readonly slotFocus: number;
  readonly slotNames: number;
  /** The measure of the question (revenue, price), in the clause of the slot; 0.5 if it names none. */
  readonly slotMeasure: number;
  /** "How many jobs", and no number with jobs beside it: 1, else 0. */
  readonly bareCount: number;
  /** Nothing in the sentence has the kind and the unit that the question asks for. */
  readonly noSlot: number;
}

/** Concepts of the glossary that a number can be the value of. */
const measures: ReadonlySet<string> = new Set(
  'revenue profit loss sales cost price salary budget dividend margin market_value tax debt fine damages tariff inflation unemployment interest_rate fee rent donate growth'
    .split(' ')
    .map((name) => `~${name}`),
);

/** How far before and after a slot its noun is searched. */
const nounReach = { before: 16, after: 28 } as const;
/** Words of the clauses beside it count in part. */
const besideShare = 0.5;

/** Of the slot whose surroundings fit best. */
export function bestSlot(
  question: Question,
  details: SentenceDetails,
  slots: readonly AnswerSlot[],
  rarity: Rarity,
): SlotFeatures {
  const read = contextOf(question, rarity);
  if (question.kind === 'other') {
    const clauses = details.clauses.map((_, at) => read(details, at, null));
    return (
      best(clauses) ?? {
        slotUnit: 0.5,
        slotPredicate: 0,
        slotFocus: 0,
        slotNames: 0,
        slotMeasure: 0.5,
        bareCount: 0,
        noSlot: 0,
      }
    );
  }
  const found = slots.slice(0, slotsMax).map((slot) => read(details, clauseAt(details.clauses, slot), slot));
  return (
    best(found) ?? {
      slotUnit: 0,
      slotPredicate: 0,
      slotFocus: 0,
      slotNames: 0,
      slotMeasure: 0,
      bareCount: 0,
      noSlot: 1,
    }
  );
}

/** Several times what a sentence has that answers a question. */
const slotsMax = 40;

function best(found: readonly SlotFeatures[]): SlotFeatures | null {
  const score = (one: SlotFeatures): number =>
    2 * one.slotUnit + one.slotPredicate + one.slotFocus + one.slotMeasure + 0.3 * one.slotNames;
  return found.reduce<SlotFeatures | null>(
    (most, one) => (most === null || score(one) > score(most) ? one : most),
    null,
  );
}

type ReadSlot = (details: SentenceDetails, clauseAt: number, slot: AnswerSlot | null) => SlotFeatures;

function contextOf(question: Question, rarity: Rarity): ReadSlot {
  const isName = ({ key }: QuestionTerm): boolean => question.nameKeys.has(key);
  const named = question.terms.filter(isName);
  const predicate = question.terms.filter((term) => !isName(term));
  const focus = question.countsThings ? question.focus : question.focus.filter((term) => !isName(term));
  const asked = question.terms.flatMap(({ concepts }) => concepts.filter((one) => measures.has(one)));
  return ({ facts, clauses }, at, slot) => {
    const within = clauseMatch(clauses, at);
    const around =
      slot === null
        ? clauses[at]?.keys
        : termsOf(facts.text.slice(Math.max(0, slot.start - nounReach.before), slot.end + nounReach.after))
            .keys;
    const slotFocus = share(focus, rarity, (term) => (around === undefined ? 0 : matchOf(around, term)), 0.3);
    const counts = question.countsThings && focus.length > 0;
    return {
      slotUnit: slot?.unit ?? 0.5,
      slotPredicate: share(predicate, rarity, within, 0.5),
      slotFocus,
      slotNames: share(named, rarity, within, 0),
      slotMeasure: measureAt(asked, clauses[at]),
      bareCount: counts && slotFocus === 0 ? 1 : 0,
      noSlot: slot?.unit === 0 ? 1 : 0,
    };
  };
}

function clauseMatch(clauses: readonly Clause[], at: number): (term: QuestionTerm) => number {
  return (term) => {
    const here = clauses[at];
    const match = here === undefined ? 0 : matchOf(here.keys, term);
    if (match > 0) return match;
    const beside = Math.max(
      ...[clauses[at - 1], clauses[at + 1]].map((one) => (one === undefined ? 0 : matchOf(one.keys, term))),
    );
    return besideShare * beside;
  };
}

/** 1 if the clause names the measure, 0 if it names another one only. */
function measureAt(asked: readonly string[], clause: Clause | undefined): number {
  if (asked.length === 0 || clause === undefined) return 0.5;
  if (asked.some((one) => clause.keys.has(one))) return 1;
  return [...clause.keys].some((key) => measures.has(key)) ? 0 : 0.4;
}
