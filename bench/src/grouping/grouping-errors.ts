import { seededRandom } from '@daybook/evidence';

import type { Grouping } from './grouping-scores.ts';
import type { LabelledItem } from './labelled-set.ts';

/** A pair that was decided wrongly, for display. */
export interface GroupingError {
  readonly kind: 'merged' | 'missed';
  readonly one: LabelledItem;
  readonly other: LabelledItem;
}

/** One error for each pair of stories that were mixed or of groups that one story fell into: variety, not repetition. */
export function groupingErrors(items: readonly LabelledItem[], grouping: Grouping): readonly GroupingError[] {
  const errors = new Map<string, GroupingError>();
  const groupOf = ({ id }: LabelledItem): string => grouping.get(id) ?? id;
  const collect = (kind: GroupingError['kind'], members: readonly LabelledItem[]): void => {
    const keyOf = (item: LabelledItem): string => (kind === 'merged' ? item.story : groupOf(item));
    for (const [at, one] of members.entries()) {
      for (const other of members.slice(at + 1)) {
        const [first, second] = [keyOf(one), keyOf(other)].sort();
        const key = `${kind} ${first} ${second}`;
        if (first !== second && !errors.has(key)) errors.set(key, { kind, one, other });
      }
    }
  };
  const scored = items.filter((item) => item.scored);
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
