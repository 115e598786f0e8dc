import { html } from 'ghtml';

import { hourMicroseconds } from '../../foundation/instant.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { recorded } from '../../record/index.ts';
import { clipped, nameCharsMax } from './clipped.ts';
import { moment } from './moments.ts';
import type { PageContext } from './page-context.ts';

// Charts made of attributes alone, because the policy allows no inline style; each has a text version.

const barsMax = 28;
const spans = [1n, 2n, 3n, 6n, 12n, 24n, 48n, 96n, 168n];

export interface CoverageBars {
  /** Hours per bar. */
  readonly hours: number;
  readonly counts: readonly number[];
}

/** Items per period, with at most 28 bars for the whole story. */
export function coverageBars(
  items: readonly recorded.CoverageItem[],
  until: EpochMicroseconds,
): CoverageBars {
  const [first] = items;
  if (first === undefined) return { hours: 1, counts: [] };
  const whole = until - first.at;
  const hours = spans.find((span) => whole / (span * hourMicroseconds) < barsMax) ?? 336n;
  const width = hours * hourMicroseconds;
  const counts = Array.from({ length: Number(whole / width) + 1 }, () => 0);
  for (const { at } of items) {
    const index = Number((at - first.at) / width);
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return { hours: Number(hours), counts };
}

const barsHeight = 44;

/** The last day is highlighted. */
export function coverageChart({ hours, counts }: CoverageBars, { words }: PageContext): string {
  if (counts.length === 0) return '';
  // A single item should not fill the height.
  const most = Math.max(3, ...counts);
  const step = 100 / counts.length;
  const recentFrom = counts.length - Math.max(1, Math.round(24 / hours));
  const bars = counts.map((count, index) => {
    const height = Math.max(2, (count / most) * barsHeight);
    const kind = index >= recentFrom ? 'recent' : 'past';
    return html`<rect
      class="${kind}"
      x="${(index * step).toFixed(2)}%"
      y="${(barsHeight - height).toFixed(1)}"
      width="${(step * 0.9).toFixed(2)}%"
      height="${height.toFixed(1)}"
    />`;
  });
  return html`<svg
    class="bars"
    width="100%"
    height="${barsHeight}"
    role="img"
    aria-label="${words.story.perHours(hours)}: ${counts.join(', ')}"
  >
    !${bars}
  </svg>`;
}

const lanesMax = 12;

/** Items by source and time: a lane for each source, in the order in which they joined. */
export function itemLanes(
  items: readonly recorded.CoverageItem[],
  until: EpochMicroseconds,
  { words, language }: PageContext,
): string {
  const [first] = items;
  if (first === undefined) return '';
  const whole = Number(until - first.at) || 1;
  const place = (at: EpochMicroseconds): string =>
    `${(1 + (Number(at - first.at) / whole) * 98).toFixed(2)}%`;
  const bySource = [...Map.groupBy(items, ({ sourceName }) => sourceName)];
  const lanes = bySource.slice(0, lanesMax).map(
    ([name, ofSource]) =>
      html`<li>
        <span class="who">${clipped(name, nameCharsMax)}</span>
        <svg width="100%" height="16" aria-hidden="true">
          <line x1="0" x2="100%" y1="14" y2="14" />
          !${ofSource.map(
            ({ at, firstParty }) =>
              html`<circle class="${firstParty ? 'own' : 'other'}" cx="${place(at)}" cy="7" r="4.5" />`,
          )}
        </svg>
        <span class="hidden">!${ofSource.map(({ at }) => moment(at, language)).join(', ')}</span>
      </li>`,
  );
  const rest = bySource.length - lanesMax;
  return html`<ol class="lanes">
      !${lanes}
    </ol>
    <p class="axis">!${moment(first.at, language)} !${moment(until, language)}</p>
    !${rest > 0 ? html`<p class="meta">${words.story.others(rest)}</p>` : ''}`;
}

/** The shares of the categories, as one bar and as text. */
export function categoryMix(counts: ReadonlyMap<string, number>, { words }: PageContext): string {
  const sorted = [...counts].filter(([, count]) => count > 0).sort(([, one], [, other]) => other - one);
  const sum = sorted.reduce((total, [, count]) => total + count, 0);
  if (sum === 0) return '';
  let at = 0;
  const parts = sorted.map(([category, count]) => {
    const [x, width] = [(at / sum) * 100, (count / sum) * 100];
    at += count;
    return html`<rect
      class="c-${category}"
      x="${x.toFixed(2)}%"
      y="0"
      width="${width.toFixed(2)}%"
      height="10"
    />`;
  });
  const described = sorted
    .map(([category, count]) => `${words.categories[category] ?? category} ${count}`)
    .join(', ');
  return html`<svg
      class="mix"
      width="100%"
      height="10"
      role="img"
      aria-label="${words.edition.mix}: ${described}"
    >
      !${parts}
    </svg>
    <p class="meta legend">
      !${sorted.map(
        ([category, count]) =>
          html`<span
            ><svg width="10" height="10" aria-hidden="true">
              <rect class="c-${category}" width="10" height="10" />
            </svg>
            ${words.categories[category] ?? category} ${count}</span
          >`,
      )}
    </p>`;
}

export interface RankLine {
  readonly label: string;
  /** For each ranking of the day, oldest first; null where it was below the top ten. */
  readonly ranks: readonly (number | null)[];
}

const ranksShown = 10;
const rankStep = 22;

/** Ranks over the day; where a line breaks, the story was not in the top ten. */
export function rankChart(lines: readonly RankLine[], hours: number, { words }: PageContext): string {
  const [first] = lines;
  if (first === undefined || first.ranks.length < 2) return '';
  const columns = first.ranks.length - 1;
  const width = 420;
  const x = (column: number): string => (12 + (column / columns) * (width - 44)).toFixed(1);
  const y = (rank: number): number => rank * rankStep - 8;
  const drawn = lines.map(({ ranks }, index) => {
    const path = ranks
      .map((rank, column) => {
        if (rank === null) return '';
        const begins = column === 0 || ranks[column - 1] === null;
        return `${begins ? 'M' : 'L'}${x(column)} ${y(rank)}`;
      })
      .join('');
    const last = ranks.at(-1);
    const end =
      last === null || last === undefined
        ? ''
        : html`<text x="${width - 22}" y="${y(last) + 4}">${String(last)}</text>`;
    return html`<path class="line l${index}" d="${path}" />!${end}`;
  });
  const height = ranksShown * rankStep + 24;
  return html`<svg
      class="ranks"
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label="${words.hot.chart}. ${words.hot.chartNote}"
    >
      !${drawn}
      <text class="axis-label" x="12" y="${height - 6}">${words.hot.ago(hours)}</text>
      <text class="axis-label end" x="${width - 30}" y="${height - 6}">${words.hot.now}</text>
    </svg>
    <p class="meta">${words.hot.chartNote}</p>`;
}
