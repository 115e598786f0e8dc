import type { RecordedFigure } from '@daybook/evidence';

interface Source {
  readonly suite: string;
  readonly name: string;
  readonly unit: string;
}

const archive = '1,000,000 items and 200,000 open stories';

/** The measured constants of the model: the figure of docs/benchmarks.md that each is. */
export const constantSources = {
  /** 304 by an api process. */
  unchangedPerCpuSecond: {
    suite: 'news',
    name: '/api/v1/items, 304, beside Fastify',
    unit: 'requests per second of CPU',
  },
  /** A cached list of items by an api process. */
  listsPerCpuSecond: {
    suite: 'news',
    name: '/api/v1/items, beside Fastify',
    unit: 'requests per second of CPU',
  },
  /** Polls that nginx answers from its cache, some of them in full. */
  edgePerCpuSecond: {
    suite: 'million',
    name: 'polls by nginx, largest number of clients',
    unit: 'polls per second of CPU',
  },
  /** Of a hundred polls, those that nginx passes on because a copy is being renewed. */
  forwardedPercent: {
    suite: 'million',
    name: 'polls during a renewal, which reach the api too, largest number of clients',
    unit: '%',
  },
  /** To publish an entry, worker and PostgreSQL together. */
  entryMs: {
    suite: 'publication',
    name: `processor time of worker and PostgreSQL for an entry, among ${archive}`,
    unit: 'ms',
  },
  entryWorkerMs: { suite: 'publication', name: `of this the worker, among ${archive}`, unit: 'ms' },
  entryBytes: {
    suite: 'publication',
    name: 'bytes of the database for an entry, among 1,000,000 items',
    unit: 'bytes',
  },
  /** Of one worker, with responses that contain nothing new. */
  pollsPerSecond: { suite: 'polls', name: 'polls without news', unit: 'polls/s' },
  /** Of two processors. */
  signInsPerSecond: { suite: 'login', name: 'sign-ins beside bare argon2id', unit: 'a second' },
} as const satisfies Readonly<Record<string, Source>>;

/** NaN: no full run has recorded it, so what depends on it is unknown. */
export type Constants = Readonly<Record<keyof typeof constantSources, number>>;

export function readConstants(recorded: readonly RecordedFigure[]): Constants {
  const valueOf = ({ suite, name, unit }: Source): number =>
    recorded.find((one) => one.suite === suite && one.name === name && one.unit === unit)?.value ?? NaN;
  const entries = Object.entries(constantSources).map(([key, source]) => [key, valueOf(source)] as const);
  return Object.fromEntries(entries) as Constants;
}

/** The suites whose full runs would record the missing constants. */
export function listMissingSuites(constants: Constants): readonly string[] {
  const keys = Object.keys(constantSources) as (keyof typeof constantSources)[];
  return [
    ...new Set(keys.filter((key) => Number.isNaN(constants[key])).map((key) => constantSources[key].suite)),
  ];
}

export const predictionPrefix = 'measured beside predicted: ';

/** How far measured configurations were from their predictions: the largest share, from docs/benchmarks.md. */
export function readLargestError(recorded: readonly RecordedFigure[]): number | null {
  const errors = recorded
    .filter(({ suite, name }) => suite === 'capacity' && name.startsWith(predictionPrefix))
    .map(({ value, bare }) => Math.abs(value / (bare ?? value) - 1));
  return errors.length === 0 ? null : Math.max(...errors);
}
