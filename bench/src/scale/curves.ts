import type { RecordedFigure } from '@daybook/evidence';

export interface Point {
  readonly size: number;
  readonly value: number;
  /** The same work on the bare engine. */
  readonly bare: number | null;
}

export interface Curve {
  /** Of the picture. */
  readonly file: string;
  readonly title: string;
  /** What grows. */
  readonly sizes: string;
  readonly unit: string;
  readonly command: string;
  readonly date: string;
  readonly points: readonly Point[];
}

interface CurveSource {
  readonly file: string;
  readonly title: string;
  readonly sizes: string;
  readonly suite: string;
  /** The name of each figure, with its size. */
  readonly name: RegExp;
  readonly unit: string;
}

const sources: readonly CurveSource[] = [
  {
    file: 'publication',
    title: 'Processor time to publish an entry',
    sizes: 'items of the archive',
    suite: 'publication',
    name: /^processor time of worker and PostgreSQL for an entry, among ([\d,]+) items/,
    unit: 'ms',
  },
  {
    file: 'polls',
    title: 'Database pages to claim a domain that is due',
    sizes: 'sources',
    suite: 'polls',
    name: /^pages per claim, ([\d,]+) sources$/,
    unit: 'pages',
  },
  {
    file: 'polling-clients',
    title: 'Requests to the api a minute, for an address in an encoding',
    sizes: 'clients behind nginx',
    suite: 'million',
    name: /^requests to the api per address, encoding and minute, ([\d,]+) clients$/,
    unit: 'requests',
  },
  {
    file: 'edge',
    title: 'Polls that nginx answers with a second of processor time',
    sizes: 'clients',
    suite: 'million',
    name: /^polls by nginx, ([\d,]+) clients$/,
    unit: 'polls per second of CPU',
  },
  {
    file: 'permissions',
    title: 'Time to check a permission',
    sizes: 'policies',
    suite: 'authority',
    name: /^([\d,]+) policies$/,
    unit: 'µs a check',
  },
  {
    file: 'local-limiter',
    title: 'Time to admit a request by its address',
    sizes: 'addresses',
    suite: 'limits',
    name: /^local limiter, ([\d,]+) address(?:es)?, beside the library$/,
    unit: 'µs a call',
  },
  {
    file: 'strict-limiter',
    title: 'Decisions of the strict limiter',
    sizes: 'keys',
    suite: 'limits',
    name: /^strict limiter, (one|[\d,]+) rows?, beside/,
    unit: 'decisions/s',
  },
  {
    file: 'saved-searches',
    title: 'Time to compare an item with saved searches',
    sizes: 'saved searches',
    suite: 'watch',
    name: /^an item alone, ([\d,]+) searches, median$/,
    unit: 'ms',
  },
  {
    file: 'answers',
    title: 'Time of an answer by quoting',
    sizes: 'items, and a tenth as many files',
    suite: 'answers',
    name: /^an answer, ([\d,]+) items and [\d,]+ files, p95$/,
    unit: 'ms',
  },
  {
    file: 'desk',
    title: 'Time of the first page of the queue',
    sizes: 'entries of the queue',
    suite: 'desk',
    name: /^first page of the queue, ([\d,]+) entries, p95$/,
    unit: 'ms',
  },
  {
    file: 'log-proof',
    title: 'Size of a proof of the public log',
    sizes: 'entries of the log',
    suite: 'log',
    name: /^size of a proof, ([\d,]+) leaves$/,
    unit: 'bytes',
  },
];

/** Two points are a line through anything. */
const pointsMin = 3;

/** The curves that the recorded figures have points for, each of one run. */
export function readCurves(recorded: readonly RecordedFigure[]): readonly Curve[] {
  return sources.flatMap(({ suite, name, unit, ...curve }) => {
    const found = recorded.flatMap((figure) => {
      const [, size] = name.exec(figure.name) ?? [];
      if (size === undefined || figure.suite !== suite || figure.unit !== unit) return [];
      const count = size === 'one' ? 1 : Number(size.replaceAll(',', ''));
      return [{ size: count, value: figure.value, bare: figure.bare, date: figure.date }];
    });
    const date = found[0]?.date ?? '';
    if (found.length < pointsMin || found.some((point) => point.date !== date)) return [];
    const points = found
      .map(({ size, value, bare }) => ({ size, value, bare }))
      .toSorted((one, other) => one.size - other.size);
    return [{ ...curve, unit, date, points, command: `npm run bench -- ${suite}` }];
  });
}
