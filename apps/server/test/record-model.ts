import type { Id } from '../src/foundation/ids.ts';
import type { EpochMicroseconds } from '../src/foundation/instant.ts';

interface ModelItem {
  readonly id: Id<'item'>;
  readonly sourceId: string;
  readonly discoveredAt: EpochMicroseconds;
  readonly timelineAt: EpochMicroseconds;
  groupId: string;
  storyId: Id<'story'> | null;
  publishedAt: EpochMicroseconds | null;
  title: string;
  selected: boolean;
  withdrawn: boolean;
}

interface ModelStory {
  readonly id: Id<'story'>;
  digestCites: readonly Id<'item'>[] | null;
  mergedInto: Id<'story'> | null;
}

interface ModelEdition {
  revision: number;
  items: readonly Id<'item'>[];
  headlineCites: readonly Id<'item'>[];
}

/**
 * A simple model of the record: plain sets, everything computed on demand. The projections of the real record must
 * give the same results.
 */
export class RecordModel {
  readonly items = new Map<Id<'item'>, ModelItem>();
  readonly stories = new Map<Id<'story'>, ModelStory>();
  readonly editions = new Map<string, ModelEdition>();
  /** Each item once, where it last changed. */
  ledger: { id: Id<'item'>; removed: boolean }[] = [];

  standing(): ModelItem[] {
    return [...this.items.values()].filter((item) => !item.withdrawn);
  }

  openStories(): ModelStory[] {
    return [...this.stories.values()].filter((story) => story.mergedInto === null);
  }

  revise(item: ModelItem, title: string, publishedAt: EpochMicroseconds | null): void {
    if (item.title !== title || item.publishedAt !== publishedAt) this.mark(item);
    Object.assign(item, { title, publishedAt });
  }

  select(item: ModelItem): void {
    if (item.selected) return;
    for (const other of this.groupOf(item)) if (other.selected) this.unselect(other);
    item.selected = true;
    this.mark(item);
  }

  unselect(item: ModelItem): void {
    if (!item.selected) return;
    item.selected = false;
    this.ledger = [...this.ledger.filter(({ id }) => id !== item.id), { id: item.id, removed: true }];
  }

  regroup(item: ModelItem, groupId: string): void {
    const taken = this.standing().some((other) => other.groupId === groupId && other.selected);
    if (item.groupId === groupId || (item.selected && taken)) return;
    item.groupId = groupId;
  }

  withdraw(item: ModelItem): void {
    this.unselect(item);
    item.withdrawn = true;
    this.leaveStory(item);
    for (const edition of this.editions.values()) {
      if (!edition.items.includes(item.id)) continue;
      edition.revision += 1;
      edition.items = edition.items.filter((id) => id !== item.id);
      if (edition.headlineCites.includes(item.id)) edition.headlineCites = [];
    }
  }

  assign(item: ModelItem, storyId: Id<'story'>): void {
    if (item.storyId !== storyId) this.leaveStory(item);
    item.storyId = storyId;
  }

  merge(absorbed: ModelStory, survivor: ModelStory): void {
    for (const item of this.items.values()) if (item.storyId === absorbed.id) item.storyId = survivor.id;
    for (const story of this.stories.values()) {
      if (story.mergedInto === absorbed.id) story.mergedInto = survivor.id;
    }
    Object.assign(absorbed, { mergedInto: survivor.id, digestCites: null });
  }

  /** The expected results of a reader within the window. */
  window(): Map<string, unknown> {
    return new Map(
      this.standing().map((item) => [
        item.id,
        {
          timelineKey: item.selected ? earliest(this.groupOf(item)) : item.timelineAt,
          publishedKey: item.publishedAt ?? item.discoveredAt,
          selected: item.selected,
          title: item.title,
        },
      ]),
    );
  }

  storyView(story: ModelStory): unknown {
    const reports = this.standing().filter(({ storyId }) => storyId === story.id);
    return {
      reports: reports.length,
      sources: new Set(reports.map(({ sourceId }) => sourceId)).size,
      first: reports.length === 0 ? null : earliest(reports),
      digest: story.digestCites !== null,
      mergedInto: story.mergedInto,
    };
  }

  private mark(item: ModelItem): void {
    if (!item.selected) return;
    this.ledger = [...this.ledger.filter(({ id }) => id !== item.id), { id: item.id, removed: false }];
  }

  private leaveStory(item: ModelItem): void {
    const story = item.storyId === null ? undefined : this.stories.get(item.storyId);
    if (story?.digestCites?.includes(item.id) === true) story.digestCites = null;
  }

  private groupOf(item: ModelItem): ModelItem[] {
    return this.standing().filter(({ groupId }) => groupId === item.groupId);
  }
}

function earliest(items: readonly ModelItem[]): EpochMicroseconds {
  return items.map(({ timelineAt }) => timelineAt).reduce((one, other) => (one < other ? one : other));
}
