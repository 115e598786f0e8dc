import type { SuiteContext } from '@daybook/evidence';

import type { EngineStage } from '../engine/engine-stage.ts';

interface Leaf {
  readonly kind: string;
  readonly action: string;
  readonly subject: string;
  readonly revision: number;
  readonly leaf_index: number;
}

interface Noted {
  readonly kind: string;
  readonly action: string;
  readonly subject: string;
  readonly began: number;
  /** Null if the process was killed before its commit returned. */
  readonly returned: number | null;
}

/** Compares the leaves with what the decisions noted in their own transactions. */
export async function checkEntries({ figure, note }: SuiteContext, { query }: EngineStage): Promise<void> {
  const leaves = await query<Leaf>(
    `SELECT kind, action, subject, revision, leaf_index::float8 AS leaf_index FROM record.log_entry ORDER BY entry`,
  );
  const noted = await query<Noted>(
    `SELECT kind, action, subject, extract(epoch FROM began)::float8 AS began,
       extract(epoch FROM returned.at)::float8 AS returned
     FROM log_proof.decided LEFT JOIN log_proof.returned USING (id) ORDER BY id`,
  );
  figure({ name: 'decisions', value: noted.length, unit: 'decisions' });
  figure({ name: 'leaves', value: leaves.length, unit: 'leaves' });
  const withdrawn = noted.filter(({ action }) => action === 'withdrawn').length;
  // Each withdrawal also publishes a correction.
  const corrections = leaves.filter(({ kind }) => kind === 'correction').length;
  const exactly = (name: string, value: number, unit = 'leaves'): void =>
    figure({ name, value, unit, goal: { exactly: 0 } });
  const wrong = unmatched(leaves, noted);
  for (const [key, count] of wrong.slice(0, 6)) note(`${count} leaves more than decisions: ${key}`);
  exactly(
    'decisions without a leaf, or leaves without a decision',
    wrong.reduce((sum, [, count]) => sum + Math.abs(count), 0) + Math.abs(corrections - withdrawn),
  );
  exactly('places without a leaf, or with two', wrongPlaces(leaves));
  exactly('revisions out of order', revisionsOutOfOrder(leaves));
  exactly('leaves before one whose commit had returned when they began', againstCommits(leaves, noted));
}

const keyOf = ({ kind, action, subject }: Pick<Leaf, 'kind' | 'action' | 'subject'>): string =>
  `${kind} ${action} ${subject}`;

/** Leaves minus decisions, where they differ. */
function unmatched(leaves: readonly Leaf[], noted: readonly Noted[]): readonly [string, number][] {
  const balance = new Map<string, number>();
  for (const one of leaves)
    if (one.kind !== 'correction') balance.set(keyOf(one), (balance.get(keyOf(one)) ?? 0) + 1);
  for (const one of noted) balance.set(keyOf(one), (balance.get(keyOf(one)) ?? 0) - 1);
  return [...balance].filter(([, count]) => count !== 0);
}

function wrongPlaces(leaves: readonly Leaf[]): number {
  const places = new Set(leaves.map((leaf) => leaf.leaf_index));
  return leaves.filter((_, at) => !places.has(at)).length;
}

const byPlace = (one: Leaf, other: Leaf): number => one.leaf_index - other.leaf_index;

function revisionsOutOfOrder(leaves: readonly Leaf[]): number {
  const last = new Map<string, number>();
  return [...leaves].sort(byPlace).filter(({ kind, subject, revision }) => {
    const before = last.get(`${kind} ${subject}`) ?? 0;
    last.set(`${kind} ${subject}`, revision);
    return revision !== before + 1;
  }).length;
}

/** A decision and its leaf have the same place among those of the same subject and action. */
function againstCommits(leaves: readonly Leaf[], noted: readonly Noted[]): number {
  const queues = Map.groupBy(noted, keyOf);
  const times = [...leaves].sort(byPlace).flatMap((leaf) => queues.get(keyOf(leaf))?.shift() ?? []);
  let [wrong, earliestReturn] = [0, Number.POSITIVE_INFINITY];
  for (const { began, returned } of times.reverse()) {
    if (earliestReturn < began) wrong += 1;
    earliestReturn = Math.min(earliestReturn, returned ?? Number.POSITIVE_INFINITY);
  }
  return wrong;
}
