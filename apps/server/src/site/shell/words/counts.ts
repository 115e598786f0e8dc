import type { ReaderLanguage } from '../../../foundation/reader-language.ts';

/** English has a form for one, Chinese has none. */
const english = new Intl.PluralRules('en');

export function isOne(count: number): boolean {
  return english.select(count) === 'one';
}

/** `1,204 reports`. */
export function counted(count: number, one: string, many: string): string {
  return `${numberIn('en', count)} ${isOne(count) ? one : many}`;
}

const numbers = { en: new Intl.NumberFormat('en'), zh: new Intl.NumberFormat('zh') };

export function numberIn(language: ReaderLanguage, value: number): string {
  return numbers[language].format(value);
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A size as in file managers: three digits at most. */
export function sizeIn(language: ReaderLanguage, bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[unit] ?? 'byte',
    unitDisplay: unit === 0 ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  }).format(value);
}
