import { dayMs } from '../../../apps/server/src/foundation/clock.ts';
import { readForJudgement } from '../../../apps/server/src/newsroom/copy/judgement/index.ts';
import type { AliasTable } from '../../../apps/server/src/newsroom/stories/matching/aliases.ts';
import type { CorpusStatistics } from '../../../apps/server/src/newsroom/stories/matching/corpus-statistics.ts';
import type { EntryTerms, Term } from '../../../apps/server/src/newsroom/stories/matching/entry-terms.ts';
import { entryTerms, indexTerms } from '../../../apps/server/src/newsroom/stories/matching/entry-terms.ts';
import { readingSignature } from '../../../apps/server/src/newsroom/stories/matching/reading-groups.ts';
import type { StoryModel } from '../../../apps/server/src/newsroom/stories/matching/story-model.ts';
import type { Grouping } from './grouping-scores.ts';
import type { LabelledItem, LabelledSet } from './labelled-set.ts';
import { MemoryStoryIndex } from './memory-index.ts';

const candidatesMax = 40;
const windowMs = 14 * dayMs;

/** The whole set, or only what has been read so far: a newsroom that starts without history. */
export type StatisticsOf = 'whole-set' | 'read-so-far';

/** Items in their order, each assigned as the newsroom would. */
export function groupSet(
  set: LabelledSet,
  options: { readonly model: StoryModel; readonly aliases: AliasTable; readonly statistics?: StatisticsOf },
): Grouping {
  const { model, aliases, statistics = 'whole-set' } = options;
  const terms = set.items.map((item) => entryTerms({ ...item, listing: isListingItem(item) }, aliases));
  const counts = new TermCounts(statistics === 'whole-set' ? terms : []);
  const { windowRows } = set;
  const index = new MemoryStoryIndex({ model, statistics: counts, candidatesMax, windowRows, windowMs });
  const assigned = set.items.map((item, row): [string, string] => {
    const { id } = item;
    const entry = terms[row] as EntryTerms;
    if (statistics === 'read-so-far') counts.add(entry);
    return [
      id,
      index.assign(id, { terms: entry, signature: readingSignature(item), readingTerms: [], text: null })
        .story,
    ];
  });
  return new Map(assigned.map(([id, story]) => [id, index.storyOf(story)]));
}

/** As publication judges it, from the little that a set contains. */
function isListingItem({ title, summary, url }: LabelledItem): boolean {
  const source = { tier: 3, firstParty: false, participation: 'editorial', categoryHint: null } as const;
  return readForJudgement({ title, text: summary, url: url ?? '', source }).isListing;
}

/** Item counts of terms, in memory. */
export class TermCounts implements CorpusStatistics {
  items = 0;
  private readonly counts = new Map<Term, number>();

  constructor(entries: Iterable<EntryTerms>) {
    for (const entry of entries) this.add(entry);
  }

  add(entry: EntryTerms): void {
    this.items += 1;
    for (const term of indexTerms(entry).keys()) this.counts.set(term, (this.counts.get(term) ?? 0) + 1);
  }

  readonly itemsWith = (term: Term): number => this.counts.get(term) ?? 0;
}

/** Terms of each item, made once. */
export function termsByItem(aliases: AliasTable): (item: LabelledItem) => EntryTerms {
  const made = new WeakMap<LabelledItem, EntryTerms>();
  return (item) => {
    const known = made.get(item);
    if (known !== undefined) return known;
    const terms = entryTerms(item, aliases);
    made.set(item, terms);
    return terms;
  };
}
