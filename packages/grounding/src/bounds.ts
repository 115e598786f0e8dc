import type { Quantity } from './language/quantities.ts';

/** How a text limits a number. `near` is just below it: nearly, 近. */
export type Bound = 'none' | 'about' | 'above' | 'least' | 'below' | 'near' | 'most';

const sign = String.raw` ?(?:an additional |a |an |the |another |additional |total of |US|HK)?[$€£¥]?\s?$`;
const before: readonly (readonly [Bound, RegExp])[] = [
  [
    'least',
    new RegExp(
      String.raw`(?:at least|at minimum|a minimum of|no (?:less|fewer) than|not less than|minimum|(?:至少|最少|起码)(?:可|能|达|为|要|须)?\p{Script=Han}{0,3}|不少于|不低于|不下|最低)${sign}`,
      'iu',
    ),
  ],
  [
    'most',
    new RegExp(
      String.raw`(?:up to|at most|as (?:much|many|high) as|a maximum of|no more than|not more than|maximum|capped at|limit of|至多|最多|不超过|不多于|不高于|上限|多达|高达|最高)(?:可|能|达|为)?(?:\p{Script=Han}{1,3})?${sign}`,
      'iu',
    ),
  ],
  [
    'near',
    new RegExp(
      String.raw`(?:nearly|almost|close to|just under|just below|approaching|just shy of|接近|将近|近|贴近)${sign}`,
      'iu',
    ),
  ],
  [
    'below',
    new RegExp(
      String.raw`(?:less than|fewer than|lower than|smaller than|under|below|beneath|不到|不足|低于|少于|未达|未满|不及|跌穿|跌破|失守)${sign}`,
      'iu',
    ),
  ],
  [
    'above',
    new RegExp(
      String.raw`(?:more than|greater than|higher than|larger than|over|above|exceed(?:s|ed|ing)?|upwards of|in excess of|north of|well over|超过|超出|超|逾|高于|多于|突破|大于|升穿|升破)${sign}`,
      'iu',
    ),
  ],
  [
    'about',
    new RegExp(
      String.raw`(?:about|around|roughly|approximately|some|circa|an estimated|~|大约|大概|约|估计)${sign}`,
      'iu',
    ),
  ],
];
const after: readonly (readonly [Bound, RegExp])[] = [
  ['above', /^ ?(?:多|余|\+|plus\b|以上|开外)/u],
  ['least', /^ ?(?:or more|or above|起(?!\p{Script=Han}))/u],
  ['most', /^ ?(?:or less|or fewer|以内|之内|以下)/u],
  ['about', /^ ?(?:左右|上下|or so|附近|许)/u],
];

/** The bound of a quantity of `text`; 300多万 has it between number and unit. */
export function boundOf(text: string, { start, end, numeral }: Quantity): Bound {
  const head = text.slice(Math.max(0, start - 26), start);
  const tail = [text.slice(numeral.end, numeral.end + 8), text.slice(end, end + 10)];
  return (
    before.find(([, form]) => form.test(head))?.[0] ??
    after.find(([, form]) => tail.some((one) => form.test(one)))?.[0] ??
    'none'
  );
}

const upper = new Set<Bound>(['below', 'near', 'most']);
const lower = new Set<Bound>(['above', 'least']);

/** Whether a number with the bound `claimed` contradicts the same number with the bound `stated`. */
export function boundsConflict(claimed: Bound, stated: Bound): boolean {
  if (claimed === stated) return false;
  if (upper.has(claimed) && lower.has(stated)) return true;
  if (lower.has(claimed) && upper.has(stated)) return true;
  // "About 300" is not "more than 300", and "up to 300" is not "300".
  if (stated === 'about' || stated === 'none') return lower.has(claimed) || upper.has(claimed);
  if (stated === 'most') return claimed !== 'near';
  return claimed === 'near' && stated === 'below';
}

const fraction =
  /(?:\b(?:an? |one |two |three )?(?:half|halves|thirds?|quarters?|fifths?)\b(?! (?:of (?:the )?year|results?|earnings|profit|revenue|sales))|(?:一半|半数|[二三四五六七八九十]分之[一二三四五六七八九]))/giu;

/** Fractions in words with their bounds: just over half, 超过一半. */
export function fractionBounds(text: string): { readonly text: string; readonly bound: Bound }[] {
  return [...text.matchAll(fraction)].map((match) => ({
    text: match[0].toLowerCase(),
    bound:
      before.find(([, form]) => form.test(text.slice(Math.max(0, match.index - 26), match.index)))?.[0] ??
      'none',
  }));
}
