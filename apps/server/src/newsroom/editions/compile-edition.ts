import type { Transaction } from 'kysely';

import { addDays } from '../../foundation/calendar/calendar-date.ts';
import { dayMs, hourMs } from '../../foundation/clock.ts';
import type { Clock } from '../../foundation/clock.ts';
import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { EditionInput, EditionSet } from '../../foundation/engine/engine-declarations.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, instantFromMs } from '../../foundation/instant.ts';
import type { Publisher } from '../../record/index.ts';
import { editions } from '../../record/index.ts';
import type { RuleEntry } from '../rule-journal-store.ts';
import { recordRuleEntries } from '../rule-journal-store.ts';
import { arrangeEntries } from './arrange-entries.ts';
import type { EditionCandidate } from './choose-entries.ts';
import { editionSizes, filledTo } from './choose-entries.ts';
import type { ComposedEdition, CompositionMaterial, EditionSettings } from './compose-edition.ts';
import { composeEdited, unreportedCandidates } from './compose-edition.ts';
import type { Span } from './edition-candidate-store.ts';
import {
  readCarriedItems,
  readDailyCandidates,
  readEntriesOfDailies,
  readFillers,
  readFirstSelection,
  readIncludable,
  readIssuedPeriods,
  readAlternatives,
} from './edition-candidate-store.ts';
import { materialToStore } from './edition-material.ts';
import { lockDraft, readOperations } from './edition-operation-store.ts';
import type { SavedOperation, UnappliedOperation } from './edition-operation.ts';
import { includedItems } from './edition-operation.ts';

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
      return new Set(periods.filter((period) => issued.has(period) || !isExpected({ kind, period }, first)));
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
function isExpected(key: editions.EditionKey, first: EpochMicroseconds | null): boolean {
  return first !== null && periodOf(key).window.end > first;
}

export function periodOf(key: editions.EditionKey): NonNullable<ReturnType<typeof editions.editionPeriod>> {
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
  await lockDraft(transaction, key);
  await requireDailies(deps, transaction, key);
  const { composed, material, unreported, operations } = await compileEdition(deps, transaction, key);
  // An edition is never empty: the run fails visibly for operators, and is retried.
  if (composed === null) throw new Error(`${key.kind} ${key.period}: nothing in its window to report`);
  const { contents, unapplied } = composed;
  const madeFrom = {
    ...materialToStore(material, unreported, deps, operations),
    release: deps.release ?? null,
  };
  const issued = await deps.publisher.within(transaction, async (decisions) => {
    const result = await decisions.issueEdition({ ...key, contents, madeFrom });
    if (result.ok) await recordRuleEntries(transaction, deps.clock.now(), unapplied.map(fallBackOf(key)));
    return result;
  });
  if (issued.ok || issued.reason === 'already_issued') return;
  // An item withdrawn since it was read is no longer in the next read.
  if (issued.reason === 'withdrawn_item') throw new ConcurrentChange('an item has been withdrawn meanwhile');
  throw new Error(`${key.kind} ${key.period} was refused: ${issued.reason}`);
}

/** The entry of an operation that no longer applied. */
function fallBackOf({ kind, period }: editions.EditionKey) {
  return ({ operation: { id, operation }, cause }: UnappliedOperation): RuleEntry => ({
    action: 'fall-back',
    subject: { kind, id: period },
    rule: 'draft',
    features: { operation: id, op: operation.op, cause },
  });
}

interface CompiledEdition {
  /** Null if no item can be published. */
  readonly composed: ComposedEdition | null;
  readonly material: CompositionMaterial;
  readonly unreported: readonly EditionCandidate[];
  readonly operations: readonly SavedOperation[];
}

/** By rule from the record as it is now, with the operations of its draft. */
export async function compileEdition(
  deps: EditionSettings,
  database: Database,
  key: editions.EditionKey,
): Promise<CompiledEdition> {
  const operations = await readOperations(database, key);
  const read =
    key.kind === 'daily'
      ? await dailyMaterial(deps, database, key, operations)
      : { candidates: await readEntriesOfDailies(database, periodOf(key)), carried: [] };
  const unreported = unreportedCandidates(read, deps);
  const pool = { candidates: read.candidates, unreported };
  const { entries, flashes } = arrangeEntries(pool, editionSizes[key.kind], operations);
  const alternatives = await readAlternatives(database, key, spanOf(key), [...entries, ...flashes]);
  const composed = composeEdited(key.kind, { ...pool, alternatives, operations }, deps);
  return { composed, material: { ...read, alternatives }, unreported, operations };
}

type ReadMaterial = Pick<CompositionMaterial, 'candidates' | 'carried'>;

/** The time that its items were published in. */
export function spanOf(key: editions.EditionKey): Span {
  const { start, end } = periodOf(key).window;
  return { from: addMs(start, -lateMs), to: end };
}

/** Reads items that were not selected only for a day with few selected stories, or if an editor included them. */
async function dailyMaterial(
  deps: EditionSettings,
  database: Database,
  key: editions.EditionKey,
  operations: readonly SavedOperation[],
): Promise<ReadMaterial> {
  const span = spanOf(key);
  const candidates = await readDailyCandidates(database, key.period, span);
  const known = new Set(candidates.map(({ id }) => id));
  const missing = includedItems(operations).filter((id) => !known.has(id));
  const included = await readIncludable(database, key.period, span, missing);
  const read = await withCarried(database, key, [...candidates, ...included]);
  const pool = { candidates: read.candidates, unreported: unreportedCandidates(read, deps) };
  const { entries } = arrangeEntries(pool, editionSizes.daily, operations);
  if (entries.length >= filledTo) return read;
  const ofEditors = new Set(included.map(({ id }) => id));
  const fillers = await readFillers(database, key.period, span);
  return withCarried(database, key, [...read.candidates, ...fillers.filter(({ id }) => !ofEditors.has(id))]);
}

async function withCarried(
  database: Database,
  key: editions.EditionKey,
  candidates: readonly EditionCandidate[],
): Promise<ReadMaterial> {
  const storyIds = candidates.flatMap(({ storyId }) => (storyId === null ? [] : [storyId]));
  return { candidates, carried: await readCarriedItems(database, key.period, storyIds) };
}

/** A weekly or monthly waits a while for missing dailies of its days. */
async function requireDailies(
  { clock }: EditionDeps,
  transaction: Transaction<DB>,
  key: editions.EditionKey,
): Promise<void> {
  if (key.kind === 'daily') return;
  const { first, last, window } = periodOf(key);
  const days = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  const issued = await readIssuedPeriods(transaction, 'daily', days);
  const since = await readFirstSelection(transaction);
  const missing = days.filter((day) => !issued.has(day) && isExpected({ kind: 'daily', period: day }, since));
  if (missing.length > 0 && clock.now() < addMs(window.end, missingAwaitedMs))
    throw new Error(`${key.kind} ${key.period} waits for the dailies of ${missing.join(', ')}`);
}
