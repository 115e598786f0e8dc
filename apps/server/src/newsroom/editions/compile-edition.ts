import type { Transaction } from 'kysely';

import { addDays } from '../../foundation/calendar/calendar-date.ts';
import { dayMs, hourMs } from '../../foundation/clock.ts';
import type { Clock } from '../../foundation/clock.ts';
import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { EditionInput, EditionSet } from '../../foundation/engine/engine-declarations.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, instantFromMs } from '../../foundation/instant.ts';
import type { Publisher } from '../../record/index.ts';
import { editions } from '../../record/index.ts';
import type { EditionCandidate } from './choose-entries.ts';
import { chooseEntries, editionSizes, filledTo } from './choose-entries.ts';
import type { CompositionMaterial, EditionSettings } from './compose-edition.ts';
import { composeEdition, unreportedCandidates } from './compose-edition.ts';
import type { Span } from './edition-candidate-store.ts';
import {
  readCarriedItems,
  readDailyCandidates,
  readEntriesOfDailies,
  readFillers,
  readFirstSelection,
  readIssuedPeriods,
  readReports,
} from './edition-candidate-store.ts';
import { keptMaterial } from './kept-material.ts';

export interface EditionDeps extends EditionSettings {
  readonly clock: Clock;
  readonly publisher: Publisher;
  /** Of this program; stored with each edition. */
  readonly release?: string;
}

/** After a longer outage the oldest editions are skipped: no feed still contains the items of their days. */
const owedMs = 92 * dayMs;
/** For items published in the window that were found, or selected, too late for their own day's edition. */
const lateMs = dayMs;
/** From the hour of its last daily, a day and some hours before its own: then missing dailies are skipped. */
const missingAwaitedMs = 32 * hourMs;

/**
 * Compiles missing dailies, weeklies and monthlies, one at a time across all processes, dailies first. Each is one
 * transaction, and the record stores one edition per period, so none is compiled twice.
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

/** No edition is due for a time before the first selection. */
function isOwed(key: editions.EditionKey, first: EpochMicroseconds | null): boolean {
  return first !== null && periodOf(key).window.end > first;
}

function periodOf(key: editions.EditionKey): NonNullable<ReturnType<typeof editions.editionPeriod>> {
  const period = editions.editionPeriod(key);
  if (period === null) throw new RangeError(`no calendar has ${key.kind} ${key.period}`);
  return period;
}

/** Runs in the caller's transaction and stores the material with the edition. */
export async function issueEdition(
  deps: EditionDeps,
  transaction: Transaction<DB>,
  key: editions.EditionKey,
): Promise<void> {
  const read =
    key.kind === 'daily'
      ? await dailyMaterial(deps, transaction, key)
      : { candidates: await compiledCandidates(deps, transaction, key), carried: [] };
  const untold = unreportedCandidates(read, deps);
  const { entries, flashes } = chooseEntries(untold, editionSizes[key.kind]);
  const reports = await readReports(transaction, key, spanOf(key), [...entries, ...flashes]);
  const material = { ...read, reports };
  const contents = composeEdition(key.kind, { untold, reports }, deps);
  // An edition is never empty: the run fails visibly for operators, and is retried.
  if (contents === null) throw new Error(`${key.kind} ${key.period}: nothing in its window to report`);
  const madeFrom = { ...keptMaterial(material, untold, deps), release: deps.release ?? null };
  const issued = await deps.publisher.within(transaction, (decisions) =>
    decisions.issueEdition({ ...key, contents, madeFrom }),
  );
  if (issued.ok || issued.reason === 'already_issued') return;
  // An item withdrawn since it was read is no longer in the next read.
  if (issued.reason === 'withdrawn_item') throw new ConcurrentChange('an item has been withdrawn meanwhile');
  throw new Error(`${key.kind} ${key.period} was refused: ${issued.reason}`);
}

type ReadMaterial = Pick<CompositionMaterial, 'candidates' | 'carried'>;

/** The time that its items were published in. */
function spanOf(key: editions.EditionKey): Span {
  const { start, end } = periodOf(key).window;
  return { from: addMs(start, -lateMs), to: end };
}

/** Reads items that were not selected only for a day with few selected stories. */
async function dailyMaterial(
  deps: EditionDeps,
  transaction: Transaction<DB>,
  key: editions.EditionKey,
): Promise<ReadMaterial> {
  const span = spanOf(key);
  const selected = await withCarried(
    transaction,
    key,
    await readDailyCandidates(transaction, key.period, span),
  );
  const { entries } = chooseEntries(unreportedCandidates(selected, deps), editionSizes.daily);
  if (entries.length >= filledTo) return selected;
  const fillers = await readFillers(transaction, key.period, span);
  return withCarried(transaction, key, [...selected.candidates, ...fillers]);
}

async function withCarried(
  transaction: Transaction<DB>,
  key: editions.EditionKey,
  candidates: readonly EditionCandidate[],
): Promise<ReadMaterial> {
  const storyIds = candidates.flatMap(({ storyId }) => (storyId === null ? [] : [storyId]));
  return { candidates, carried: await readCarriedItems(transaction, key.period, storyIds) };
}

/** From the current dailies dated in its days; waits a while for missing ones. */
async function compiledCandidates(
  { clock }: EditionDeps,
  transaction: Transaction<DB>,
  key: editions.EditionKey,
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
