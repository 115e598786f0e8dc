import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import { instantToMs } from '../../foundation/instant.ts';
import { chooseRepresentative } from '../copy/judgement/index.ts';
import type { Placement } from '../stories/placement-batch.ts';
import type { RepresentativeDeps } from './group-representative.ts';
import { groupItem, judgeInPlace, selectableForMs } from './group-representative.ts';
import type { Representative } from './item-standing-store.ts';
import { readRepresentatives, readVoices } from './item-standing-store.ts';
import type { PreparedEntry } from './prepare-entry.ts';
import type { SettledItem } from './publish-placed-items.ts';

/**
 * Judges placed items in their order: the number of independent owners of the story, and the representative of the
 * reading group. Writes nothing: each item is published once, with the result.
 */
export async function settlePlacements(
  deps: RepresentativeDeps,
  transaction: Transaction<DB>,
  entries: readonly PreparedEntry[],
  placements: readonly Placement[],
): Promise<readonly SettledItem[]> {
  const voices = new StoryVoices(await readVoices(transaction, joinedStories(placements)));
  const representatives = new Map<Id<'reading-group'>, Representative>(
    await readRepresentatives(
      transaction,
      placements.filter(({ kind }) => kind === 'same reading').map(({ groupId }) => groupId),
    ),
  );
  const settled = new Map<Id<'item'>, SettledItem>();
  for (const [at, placement] of placements.entries()) {
    const { entry, judged } = entries[at] as PreparedEntry;
    for (const { survivorId, absorbedId } of placement.merges) voices.merge(survivorId, absorbedId);
    const { kind: placedBy, finalStoryId, voice } = placement;
    const owners = finalStoryId === null ? 1 : voices.add(finalStoryId, voice ?? entry.source.owner);
    const judgement = judgeInPlace(judged, { placedBy, owners }, deps.language);
    const current = representatives.get(placement.groupId) ?? null;
    const ageMs = deps.clock.nowMs() - instantToMs(entry.publishedAt ?? entry.discoveredAt);
    const own = groupItem(entry, judgement);
    const selectable = judgement.selectable && ageMs < selectableForMs;
    const isSelected = replaces({ ...own, selectable }, current);
    if (isSelected) {
      const former = current === null ? undefined : settled.get(current.id);
      if (current !== null && former !== undefined) settled.set(current.id, { ...former, selection: null });
      representatives.set(placement.groupId, { ...own, discoveredAt: entry.discoveredAt });
    }
    settled.set(entry.id, {
      score: judgement.score.value,
      selection: isSelected ? { reason: judgement.reason } : null,
      features: { ...judgement.score.parts, owners },
    });
  }
  return entries.map(({ entry }) => settled.get(entry.id) as SettledItem);
}

function replaces(own: ReturnType<typeof groupItem>, current: Representative | null): boolean {
  if (current?.isChosenByEditor === true) return false;
  const rival = current === null ? [] : [{ ...current, receivedAt: current.discoveredAt, selectable: true }];
  return chooseRepresentative([own, ...rival], current?.id ?? null) === own.id;
}

function joinedStories(placements: readonly Placement[]): readonly Id<'story'>[] {
  return placements.flatMap(({ kind, storyId, merges }) => [
    ...(kind === 'open' || storyId === null ? [] : [storyId]),
    ...merges.flatMap(({ survivorId, absorbedId }) => [survivorId, absorbedId]),
  ]);
}

/** The voices of each story's items, including those that a batch adds. */
class StoryVoices {
  readonly #voices: Map<Id<'story'>, ReadonlySet<string>>;

  constructor(voices: ReadonlyMap<Id<'story'>, ReadonlySet<string>>) {
    this.#voices = new Map(voices);
  }

  /** Returns the new number of voices. */
  add(storyId: Id<'story'>, voice: string): number {
    const all = new Set(this.#voices.get(storyId)).add(voice);
    this.#voices.set(storyId, all);
    return all.size;
  }

  merge(survivorId: Id<'story'>, absorbedId: Id<'story'>): void {
    const all = [...(this.#voices.get(survivorId) ?? []), ...(this.#voices.get(absorbedId) ?? [])];
    this.#voices.set(survivorId, new Set(all));
  }
}
