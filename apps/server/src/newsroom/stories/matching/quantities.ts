import { normalizeText } from './text-tokens.ts';

export type QuantityUnit = 'usd' | 'eur' | 'gbp' | 'cny' | 'jpy' | 'percent' | 'watt' | 'date' | 'count';

/** A figure a text states: `$55.5B`, `555 亿美元`, `28%`, `1,100 jobs`. */
export interface Quantity {
  readonly unit: QuantityUnit;
  readonly value: number;
}

const scales: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  t: 1e12,
  tn: 1e12,
  trillion: 1e12,
  千: 1e3,
  万: 1e4,
  百万: 1e6,
  千万: 1e7,
  亿: 1e8,
  百亿: 1e10,
  千亿: 1e11,
  万亿: 1e12,
};

const units: Readonly<Record<string, QuantityUnit>> = {
  $: 'usd',
  dollar: 'usd',
  dollars: 'usd',
  usd: 'usd',
  美元: 'usd',
  美金: 'usd',
  '€': 'eur',
  euro: 'eur',
  euros: 'eur',
  欧元: 'eur',
  '£': 'gbp',
  pounds: 'gbp',
  英镑: 'gbp',
  '¥': 'cny',
  yuan: 'cny',
  rmb: 'cny',
  元: 'cny',
  人民币: 'cny',
  yen: 'jpy',
  日元: 'jpy',
  '%': 'percent',
  percent: 'percent',
};

/** Powers are brought to watts: 5 GW, 5 吉瓦 and 5000 megawatts are one figure. */
const powers: Readonly<Record<string, number>> = {
  mw: 1e6,
  megawatt: 1e6,
  megawatts: 1e6,
  兆瓦: 1e6,
  gw: 1e9,
  gigawatt: 1e9,
  gigawatts: 1e9,
  吉瓦: 1e9,
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

/** All figures and dates of a text. A year stands for a time, not for an amount. */
export function quantitiesOf(text: string): readonly Quantity[] {
  const found: Quantity[] = [];
  const plain = normalizeText(text).toLowerCase();
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
    const value = Number(digits.replaceAll(',', '')) * (scale === undefined ? 1 : (scales[scale] ?? 1));
    if (sign === undefined && scale === undefined && unit === undefined && isYear(value)) continue;
    found.push(quantityOf(value, sign, unit));
  }
  return found;
}

function quantityOf(value: number, sign: string | undefined, unit: string | undefined): Quantity {
  const power = unit === undefined ? undefined : powers[unit];
  if (power !== undefined) return { unit: 'watt', value: value * power };
  const named =
    (sign === undefined ? undefined : units[sign]) ?? (unit === undefined ? undefined : units[unit]);
  return { unit: named ?? 'count', value };
}

export function isYear(value: number): boolean {
  return Number.isInteger(value) && value >= 1900 && value <= 2100;
}

/** Figures are rounded differently by different writers: 276,000 and “over 270,000” are one. */
const tolerance = 0.03;

export function sameQuantity(one: Quantity, other: Quantity): boolean {
  if (one.unit !== other.unit) return false;
  if (one.value === other.value) return true;
  const larger = Math.max(one.value, other.value);
  return one.unit !== 'date' && larger >= 20 && Math.abs(one.value - other.value) <= larger * tolerance;
}

/** Small bare counts are in every second headline (“3 things”): they neither agree nor clash. */
export function isTelling({ unit, value }: Quantity): boolean {
  return unit !== 'count' || value >= 20;
}

/** Two significant digits, for the index. */
export function quantityKey({ unit, value }: Quantity): string {
  return `${unit}${value.toPrecision(2)}`;
}
