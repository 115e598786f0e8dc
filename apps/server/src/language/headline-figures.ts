import { normalizeTokenText, scaleOf, unitNamed } from '@daybook/grounding/text';

export type FigureUnit = 'usd' | 'eur' | 'gbp' | 'cny' | 'jpy' | 'percent' | 'watt' | 'date' | 'count';

/**
 * A figure of a headline: `$55.5B`, `555 亿美元`, `28%`, `1,100 jobs`. Coarser than a `Quantity` of quantities.ts: the
 * trained weights of stories depend on these units and this tolerance.
 */
export interface Figure {
  readonly unit: FigureUnit;
  readonly value: number;
}

/** `¥` means yuan in the covered news. */
const signs: Readonly<Record<string, FigureUnit>> = { $: 'usd', '€': 'eur', '£': 'gbp', '¥': 'cny' };

const unitsByDimension: Readonly<Record<string, FigureUnit>> = {
  dollar: 'usd',
  euro: 'eur',
  pound: 'gbp',
  yuan: 'cny',
  yen: 'jpy',
  percent: 'percent',
  watt: 'watt',
};

const written = new RegExp(
  String.raw`([$€£¥])?\s?(\d+(?:,\d{3})*(?:\.\d+)?)(?!\.\d)\s?-?` +
    String.raw`(万亿|千亿|百亿|千万|百万|亿|万|千|trillion|billion|million|thousand|(?:bn|mn|tn|[kmbt])(?![a-z]))?` +
    String.raw`\s?(美元|美金|欧元|英镑|日元|人民币|元|兆瓦|吉瓦|%|percent|dollars?|euros?|pounds|yuan|yen|rmb|usd|` +
    String.raw`(?:gigawatts?|megawatts?|gw|mw)(?![a-z]))?`,
  'giu',
);

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const writtenDate =
  /(\d{1,2})月(\d{1,2})日|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (\d{1,2})(?!\d|,\d{3})/g;

/** All figures and dates of a text. A year is a time, not an amount. */
export function figuresOf(text: string): readonly Figure[] {
  const found: Figure[] = [];
  const plain = normalizeTokenText(text).toLowerCase();
  const rest = plain.replaceAll(
    writtenDate,
    (_, month?: string, day?: string, name?: string, ofName?: string) => {
      const value = Number(month ?? months.indexOf(name ?? '') + 1) * 100 + Number(day ?? ofName);
      found.push({ unit: 'date', value });
      return ' ';
    },
  );
  for (const match of rest.matchAll(written)) {
    const [, sign, digits = '', scale, unit] = match;
    const value = Number(digits.replaceAll(',', '')) * (scale === undefined ? 1 : scaleOf(scale, ''));
    if (sign === undefined && scale === undefined && unit === undefined && isYear(value)) continue;
    found.push(figureOf(value, sign, unit));
  }
  return found;
}

/** Powers are converted to watts: 5 GW, 5 吉瓦 and 5000 megawatts are equal. */
function figureOf(value: number, sign: string | undefined, name: string | undefined): Figure {
  if (name === '兆瓦') return { unit: 'watt', value: value * 1e6 };
  const named = name === undefined ? undefined : unitNamed(name);
  const unit = named === undefined ? undefined : unitsByDimension[named.dimension];
  if (named !== undefined && unit === 'watt') return { unit, value: value * named.factor };
  return { unit: (sign === undefined ? undefined : signs[sign]) ?? unit ?? 'count', value };
}

export function isYear(value: number): boolean {
  return Number.isInteger(value) && value >= 1900 && value <= 2100;
}

/** Writers round figures differently: 276,000 and “over 270,000” are equal. */
const tolerance = 0.03;

export function sameFigure(one: Figure, other: Figure): boolean {
  if (one.unit !== other.unit) return false;
  if (one.value === other.value) return true;
  const larger = Math.max(one.value, other.value);
  return one.unit !== 'date' && larger >= 20 && Math.abs(one.value - other.value) <= larger * tolerance;
}

/** Small bare counts are in every second headline (“3 things”): they neither match nor clash. */
export function isDistinctive({ unit, value }: Figure): boolean {
  return unit !== 'count' || value >= 20;
}

/** Two significant digits, for the index. */
export function figureKey({ unit, value }: Figure): string {
  return `${unit}${value.toPrecision(2)}`;
}
