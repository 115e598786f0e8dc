import type { Dispatch, World } from '@daybook/newswire';

import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { epochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { replayEdition } from '../../../apps/server/src/newsroom/editions/replay-edition.ts';
import type { Replay } from '../../../apps/server/src/newsroom/index.ts';
import type { editions } from '../../../apps/server/src/record/index.ts';
import type { EngineStage } from '../engine/engine-stage.ts';

export interface MadeEdition {
  /** Its kind and period. */
  readonly key: string;
  readonly at: EpochMicroseconds;
  readonly revisions: number;
  readonly itemIds: readonly string[];
}

/** In the order of their periods, dailies first. */
export async function readEditions(query: EngineStage['query']): Promise<readonly MadeEdition[]> {
  const rows = await query<{ key: string; at: string; revisions: number; items: readonly string[] }>(
    `SELECT kind || ' ' || period AS key, (extract(epoch FROM min(generated_at)) * 1000000)::bigint::text AS at,
       count(*)::int AS revisions,
       (SELECT coalesce(array_agg(item_id::text), '{}') FROM record.edition_citation AS cited
        WHERE cited.kind = made.kind AND cited.period = made.period) AS items
     FROM record.edition_revision AS made GROUP BY kind, period ORDER BY kind, period`,
  );
  return rows.map(({ key, at, revisions, items }) => ({
    key,
    at: epochMicroseconds(BigInt(at)),
    revisions,
    itemIds: items,
  }));
}

/** Roles of dispatches that open a reading group with something new about their story, by the labels of the world. */
const newRoles = new Set(['follow-up', 'contradiction', 'correction', 'confirmation']);

/** Over all dailies: how often a story was repeated, and how often without new facts. */
export function countRepeats(
  made: readonly MadeEdition[],
  dispatches: ReadonlyMap<string, Dispatch>,
  world: World,
): { readonly returns: number; readonly repeats: number } {
  const groups = new Map<string, Set<string>>();
  // A reprint has the content of the dispatch that it repeats.
  const newGroups = new Set<string>();
  for (const { role, groupKey } of world.dispatches()) if (newRoles.has(role)) newGroups.add(groupKey);
  let [returns, repeats] = [0, 0];
  for (const { itemIds } of made.filter(({ key }) => key.startsWith('daily '))) {
    for (const id of itemIds) {
      const dispatch = dispatches.get(id);
      if (dispatch === undefined || dispatch.storyKey === null) continue;
      const known = groups.get(dispatch.storyKey);
      groups.set(dispatch.storyKey, new Set([...(known ?? []), dispatch.groupKey]));
      if (known === undefined) continue;
      returns += 1;
      if (!newGroups.has(dispatch.groupKey) || known.has(dispatch.groupKey)) repeats += 1;
    }
  }
  return { returns, repeats };
}

/** One after the other, in their order. */
export async function replayOutcomes(
  database: Database,
  settings: Parameters<typeof replayEdition>[1],
  keys: readonly editions.EditionKey[],
): Promise<readonly Replay['outcome'][]> {
  const outcomes: Replay['outcome'][] = [];
  for (const { kind, period } of keys)
    outcomes.push((await replayEdition(database, settings, { kind, period })).outcome);
  return outcomes;
}
