import type { Random } from '../random.ts';
import type { Pair } from '../report.ts';

/** A number that a report states, worded in both languages. */
export interface Quantity {
  readonly value: number;
  readonly unit: Unit;
  readonly text: Pair;
}

export type Unit = 'dollars' | 'percent' | 'parameters' | 'people' | 'minutes' | 'megawatts' | 'tokens';

/** Drawn evenly over orders of magnitude, rounded as a newspaper would. */
export function quantity(random: Random, unit: Unit, low: number, high: number): Quantity {
  return worded(unit, low * (high / low) ** random.unit());
}

/** Another figure for the same thing: clearly different, still plausible, and never worded alike. */
export function revised(random: Random, original: Quantity): Quantity {
  for (;;) {
    const factor = random.chance(0.5) ? random.between(0.55, 0.85) : random.between(1.2, 1.7);
    const value =
      original.unit === 'percent' ? Math.min(97, original.value * factor) : original.value * factor;
    const other = worded(original.unit, value);
    if (other.text[0] !== original.text[0]) return other;
  }
}

function worded(unit: Unit, raw: number): Quantity {
  const value = rounded(unit, raw);
  return { value, unit, text: wordings[unit](value) };
}

function rounded(unit: Unit, raw: number): number {
  if (unit === 'percent') return Math.round(raw * 10) / 10;
  if (unit === 'minutes') return Math.max(11, raw < 120 ? Math.round(raw) : Math.round(raw / 30) * 30);
  if (unit === 'people' && raw < 1000) return Math.max(2, Math.round(raw));
  const scale = 10 ** (Math.floor(Math.log10(raw)) - (unit === 'people' || unit === 'dollars' ? 2 : 1));
  return Math.round(Math.round(raw / scale) * scale);
}

const wordings: Readonly<Record<Unit, (value: number) => Pair>> = {
  dollars: (value) => [`$${large(value)}`, `${wan(value)}美元`],
  percent: (value) => [`${value} percent`, `${value}%`],
  parameters: (value) => [`${large(value)} parameters`, `${wan(value)}参数`],
  people: (value) => [large(value), wan(value)],
  minutes: duration,
  megawatts: (value) => [`${grouped(value)} megawatts`, `${wan(value)} 兆瓦`],
  tokens: (value) => [`${large(value)} tokens`, `${wan(value)} token`],
};

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
