import type { SuiteContext } from '@daybook/evidence';

const aucMax = 0.55;

/** How well times separate two sides. Quick runs widen the bound by twice the standard error of so few samples. */
export function reportAuc(
  context: SuiteContext,
  what: string,
  one: readonly number[],
  other: readonly number[],
): void {
  const samples = Math.min(one.length, other.length);
  const standardError = Math.sqrt((2 * samples + 1) / (12 * samples ** 2));
  context.figure({
    name: `${what}: AUC of the times, ${samples} samples each`,
    value: areaUnderCurve(one, other),
    unit: 'AUC',
    goal: { atMost: aucMax + (context.quick ? 2 * standardError : 0) },
  });
}

/** The chance that a random sample of one side is slower than one of the other; 0.5 means no information. */
function areaUnderCurve(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((ms) => ({ ms, first: true })), ...other.map((ms) => ({ ms, first: false }))];
  all.sort((a, b) => a.ms - b.ms);
  let ranks = 0;
  for (let start = 0; start < all.length;) {
    let end = start;
    while (end < all.length && all[end]?.ms === all[start]?.ms) end += 1;
    const rank = (start + 1 + end) / 2;
    ranks += rank * all.slice(start, end).filter(({ first }) => first).length;
    start = end;
  }
  const area = (ranks - (one.length * (one.length + 1)) / 2) / (one.length * other.length);
  return Math.max(area, 1 - area);
}
