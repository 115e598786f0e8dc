/** The years and quarters that a text names, also relative to the year of the text. */
export interface Periods {
  readonly years: ReadonlySet<number>;
  readonly quarters: ReadonlySet<number>;
}

const relativeYears: readonly (readonly [number, RegExp])[] = [
  [-2, /前年/u],
  [-1, /\blast (?:fiscal |financial )?year\b|\ba year (?:ago|earlier)\b|去年|上年度/iu],
  [0, /\bthis (?:fiscal |financial )?year\b|今年|本年度/iu],
  [1, /\bnext (?:fiscal |financial )?year\b|明年|下年度/iu],
];
const quarterForm =
  /\b(first|second|third|fourth)[- ]quarter|\bq([1-4])\b|第?([一二三四1-4])季|([首末])季/giu;
const quarterWords = ['first', 'second', 'third', 'fourth'];
const hanQuarters = '一二三四';

/** `year` is that of the text, or null if unknown. */
export function periodsOf(text: string, year: number | null): Periods {
  const years = new Set(
    Array.from(text.matchAll(/(?<![\d.,$])(?:19|20)\d\d(?![\d.,%]\d|\d)/gu), ([one]) => Number(one)),
  );
  if (year !== null)
    for (const [distance, form] of relativeYears) if (form.test(text)) years.add(year + distance);
  const quarters = new Set(Array.from(text.matchAll(quarterForm), (match) => quarterOf(match)));
  return { years, quarters };
}

function quarterOf([, word, digit, han, edge]: RegExpMatchArray): number {
  if (word !== undefined) return quarterWords.indexOf(word.toLowerCase()) + 1;
  if (digit !== undefined) return Number(digit);
  if (edge !== undefined) return edge === '首' ? 1 : 4;
  return hanQuarters.includes(han ?? '') ? hanQuarters.indexOf(han ?? '') + 1 : Number(han);
}

/** Whether a text names other periods only than the question. */
export function differs(asked: ReadonlySet<number>, stated: ReadonlySet<number>): boolean {
  return asked.size > 0 && stated.size > 0 && asked.isDisjointFrom(stated);
}
