import type { Pair } from '../dispatch.ts';
import type { Random } from '../random.ts';

/** A number that a dispatch states, worded in both languages. */
export interface Quantity {
  readonly value: number;
  readonly unit: Unit;
  readonly text: Pair;
}

export type Unit =
  | 'dollars'
  | 'percent'
  | 'score'
  | 'parameters'
  | 'people'
  | 'count'
  | 'minutes'
  | 'megawatts'
  | 'tokens'
  | 'points';

/** Drawn evenly over orders of magnitude, rounded as a newspaper would. */
export function quantity(random: Random, unit: Unit, low: number, high: number): Quantity {
  return quantityOf(unit, low * (high / low) ** random.unit());
}

/** So many times another number, drawn between two factors: for amounts that must be in proportion. */
export function inProportion(
  random: Random,
  unit: Unit,
  { value }: Quantity,
  [low, high]: readonly [number, number],
): Quantity {
  return quantityOf(unit, value * random.between(low, high));
}

/** Another figure for the same thing: clearly different, still plausible, and never worded alike. */
export function revised(random: Random, original: Quantity): Quantity {
  const { unit, value } = original;
  for (;;) {
    const other = quantityOf(
      unit,
      asRoundAs(value, unit === 'score' ? otherScore(random, value) : otherAmount(random, original)),
    );
    if (other.text[0] !== original.text[0]) return other;
  }
}

function otherAmount(random: Random, { value, unit }: Quantity): number {
  const factor = random.chance(0.5) ? random.between(0.55, 0.85) : random.between(1.2, 1.7);
  return unit === 'percent' ? Math.min(95, value * factor) : value * factor;
}

/** A few points up or down. */
function otherScore(random: Random, value: number): number {
  const points = random.between(2.5, 9);
  return value > 88 || random.chance(0.5) ? value - points : value + points;
}

/** As written after “about”: in tens below a hundred, else with two digits. */
export function roughly(unit: Unit, raw: number): Quantity {
  return quantityOf(unit, raw < 100 ? Math.max(10, Math.round(raw / 10) * 10) : raw);
}

/** A number given in round figures is corrected to another round one. */
function asRoundAs(value: number, raw: number): number {
  if (raw < 1000 || value % 10 ** (Math.floor(Math.log10(value)) - 1) !== 0) return raw;
  const scale = 10 ** (Math.floor(Math.log10(raw)) - 1);
  return Math.round(raw / scale) * scale;
}

export function quantityOf(unit: Unit, raw: number): Quantity {
  const value = rounded(unit, raw);
  return { value, unit, text: wordings[unit](value) };
}

/** How many digits of a large number are written. */
const significantDigits: Readonly<Record<Unit, number>> = {
  dollars: 3,
  percent: 2,
  score: 3,
  parameters: 2,
  people: 2,
  count: 2,
  minutes: 2,
  megawatts: 2,
  tokens: 3,
  points: 2,
};

function rounded(unit: Unit, raw: number): number {
  if (unit === 'score' || unit === 'points') return Math.round(raw * 10) / 10;
  if (unit === 'percent') return Math.round(raw);
  if (unit === 'minutes') return Math.max(11, raw < 120 ? Math.round(raw) : Math.round(raw / 30) * 30);
  if (raw < 100) return Math.max(2, Math.round(raw));
  const scale = 10 ** (Math.floor(Math.log10(raw)) + 1 - significantDigits[unit]);
  return Math.round(Math.round(raw / scale) * scale);
}

const wordings: Readonly<Record<Unit, (value: number) => Pair>> = {
  dollars: (value) => [`$${large(value)}`, `${wan(value)}美元`],
  percent: (value) => [`${value} percent`, `${value}%`],
  score: (value) => [`${value} percent`, `${value}%`],
  parameters: (value) => [`${large(value)} parameters`, `${wan(value)}参数`],
  people: counted,
  count: counted,
  points: (value) => [`${value.toFixed(1)} points`, `${value.toFixed(1)} 个百分点`],
  minutes: duration,
  megawatts: (value) => [`${grouped(value)} megawatts`, `${wan(value)} 兆瓦`],
  tokens: (value) => [`${large(value)} tokens`, `${wan(value)} token`],
};

const smallNumbers = ['', '', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** English writes out numbers below ten. */
function counted(value: number): Pair {
  return [smallNumbers[value] ?? large(value), wan(value)];
}

function large(value: number): string {
  if (value >= 1e12) return `${trim(value / 1e12)} trillion`;
  if (value >= 1e9) return `${trim(value / 1e9)} billion`;
  if (value >= 1e6) return `${trim(value / 1e6)} million`;
  return grouped(Math.round(value));
}

function wan(value: number): string {
  if (value >= 1e12) return `${trim(value / 1e12)} 万亿`;
  if (value >= 1e8) return `${trim(value / 1e8)} 亿`;
  if (value >= 1e4) return `${trim(value / 1e4)} 万`;
  return trim(value);
}

/** Below a million; the runtime's own formatter is a hundred times slower. */
function grouped(value: number): string {
  const text = String(value);
  return text.length > 3 ? `${text.slice(0, -3)},${text.slice(-3)}` : text;
}

function trim(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

function duration(minutes: number): Pair {
  if (minutes < 120) return [`${minutes} minutes`, `${minutes} 分钟`];
  const hours = minutes / 60;
  return [`${hours} hours`, `${hours} 小时`];
}
