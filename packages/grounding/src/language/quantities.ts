import type { Numeral } from './numerals.ts';
import { findNumerals } from './numerals.ts';
import type { Span } from './plain-text.ts';
import type { Unit } from './units.ts';
import { unitAround, unitsAgree } from './units.ts';

/** A number with its unit, if the unit is known. */
export interface Quantity extends Span {
  /** As written, for display. */
  readonly text: string;
  readonly numeral: Numeral;
  readonly unit: Unit | null;
  /** The stated tolerance: "about", "more than", "less than". */
  readonly hedge: Hedge;
}

type Hedge = 'none' | 'about' | 'above' | 'below';

const hedges: readonly (readonly [Hedge, RegExp])[] = [
  [
    'above',
    /(?:more than|over|above|at least|exceed(?:s|ed|ing)?|upwards of|超过?|逾|多达|至少|高于|突破) ?[$€£¥]?\s?$/iu,
  ],
  [
    'below',
    /(?:less than|under|below|nearly|almost|up to|at most|近|将近|不到|低于|至多|最多) ?[$€£¥]?\s?$/iu,
  ],
  ['about', /(?:about|around|roughly|approximately|some|circa|~|约|大约|左右|接近) ?[$€£¥]?\s?$/iu],
];
const hedgesAfter: readonly (readonly [Hedge, RegExp])[] = [
  ['above', /^ ?(?:多|余|\+|or more|以上)/u],
  ['about', /^ ?(?:左右|上下|or so)/u],
];

export function findQuantities(text: string): Quantity[] {
  return findNumerals(text).map((numeral) => {
    const before = text.slice(Math.max(0, numeral.start - 24), numeral.start);
    const after = text.slice(numeral.end, numeral.end + 40);
    const around = unitAround(before, after);
    const end = numeral.end + (around?.length ?? 0);
    return {
      text: text.slice(numeral.start, end).trim(),
      numeral,
      unit: around?.unit ?? null,
      hedge: hedgeOf(before, text.slice(end, end + 8)),
      start: numeral.start,
      end,
    };
  });
}

function hedgeOf(before: string, after: string): Hedge {
  const found =
    hedges.find(([, form]) => form.test(before)) ?? hedgesAfter.find(([, form]) => form.test(after));
  return found?.[0] ?? 'none';
}

/** Whether the stated quantity supports the claim: `unit` if only the number agrees. */
export function agreement(claimed: Quantity, stated: Quantity): 'yes' | 'unit' | 'no' {
  const sameUnit = unitsAgree(claimed.unit, stated.unit);
  if (sameUnit && valuesAgree(claimed, stated, factorOf(claimed, stated))) return 'yes';
  return valuesAgree(claimed, stated, 1) ? 'unit' : 'no';
}

/** The same value in the same or an unstated unit, apart from rounding. */
export function sameQuantity(one: Quantity, other: Quantity): boolean {
  return agreement(one, other) === 'yes' || agreement(other, one) === 'yes';
}

function factorOf(claimed: Quantity, stated: Quantity): number {
  if (claimed.unit === null || stated.unit === null) return 1;
  return claimed.unit.dimension === stated.unit.dimension ? stated.unit.factor / claimed.unit.factor : 1;
}

/**
 * Equal, or explicitly rounded: "about 1.2 billion" may be 1.23 billion, "more than 1.2 billion" may be 1.23 but not
 * 1.19. One digit alone is too coarse for rounding.
 */
function valuesAgree(claimed: Quantity, stated: Quantity, factor: number): boolean {
  const value = stated.numeral.value * factor;
  const claim = claimed.numeral.value;
  if (Math.abs(value - claim) <= Math.abs(claim) * 1e-9) return true;
  if (claimed.hedge === 'none' || claimed.numeral.significantDigits < 2) return false;
  if (claimed.hedge === 'above' && value < claim) return false;
  if (claimed.hedge === 'below' && value > claim) return false;
  return Math.abs(value - claim) <= stepOf(claimed) * (claimed.hedge === 'about' ? 0.5 : 1);
}

/** The place value of the last stated digit. */
function stepOf({ numeral: { value, significantDigits } }: Quantity): number {
  return 10 ** (Math.floor(Math.log10(Math.abs(value))) - significantDigits + 1);
}
