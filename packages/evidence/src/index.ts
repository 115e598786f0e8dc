export { collectGarbage } from './collect-garbage.ts';
export { runCommand } from './command.ts';
export { costTable } from './print.ts';
export { dataPath, describeMissingData } from './data-sets.ts';
export type { Figure, Goal } from './figure.ts';
export { median, quantile, seededRandom } from './statistics.ts';
export type { Suite, SuiteContext } from './suite.ts';
export { readBenchmarks, readGuarantees } from './recorded-figures.ts';
export type { RecordedFigure } from './recorded-figures.ts';
