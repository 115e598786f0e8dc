import { hourMs } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import { editions } from '../../record/index.ts';
import { arrangeEntries } from './arrange-entries.ts';
import type { ChosenEntries, EditionCandidate } from './choose-entries.ts';
import { byImportance, editionSizes } from './choose-entries.ts';
import { compileEdition, spanOf } from './compile-edition.ts';
import type { ComposedEdition, EditionSettings, AlternativeItem } from './compose-edition.ts';
import { readIncludable, readIssuedPeriods } from './edition-candidate-store.ts';
import type { SavedOperation } from './edition-operation.ts';
import { eventOf } from './edition-operation.ts';

/** A draft is open for so long before the edition is published. */
const openForMs = hourMs;

export interface OpenDraft extends editions.EditionKey {
  readonly dueAt: EpochMicroseconds;
}

const kinds = ['daily', 'weekly', 'monthly'] as const;

/** The editions that are published within the next hour, the next one first. */
export function openDrafts(now: EpochMicroseconds): readonly OpenDraft[] {
  const until = addMs(now, openForMs);
  return kinds
    .flatMap((kind) =>
      editions.editionCalendar[kind]
        .dueBetween(now, until)
        .map((period) => ({ kind, period, dueAt: dueOf({ kind, period }) })),
    )
    .sort((one, other) => Number(one.dueAt - other.dueAt));
}

function dueOf({ kind, period }: editions.EditionKey): EpochMicroseconds {
  return editions.editionCalendar[kind].due(period as never);
}

/** Null if the draft is not open: too early, published, or no period of the calendar. */
export async function findOpenDraft(
  database: Database,
  now: EpochMicroseconds,
  key: editions.EditionKey,
): Promise<OpenDraft | null> {
  const draft = openDrafts(now).find(({ kind, period }) => kind === key.kind && period === key.period);
  if (draft === undefined) return null;
  const issued = await readIssuedPeriods(database, key.kind, [key.period]);
  return issued.has(key.period) ? null : draft;
}

/** The edition as it would be published now. */
export interface Draft extends ChosenEntries {
  readonly key: editions.EditionKey;
  /** Null if no item can be published. */
  readonly composed: ComposedEdition | null;
  readonly alternatives: readonly AlternativeItem[];
  readonly operations: readonly SavedOperation[];
  /** Items that can be added, most important first. */
  readonly others: readonly EditionCandidate[];
}

export async function readDraft(
  settings: EditionSettings,
  database: Database,
  key: editions.EditionKey,
): Promise<Draft> {
  const { composed, material, unreported, operations } = await compileEdition(settings, database, key);
  const pool = { candidates: material.candidates, unreported };
  const { entries, flashes } = arrangeEntries(pool, editionSizes[key.kind], operations);
  const shown = new Set([...entries, ...flashes].map(eventOf));
  const others = material.candidates.filter((one) => !shown.has(eventOf(one))).sort(byImportance);
  return { key, composed, alternatives: material.alternatives, operations, entries, flashes, others };
}

/** The item as an entry that an editor may add; null if the edition may not contain it. */
export async function findAddable(
  database: Database,
  { key, others }: Draft,
  itemId: EditionCandidate['id'],
): Promise<EditionCandidate | null> {
  const known = others.find(({ id }) => id === itemId);
  // Weeklies and monthlies contain entries of their dailies alone.
  if (known !== undefined || key.kind !== 'daily') return known ?? null;
  const [found] = await readIncludable(database, key.period, spanOf(key), [itemId]);
  return found ?? null;
}
