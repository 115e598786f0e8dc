import type { ChosenEntries, EditionCandidate, EditionSize } from './choose-entries.ts';
import { byImportance, chooseEntries } from './choose-entries.ts';
import type { OperationTarget, SavedOperation, UnappliedOperation } from './edition-operation.ts';
import { eventOf, isOfItem } from './edition-operation.ts';

export interface ArrangedEntries extends ChosenEntries {
  readonly unapplied: readonly UnappliedOperation[];
}

interface Pool {
  readonly candidates: readonly EditionCandidate[];
  /** Candidates whose story was not published before, or that add a fact. */
  readonly unreported: readonly EditionCandidate[];
}

/**
 * The entries by rule, changed by the operations of editors in the order in which they were saved. A later operation on
 * the same story replaces an earlier one.
 */
export function arrangeEntries(
  pool: Pool,
  size: EditionSize,
  operations: readonly SavedOperation[],
): ArrangedEntries {
  const wishes = readWishes(pool, operations);
  const { dropped, included, pinned } = wishes;
  const others = pool.unreported.filter(
    (candidate) => !dropped.has(eventOf(candidate)) && !included.has(eventOf(candidate)),
  );
  const chosen = chooseEntries(others, size, [...included.values()]);
  const placeOf = (candidate: EditionCandidate): number => {
    const place = pinned.indexOf(eventOf(candidate));
    return place === -1 ? pinned.length : place;
  };
  const entries = chosen.entries.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || byImportance(one, other),
  );
  // An edition is published at its hour, whatever editors dropped.
  if (entries.length === 0 && operations.length > 0)
    return {
      ...chooseEntries(pool.unreported, size),
      unapplied: operations
        .filter(({ operation }) => isOfItem(operation))
        .map((operation) => ({ operation, cause: 'empty_edition' as const })),
    };
  const { ordered, unapplied } = moveEntries([...entries, ...chosen.flashes], wishes);
  return {
    entries: ordered.slice(0, size.entries),
    flashes: ordered.slice(size.entries),
    unapplied: [...wishes.unapplied, ...unapplied],
  };
}

interface Wishes {
  readonly dropped: ReadonlySet<string>;
  readonly included: ReadonlyMap<string, EditionCandidate>;
  /** Events, first one first. */
  readonly pinned: readonly string[];
  readonly moves: readonly SavedOperation[];
  readonly unapplied: readonly UnappliedOperation[];
  readonly eventFor: (target: OperationTarget) => string;
}

/** Folds the operations on items; those that name no candidate are not applied. */
function readWishes({ candidates }: Pool, operations: readonly SavedOperation[]): Wishes {
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  const events = new Set(candidates.map(eventOf));
  const eventFor = ({ itemId, event }: OperationTarget): string => {
    const candidate = byId.get(itemId);
    return candidate === undefined ? event : eventOf(candidate);
  };
  const dropped = new Set<string>();
  const included = new Map<string, EditionCandidate>();
  const unapplied: UnappliedOperation[] = [];
  let pinned: string[] = [];
  const unavailable = (operation: SavedOperation) =>
    unapplied.push({ operation, cause: 'item_not_available' });
  for (const saved of operations) {
    const { operation } = saved;
    if (operation.op === 'drop') {
      const event = eventFor(operation);
      if (!events.has(event)) unavailable(saved);
      dropped.add(event);
      included.delete(event);
      pinned = pinned.filter((one) => one !== event);
    } else if (operation.op === 'add' || operation.op === 'pin') {
      const candidate = byId.get(operation.itemId);
      if (candidate === undefined) {
        unavailable(saved);
        continue;
      }
      const event = eventOf(candidate);
      dropped.delete(event);
      included.set(event, candidate);
      if (operation.op === 'pin') pinned = [...pinned.filter((one) => one !== event), event];
    }
  }
  const moves = operations.filter(({ operation }) => operation.op === 'move');
  return { dropped, included, pinned, moves, unapplied, eventFor };
}

function moveEntries(
  entries: readonly EditionCandidate[],
  { moves, eventFor }: Pick<Wishes, 'moves' | 'eventFor'>,
): { readonly ordered: readonly EditionCandidate[]; readonly unapplied: readonly UnappliedOperation[] } {
  const unapplied: UnappliedOperation[] = [];
  let ordered = entries;
  for (const saved of moves) {
    const { operation } = saved;
    if (operation.op !== 'move') continue;
    const { before } = operation;
    const moved = ordered.find((entry) => eventOf(entry) === eventFor(operation));
    const rest = ordered.filter((entry) => entry !== moved);
    const place =
      before === null ? rest.length : rest.findIndex((entry) => eventOf(entry) === eventFor(before));
    if (moved === undefined || place === -1) unapplied.push({ operation: saved, cause: 'not_in_edition' });
    else ordered = rest.toSpliced(place, 0, moved);
  }
  return { ordered, unapplied };
}
