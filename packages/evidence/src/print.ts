import type { Figure } from './figure.ts';

/** One figure on one line, for a terminal. */
export function figureLine(figure: Figure): string {
  const parts = [`  ${mark(figure)} ${figure.name}: ${formatNumber(figure.value)} ${figure.unit}`];
  if (figure.ratio !== null && figure.bare !== null && figure.interval !== null) {
    const [low, high] = figure.interval;
    parts.push(
      `(bare ${formatNumber(figure.bare)}, ratio ${figure.ratio.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}])`,
    );
  }
  if (figure.goal !== null) parts.push(`goal ${figure.goal}`);
  return parts.join('  ');
}

function mark(figure: Figure): string {
  if (figure.holds === null) return '·';
  return figure.holds ? '✓' : '✗';
}

export function formatNumber(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 2 : 4;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The slowest first: `  12.3  name`. */
export function costTable(costs: readonly (readonly [name: string, seconds: number])[]): readonly string[] {
  const slowestFirst = [...costs].sort(([, one], [, other]) => other - one);
  const width = slowestFirst[0]?.[1].toFixed(1).length ?? 0;
  return slowestFirst.map(([name, seconds]) => `  ${seconds.toFixed(1).padStart(width)}  ${name}`);
}
