import type {
  Assignment,
  StoryCandidate,
} from '../../../apps/server/src/newsroom/stories/matching/assign-item.ts';
import {
  assignItem,
  judgedMembersMax,
  mergeLikelihood,
} from '../../../apps/server/src/newsroom/stories/matching/assign-item.ts';
import type { CorpusStatistics } from '../../../apps/server/src/newsroom/stories/matching/corpus-statistics.ts';
import { rarity } from '../../../apps/server/src/newsroom/stories/matching/corpus-statistics.ts';
import type { EntryTerms, Term } from '../../../apps/server/src/newsroom/stories/matching/entry-terms.ts';
import { postedTerms } from '../../../apps/server/src/newsroom/stories/matching/entry-terms.ts';
import { weighEntry } from '../../../apps/server/src/newsroom/stories/matching/pair-features.ts';
import type { ReadItem } from '../../../apps/server/src/newsroom/stories/matching/reading-groups.ts';
import {
  isSameReading,
  readingKeys,
} from '../../../apps/server/src/newsroom/stories/matching/reading-groups.ts';
import type { StoryModel } from '../../../apps/server/src/newsroom/stories/matching/story-model.ts';
import type { WeighedEntry } from '../../../apps/server/src/newsroom/stories/matching/weighed-entry.ts';

export interface StoryIndexOptions {
  readonly model: StoryModel;
  readonly statistics: CorpusStatistics;
  readonly candidatesMax: number;
  /** An item sees only stories with a member among this many items before it. */
  readonly windowRows: number;
  /** … and within this many milliseconds, where times are known. */
  readonly windowMs: number;
}

interface MemoryStory {
  readonly id: string;
  readonly members: [EntryTerms, ...EntryTerms[]];
  readonly openedRow: number;
  latestRow: number;
  latestAt: number | null;
}

interface StoredReading {
  readonly story: string;
  readonly item: ReadItem;
  readonly row: number;
}

/** What PostgreSQL will do for the newsroom, in memory: an inverted index of recent stories by their terms. */
export class MemoryStoryIndex {
  private readonly postings = new Map<Term, Set<MemoryStory>>();
  private readonly stories = new Map<string, MemoryStory>();
  private readonly readings = new Map<string, StoredReading[]>();
  private readonly mergedInto = new Map<string, string>();
  private row = 0;
  private readonly options: StoryIndexOptions;

  constructor(options: StoryIndexOptions) {
    this.options = options;
  }

  /** The story an item is in now; `null` for the assignment where it reads like another item and follows it. */
  assign(
    id: string,
    item: ReadItem,
  ): { readonly story: string; readonly assignment: Assignment<string> | null } {
    const { model, statistics } = this.options;
    const reading = this.findReading(item);
    const assignment =
      reading === null
        ? assignItem(weighEntry(item.terms, statistics), this.candidates(item.terms), model)
        : null;
    const story = reading ?? (assignment?.outcome === 'join' ? assignment.story : id);
    this.keep(story, item.terms);
    this.keepReading(story, item);
    for (const related of assignment?.related ?? []) this.mergeIfOne(story, related);
    this.row += 1;
    return { story, assignment };
  }

  private findReading(item: ReadItem): string | null {
    for (const key of readingKeys(item.signature)) {
      for (const other of this.readings.get(key) ?? []) {
        const open = this.row - other.row <= this.options.windowRows;
        if (open && isSameReading(item, other.item)) return this.storyOf(other.story);
      }
    }
    return null;
  }

  private keepReading(story: string, item: ReadItem): void {
    const stored = { story, item, row: this.row };
    for (const key of readingKeys(item.signature)) {
      const others = this.readings.get(key);
      if (others === undefined) this.readings.set(key, [stored]);
      else others.push(stored);
    }
  }

  /** Where each item ended, after the stories that late evidence merged. */
  storyOf(id: string): string {
    const into = this.mergedInto.get(id);
    return into === undefined ? id : this.storyOf(into);
  }

  private mergeIfOne(into: string, from: string): void {
    const [survivor, merged] = [this.stories.get(this.storyOf(into)), this.stories.get(from)];
    if (survivor === undefined || merged === undefined || survivor === merged) return;
    // The older story survives: its address is the one that is known.
    const [older, newer] = survivor.openedRow <= merged.openedRow ? [survivor, merged] : [merged, survivor];
    const [one, two] = [this.weighed(older), this.weighed(newer)];
    if (!mergeLikelihood(one, two, this.options.model).merge) return;
    this.mergedInto.set(newer.id, older.id);
    this.stories.delete(newer.id);
    for (const member of newer.members) {
      older.members.push(member);
      for (const term of postedTerms(member).keys()) {
        this.postings.get(term)?.delete(newer);
        this.postings.get(term)?.add(older);
      }
    }
    older.latestRow = Math.max(older.latestRow, newer.latestRow);
    if (newer.latestAt !== null) older.latestAt = Math.max(older.latestAt ?? newer.latestAt, newer.latestAt);
  }

  private candidates(item: EntryTerms): readonly StoryCandidate<string>[] {
    const scores = new Map<MemoryStory, number>();
    for (const [term, weight] of postedTerms(item)) {
      const posted = this.postings.get(term);
      if (posted === undefined) continue;
      const gain = weight * rarity(term, this.options.statistics) ** 2;
      for (const story of posted) scores.set(story, (scores.get(story) ?? 0) + gain);
    }
    return [...scores]
      .filter(([story]) => this.isOpen(story, item))
      .sort(([, one], [, other]) => other - one)
      .slice(0, this.options.candidatesMax)

      .map(([story]) => this.weighed(story));
  }

  /** By what is counted now. */
  private weighed({ id, members: [founder, ...others] }: MemoryStory): StoryCandidate<string> {
    const weigh = (entry: EntryTerms): WeighedEntry => weighEntry(entry, this.options.statistics);
    return { id, members: [weigh(founder), ...others.slice(1 - judgedMembersMax).map(weigh)] };
  }

  private isOpen({ latestRow, latestAt }: MemoryStory, item: EntryTerms): boolean {
    if (this.row - latestRow > this.options.windowRows) return false;
    return latestAt === null || item.at === null || item.at - latestAt <= this.options.windowMs;
  }

  private keep(id: string, item: EntryTerms): void {
    const known = this.stories.get(id);
    const story = known ?? {
      id,
      members: [item],
      openedRow: this.row,
      latestRow: this.row,
      latestAt: item.at,
    };
    if (known !== undefined) known.members.push(item);
    story.latestRow = this.row;
    story.latestAt = item.at ?? story.latestAt;
    this.stories.set(id, story);
    if (item.roundup) return;
    for (const term of postedTerms(item).keys()) {
      const posted = this.postings.get(term);
      if (posted === undefined) this.postings.set(term, new Set([story]));
      else posted.add(story);
    }
  }
}
