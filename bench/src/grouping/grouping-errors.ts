import { seededRandom } from '@daybook/evidence';

import type { Grouping } from './grouping-scores.ts';
import type { LabelledReport } from './labelled-set.ts';

/** A pair that was decided wrongly, as a person would look at it. */
export interface GroupingError {
  readonly kind: 'merged' | 'missed';
  readonly one: LabelledReport;
  readonly other: LabelledReport;
}

/** One error for each pair of stories that were mixed or of groups that one story fell into: variety, not repetition. */
export function groupingErrors(
  reports: readonly LabelledReport[],
  grouping: Grouping,
): readonly GroupingError[] {
  const errors = new Map<string, GroupingError>();
  const groupOf = ({ id }: LabelledReport): string => grouping.get(id) ?? id;
  const collect = (kind: GroupingError['kind'], members: readonly LabelledReport[]): void => {
    const keyOf = (report: LabelledReport): string => (kind === 'merged' ? report.story : groupOf(report));
    for (const [at, one] of members.entries()) {
      for (const other of members.slice(at + 1)) {
        const [first, second] = [keyOf(one), keyOf(other)].sort();
        const key = `${kind} ${first} ${second}`;
        if (first !== second && !errors.has(key)) errors.set(key, { kind, one, other });
      }
    }
  };
  const scored = reports.filter((report) => report.scored);
  for (const members of Map.groupBy(scored, groupOf).values()) collect('merged', members);
  for (const members of Map.groupBy(scored, ({ story }) => story).values()) collect('missed', members);
  return [...errors.values()];
}

/** Some of them, the same in every run. */
export function sampleErrors(errors: readonly GroupingError[], count: number): readonly GroupingError[] {
  const random = seededRandom(errors.length);
  return errors
    .map((error) => ({ error, order: random() }))
    .sort((one, other) => one.order - other.order)
    .slice(0, count)
    .map(({ error }) => error);
}

export function errorText({ kind, one, other }: GroupingError): string {
  return `${kind === 'merged' ? 'wrongly merged' : 'missed       '}  ${one.title}  |  ${other.title}`;
}
