import type { Id } from '../../../apps/server/src/foundation/ids.ts';

/** The instructions for one worker. */
export interface StoryWorkerDemand {
  readonly url: string;
  readonly worker: number;
  readonly workers: number;
  readonly seed: number;
  readonly items: number;
}

/**
 * A worker's change, written in the same transaction after all locks are taken: of two changes to one story the
 * numbers give the order, and others may be applied in any order.
 */
export type StoryChange =
  | {
      readonly kind: 'publish';
      readonly itemId: Id<'item'>;
      readonly storyId: Id<'story'> | null;
      readonly opened: boolean;
      /** Survivor and absorbed story, in order. */
      readonly merges: readonly (readonly [Id<'story'>, Id<'story'>])[];
      /** The planted event it items; null for others. */
      readonly event: number | null;
    }
  | { readonly kind: 'merge'; readonly survivorId: Id<'story'>; readonly absorbedId: Id<'story'> }
  | {
      readonly kind: 'split';
      readonly storyId: Id<'story'>;
      readonly newStoryId: Id<'story'>;
      readonly itemIds: readonly Id<'item'>[];
    }
  | { readonly kind: 'withdraw'; readonly itemId: Id<'item'> };

/** The expected response of a public id. */
export type ExpectedAnswer =
  | { readonly status: 200; readonly itemIds: ReadonlySet<Id<'item'>> }
  | { readonly status: 308; readonly into: Id<'story'> }
  | { readonly status: 404 };

/** The suite's own model: it knows nothing of the record's tables. */
export class StoryModelOfSuite {
  private readonly storyOf = new Map<Id<'item'>, Id<'story'>>();
  private readonly mergedInto = new Map<Id<'story'>, Id<'story'>>();
  private readonly withdrawn = new Set<Id<'item'>>();
  private readonly issued = new Set<Id<'story'>>();
  /** Stories that the items of a planted event opened. */
  readonly openedFor = new Map<number, Set<Id<'story'>>>();

  apply(change: StoryChange): void {
    switch (change.kind) {
      case 'publish':
        this.publish(change);
        break;
      case 'merge':
        this.merge(change.survivorId, change.absorbedId);
        break;
      case 'split':
        this.issued.add(change.newStoryId);
        for (const itemId of change.itemIds) this.storyOf.set(itemId, change.newStoryId);
        break;
      case 'withdraw':
        this.withdrawn.add(change.itemId);
        break;
    }
  }

  expected(): ReadonlyMap<Id<'story'>, ExpectedAnswer> {
    const standing = Map.groupBy(
      [...this.storyOf].filter(([itemId]) => !this.withdrawn.has(itemId)),
      ([, storyId]) => storyId,
    );
    return new Map(
      Array.from(this.issued, (id): [Id<'story'>, ExpectedAnswer] => {
        if (this.mergedInto.has(id)) return [id, { status: 308, into: this.survivorOf(id) }];
        const items = standing.get(id);
        if (items === undefined) return [id, { status: 404 }];
        return [id, { status: 200, itemIds: new Set(items.map(([itemId]) => itemId)) }];
      }),
    );
  }

  private publish(change: StoryChange & { readonly kind: 'publish' }): void {
    const { itemId, storyId, merges, event, opened } = change;
    if (storyId === null) return;
    this.issued.add(storyId);
    this.storyOf.set(itemId, storyId);
    for (const [survivor, absorbed] of merges) this.merge(survivor, absorbed);
    if (event === null || !opened) return;
    const openings = this.openedFor.get(event) ?? new Set();
    openings.add(storyId);
    this.openedFor.set(event, openings);
  }

  private merge(survivorId: Id<'story'>, absorbedId: Id<'story'>): void {
    this.mergedInto.set(absorbedId, survivorId);
    for (const [itemId, storyId] of this.storyOf)
      if (storyId === absorbedId) this.storyOf.set(itemId, survivorId);
  }

  private survivorOf(id: Id<'story'>): Id<'story'> {
    const into = this.mergedInto.get(id);
    return into === undefined ? id : this.survivorOf(into);
  }
}
