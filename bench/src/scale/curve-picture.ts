import type { Curve, Point } from './curves.ts';

const width = 480;
const height = 260;
const left = 64;
const right = 24;
const top = 44;
const bottom = 56;

/** An SVG that is readable on light and dark backgrounds. Sizes are logarithmic, values begin at zero. */
export function drawCurve({ title, sizes, unit, date, command, points }: Curve): string {
  const first = Math.log10(points[0]?.size ?? 1);
  const last = Math.log10(points.at(-1)?.size ?? 10);
  const most = niceMaximum(Math.max(...points.flatMap(({ value, bare }) => [value, bare ?? 0])));
  const x = (size: number): number =>
    left + ((Math.log10(size) - first) / (last - first)) * (width - left - right);
  const y = (value: number): number => height - bottom - (value / most) * (height - top - bottom);
  const line = (valueOf: (point: Point) => number): string =>
    points.map((point) => `${x(point.size).toFixed(1)},${y(valueOf(point)).toFixed(1)}`).join(' ');
  const hasBare = points.every(({ bare }) => bare !== null);
  const ticks = [0, most / 2, most].map(
    (value) =>
      `<line class="grid" x1="${left}" x2="${width - right}" y1="${y(value)}" y2="${y(value)}"/>` +
      `<text x="${left - 8}" y="${y(value) + 4}" text-anchor="end">${short(value)}</text>`,
  );
  const labels = points.map(
    ({ size }) =>
      `<text x="${x(size)}" y="${height - bottom + 18}" text-anchor="middle">${short(size)}</text>`,
  );
  const dots = points.map(
    ({ size, value }) =>
      `<circle cx="${x(size).toFixed(1)}" cy="${y(value).toFixed(1)}" r="3.5"><title>${short(size)} ${sizes}: ${value} ${unit}</title></circle>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}, by ${sizes}">
<style>text{font:12px system-ui,sans-serif;fill:#57606a}.title{font-weight:600;font-size:14px}.grid{stroke:#8c959f;stroke-opacity:.35}.ours{fill:none;stroke:#0969da;stroke-width:2}.bare{fill:none;stroke:#8c959f;stroke-width:2;stroke-dasharray:5 4}circle{fill:#0969da}@media(prefers-color-scheme:dark){text{fill:#9198a1}.ours{stroke:#4493f8}circle{fill:#4493f8}}</style>
<text class="title" x="16" y="24">${title}, ${unit}</text>
${[...ticks, ...labels].join('\n')}
${hasBare ? `<polyline class="bare" points="${line(({ bare }) => bare ?? 0)}"/>\n` : ''}<polyline class="ours" points="${line(({ value }) => value)}"/>
${dots.join('\n')}
<text x="16" y="${height - 10}">${sizes}; ${command}, ${date}${hasBare ? '; dashed: the bare engine' : ''}</text>
</svg>
`;
}

function niceMaximum(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 3, 4, 5, 8, 10].find((step) => step * power >= value) ?? 10);
}

function short(value: number): string {
  if (value >= 1_000_000) return `${Number((value / 1_000_000).toFixed(1))} M`;
  if (value >= 10_000) return `${Number((value / 1_000).toFixed(1))} k`;
  return String(Number(value.toPrecision(3)));
}
