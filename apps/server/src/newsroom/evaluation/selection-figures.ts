/** One judged item with the editor's decision. */
export interface Labelled {
  readonly score: number;
  readonly selected: boolean;
}

export interface SweepRow {
  readonly threshold: number;
  /** The number of items that reach it. */
  readonly chosen: number;
  readonly precision: number;
  readonly recall: number;
}

/** The items that every threshold would have chosen, and the share of them that the editor chose. */
export function sweepThresholds(labelled: readonly Labelled[]): SweepRow[] {
  const wanted = labelled.filter(({ selected }) => selected).length;
  return Array.from({ length: 101 }, (_, threshold) => {
    const chosen = labelled.filter(({ score }) => score >= threshold);
    const right = chosen.filter(({ selected }) => selected).length;
    return {
      threshold,
      chosen: chosen.length,
      precision: chosen.length === 0 ? 1 : right / chosen.length,
      recall: wanted === 0 ? 1 : right / wanted,
    };
  });
}

/** The probability that a selected item scores above an unselected one; ties count half. Null without a pair. */
export function pairwiseAuc(groups: Iterable<readonly Labelled[]>): { auc: number; pairs: number } | null {
  let [won, pairs] = [0, 0];
  for (const group of groups) {
    const others = group.filter(({ selected }) => !selected);
    for (const one of group.filter(({ selected }) => selected)) {
      for (const other of others) {
        pairs += 1;
        if (one.score > other.score) won += 1;
        else if (one.score === other.score) won += 0.5;
      }
    }
  }
  return pairs === 0 ? null : { auc: won / pairs, pairs };
}

export interface AucInterval {
  readonly auc: number;
  readonly pairs: number;
  readonly low: number;
  readonly high: number;
}

/** With the interval of 500 draws of whole groups: pairs of one group are not independent. Null without a pair. */
export function aucWithInterval(groups: readonly (readonly Labelled[])[]): AucInterval | null {
  const whole = pairwiseAuc(groups);
  if (whole === null) return null;
  let state = 5;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const draws = Array.from({ length: 500 }, () => {
    const drawn = groups.map(() => groups[Math.floor(next() * groups.length)] ?? []);
    return pairwiseAuc(drawn)?.auc ?? whole.auc;
  }).sort((one, other) => one - other);
  return { ...whole, low: draws[12] ?? whole.auc, high: draws[487] ?? whole.auc };
}

/** Precision of the n best, where n is the number that the editor selected. Equal scores count proportionally. */
export function precisionAtEditorsRate(labelled: readonly Labelled[]): number {
  const places = labelled.filter(({ selected }) => selected).length;
  const scores = [...new Set(labelled.map(({ score }) => score))].sort((one, other) => other - one);
  let [left, right] = [places, 0];
  for (const score of scores) {
    if (left <= 0) break;
    const tied = labelled.filter((one) => one.score === score);
    const share = Math.min(1, left / tied.length);
    right += share * tied.filter(({ selected }) => selected).length;
    left -= tied.length;
  }
  return places === 0 ? 1 : right / places;
}

const chart = { width: 640, height: 360, left: 48, right: 16, top: 24, bottom: 40 } as const;

/** Precision and recall over the threshold, as a self-contained SVG. */
export function sweepChart(rows: readonly SweepRow[]): string {
  const { width, height, left, right, top, bottom } = chart;
  const x = (threshold: number): number => left + ((width - left - right) * threshold) / 100;
  const y = (share: number): number => height - bottom - (height - top - bottom) * share;
  const line = (value: (row: SweepRow) => number): string =>
    rows.map((row) => `${x(row.threshold).toFixed(1)},${y(value(row)).toFixed(1)}`).join(' ');
  const ticks = [0, 25, 50, 75, 100];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`,
    '<title>Precision and recall by selection threshold</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...ticks.map(
      (tick) =>
        `<line x1="${left}" x2="${width - right}" y1="${y(tick / 100)}" y2="${y(tick / 100)}" stroke="#dddddd"/>` +
        `<text x="${left - 8}" y="${y(tick / 100) + 4}" text-anchor="end">${tick} %</text>` +
        `<text x="${x(tick)}" y="${height - bottom + 18}" text-anchor="middle">${tick}</text>`,
    ),
    `<text x="${(left + width - right) / 2}" y="${height - 6}" text-anchor="middle">threshold</text>`,
    `<polyline fill="none" stroke="#1d4ed8" stroke-width="2" points="${line(({ precision }) => precision)}"/>`,
    `<polyline fill="none" stroke="#b45309" stroke-width="2" points="${line(({ recall }) => recall)}"/>`,
    `<text x="${left + 8}" y="${top - 8}" fill="#1d4ed8">precision</text>`,
    `<text x="${left + 84}" y="${top - 8}" fill="#b45309">recall</text>`,
    '</svg>',
    '',
  ].join('\n');
}
