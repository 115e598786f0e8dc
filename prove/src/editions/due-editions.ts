import { dayMs } from '../../../apps/server/src/foundation/clock.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { addMs } from '../../../apps/server/src/foundation/instant.ts';
import { editionCalendar } from '../../../apps/server/src/record/editions/edition-calendar.ts';
import type { editions } from '../../../apps/server/src/record/index.ts';

export interface DueEdition extends editions.EditionKey {
  /** Its kind and period. */
  readonly key: string;
  readonly dueAt: EpochMicroseconds;
}

/** In the order in which they fall due; none is due from before the first item. */
export function dueEditions({
  from,
  to,
}: {
  readonly from: EpochMicroseconds;
  readonly to: EpochMicroseconds;
}): readonly DueEdition[] {
  return (['daily', 'weekly', 'monthly'] as const)
    .flatMap((kind) => {
      const { dueBetween, due, window } = editionCalendar[kind];
      return dueBetween(from, to)
        .filter((label) => window(label as never).end > addMs(from, dayMs / 2))
        .map((label) => ({ kind, period: label, key: `${kind} ${label}`, dueAt: due(label as never) }));
    })
    .sort((one, other) => Number(one.dueAt - other.dueAt));
}
