import type { Transaction } from 'kysely';

import { addDays } from '../../foundation/calendar/calendar-date.ts';
import { dayMs, hourMs } from '../../foundation/clock.ts';
import type { Clock } from '../../foundation/clock.ts';
import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { EditionInput, EditionSet } from '../../foundation/engine/engine-declarations.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, instantFromMs } from '../../foundation/instant.ts';
import type { Publisher, recorded } from '../../record/index.ts';
import { editions } from '../../record/index.ts';
import type { EditionCandidate } from './choose-entries.ts';
import type { CompositionMaterial, EditionSettings } from './compose-edition.ts';
import { composeEdition, unreportedCandidates } from './compose-edition.ts';
import {
  readCarriedItems,
  readDailyCandidates,
  readEntriesOfDailies,
  readFirstSelection,
  readIssuedPeriods,
} from './edition-candidate-store.ts';
import { keptMaterial } from './kept-material.ts';

export interface EditionDeps extends EditionSettings {
  readonly clock: Clock;
  readonly publisher: Publisher;
}

/** After a longer outage than this the oldest editions are left out: nothing of their days is in any feed. */
const owedMs = 92 * dayMs;
/** For what was published in the window and found, or selected, too late for its own day's edition. */
const lateMs = dayMs;
/** From the hour of its last daily, which is a day and some hours before its own: then it does without the missing. */
const missingAwaitedMs = 32 * hourMs;

/**
 * Dailies, weeklies and monthlies that should exist and do not are made, one at a time over all processes and the dailies
 * first. Each is one transaction, and the record holds one edition of a period, so none is made twice.
 */
export function editionSets(deps: EditionDeps): readonly EditionSet[] {
  return (['daily', 'weekly', 'monthly'] as const).map((kind) => ({
    name: `${kind}-report`,
    due: (nowMs) => {
      const now = instantFromMs(nowMs);
      return editions.editionCalendar[kind].dueBetween(addMs(now, -owedMs), now);
    },
    existing: async (transaction, periods) => {
      const [issued, first] = [
        await readIssuedPeriods(transaction, kind, periods),
        await readFirstSelection(transaction),
      ];
      return new Set(periods.filter((period) => issued.has(period) || !isOwed({ kind, period }, first)));
    },
    workflow: {
      name: `compile-${kind}`,
      queue: { name: 'reports', runningMax: 1, pollIntervalMs: 500 },
      run: async (context, { key: period }: EditionInput) =>
        context.transaction('issue', (transaction) => issueEdition(deps, transaction, { kind, period })),
    },
  }));
}

/** Before anything was selected there was nothing to publish. */
function isOwed(key: recorded.EditionKey, first: EpochMicroseconds | null): boolean {
  return first !== null && periodOf(key).window.end > first;
}

function periodOf(key: recorded.EditionKey): NonNullable<ReturnType<typeof editions.editionPeriod>> {
  const period = editions.editionPeriod(key);
  if (period === null) throw new RangeError(`no calendar has ${key.kind} ${key.period}`);
  return period;
}

/** In the caller's transaction. What it was made from is kept with it. */
export async function issueEdition(
  deps: EditionDeps,
  transaction: Transaction<DB>,
  key: recorded.EditionKey,
): Promise<void> {
  const material =
    key.kind === 'daily'
      ? await dailyMaterial(transaction, key)
      : { candidates: await compiledCandidates(deps, transaction, key), carried: [] };
  const untold = unreportedCandidates(material, deps);
  const contents = composeEdition(key.kind, untold, deps);
  // Never an empty edition: the run fails where an operator sees it, and is tried again.
  if (contents === null) throw new Error(`${key.kind} ${key.period}: nothing in its window to report`);
  const madeFrom = keptMaterial(material, untold, deps);
  const issued = await deps.publisher.within(transaction, (decisions) =>
    decisions.issueEdition({ ...key, contents, madeFrom }),
  );
  if (issued.ok || issued.reason === 'already_issued') return;
  // What was withdrawn since it was read is gone when it is read again.
  if (issued.reason === 'withdrawn_item') throw new ConcurrentChange('an item has been withdrawn meanwhile');
  throw new Error(`${key.kind} ${key.period} was refused: ${issued.reason}`);
}

async function dailyMaterial(
  transaction: Transaction<DB>,
  key: recorded.EditionKey,
): Promise<CompositionMaterial> {
  const { start, end } = periodOf(key).window;
  const span = { from: addMs(start, -lateMs), to: end };
  const candidates = await readDailyCandidates(transaction, key.period, span);
  const storyIds = candidates.flatMap(({ storyId }) => (storyId === null ? [] : [storyId]));
  return { candidates, carried: await readCarriedItems(transaction, key.period, storyIds) };
}

/** From the dailies dated in its days, as they stand; it waits a while for those that are missing. */
async function compiledCandidates(
  { clock }: EditionDeps,
  transaction: Transaction<DB>,
  key: recorded.EditionKey,
): Promise<readonly EditionCandidate[]> {
  const { first, last, window } = periodOf(key);
  const days = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  const issued = await readIssuedPeriods(transaction, 'daily', days);
  const since = await readFirstSelection(transaction);
  const missing = days.filter((day) => !issued.has(day) && isOwed({ kind: 'daily', period: day }, since));
  if (missing.length > 0 && clock.now() < addMs(window.end, missingAwaitedMs))
    throw new Error(`${key.kind} ${key.period} waits for the dailies of ${missing.join(', ')}`);
  return readEntriesOfDailies(transaction, { first, last });
}
