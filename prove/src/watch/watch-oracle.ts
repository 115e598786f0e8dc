/**
 * Decides by brute force which items match which searches. It follows docs/guides/saved-searches.md and imports nothing of
 * the server: no grams, no index, no keys.
 */
export interface OracleQuery {
  readonly q: string | null;
  readonly without: string | null;
  readonly mode: 'selected' | 'all';
  readonly category: string | null;
  readonly source: string | null;
  readonly language: string | null;
  readonly hiddenSources: readonly string[];
  readonly hiddenCategories: readonly string[];
  readonly minSources: number;
}

/** One state of an item. */
export interface ItemState {
  /** Title, original title, summary and name of the source. */
  readonly texts: readonly string[];
  readonly source: string;
  readonly category: string;
  readonly language: string | null;
  readonly selected: boolean;
}

interface KnownItem {
  readonly states: FoldedState[];
  /** When its publication began. */
  readonly publishedAt: number;
  /** When its newest change began. */
  changedAt: number;
  readonly isOldNews: boolean;
  readonly story: string | null;
  isWithdrawn: boolean;
}

interface FoldedState extends ItemState {
  readonly folded: readonly string[];
}

interface KnownSearch {
  readonly query: OracleQuery;
  readonly terms: readonly string[];
  readonly excluded: readonly string[];
  /** When the request that saved it had returned. */
  readonly savedAt: number;
}

export class WatchOracle {
  private readonly items = new Map<string, KnownItem>();
  private readonly searches = new Map<string, KnownSearch>();
  /** Owners of the sources of a story. */
  private readonly stories = new Map<string, Set<string>>();
  private readonly mergedInto = new Map<string, string>();
  /** The items of each search that had to be found at some settled moment, and those that may be found. */
  private readonly required = new Map<string, Set<string>>();
  private readonly allowed = new Map<string, Set<string>>();
  private ticks = 0;
  comparisons = 0;

  /** Call it before a change begins, or after one has returned. */
  tick(): number {
    this.ticks += 1;
    return this.ticks;
  }

  /** Saved, or saved with another query: what was found before does not count. */
  saved(id: string, query: OracleQuery): void {
    const search: KnownSearch = {
      query,
      terms: wordsOf(query.q),
      excluded: wordsOf(query.without),
      savedAt: this.tick(),
    };
    this.searches.set(id, search);
    this.required.set(id, new Set());
    this.allowed.set(id, new Set());
    for (const [itemId, item] of this.items) this.allow(id, search, itemId, item.states);
  }

  removed(id: string): void {
    this.searches.delete(id);
    this.required.delete(id);
    this.allowed.delete(id);
  }

  /** The items that a search must have found; none if it was deleted. */
  requiredOf(searchId: string): ReadonlySet<string> {
    return this.required.get(searchId) ?? new Set();
  }

  /** Those of them that were published after a moment: they are sent, and not only listed. */
  sentOf(searchId: string, after: number): readonly string[] {
    const savedAt = Math.max(after, this.searches.get(searchId)?.savedAt ?? Infinity);
    return [...this.requiredOf(searchId)].filter((id) => this.itemOf(id).publishedAt > savedAt);
  }

  published(
    id: string,
    state: ItemState,
    more: { readonly begunAt: number; readonly isOldNews: boolean; readonly story: string | null },
  ): void {
    const { begunAt, isOldNews, story } = more;
    this.items.set(id, {
      states: [],
      publishedAt: begunAt,
      changedAt: begunAt,
      isOldNews,
      story,
      isWithdrawn: false,
    });
    if (story !== null) {
      const sources = this.stories.get(this.survivorOf(story)) ?? new Set();
      this.stories.set(this.survivorOf(story), sources.add(state.source));
    }
    this.changed(id, state, begunAt);
  }

  changed(id: string, state: ItemState, begunAt: number): void {
    const item = this.itemOf(id);
    const folded = { ...state, folded: state.texts.map(fold) };
    item.states.push(folded);
    item.changedAt = begunAt;
    for (const [searchId, search] of this.searches) this.allow(searchId, search, id, [folded]);
  }

  withdrawn(id: string): void {
    this.itemOf(id).isWithdrawn = true;
  }

  merged(absorbed: string, survivor: string): void {
    const all = [absorbed, survivor].flatMap((id) => [...(this.stories.get(this.survivorOf(id)) ?? [])]);
    const into = this.survivorOf(survivor);
    this.mergedInto.set(this.survivorOf(absorbed), into);
    this.stories.set(into, new Set(all));
  }

  /** Every change has been compared: what stands now and matches must have been found. */
  settled(): void {
    for (const [itemId, item] of this.items) {
      const state = item.states.at(-1);
      if (state === undefined || item.isWithdrawn || item.isOldNews) continue;
      for (const [searchId, search] of this.searches) {
        if (search.savedAt > item.changedAt) continue;
        const required = this.requiredOf(searchId);
        if (required.has(itemId) || this.sourcesOf(item) < search.query.minSources) continue;
        if (this.isMatch(search, state)) this.required.get(searchId)?.add(itemId);
      }
    }
  }

  /** Whether readers may see this match. */
  mayShow(searchId: string, itemId: string): boolean {
    const search = this.searches.get(searchId);
    if (search === undefined || this.allowed.get(searchId)?.has(itemId) !== true) return false;
    return this.sourcesOf(this.itemOf(itemId)) >= search.query.minSources;
  }

  /** A search and an item, to explain a difference. */
  describe(pair: string): string {
    const [searchId = '', itemId = ''] = pair.split(' ');
    const { states, ...item } = this.itemOf(itemId);
    const sources = this.sourcesOf(this.itemOf(itemId));
    return JSON.stringify({ search: this.searches.get(searchId), item, sources, states });
  }

  isWithdrawn(itemId: string): boolean {
    return this.itemOf(itemId).isWithdrawn;
  }

  private allow(searchId: string, search: KnownSearch, itemId: string, states: readonly FoldedState[]): void {
    if (states.some((state) => this.isMatch(search, state))) this.allowed.get(searchId)?.add(itemId);
  }

  private isMatch({ query, terms, excluded }: KnownSearch, state: FoldedState): boolean {
    this.comparisons += 1;
    const has = (word: string): boolean => state.folded.some((text) => text.includes(word));
    return (
      (query.mode === 'all' || state.selected) &&
      (query.category ?? state.category) === state.category &&
      (query.source ?? state.source) === state.source &&
      (query.language === null || query.language === (state.language?.split('-')[0] ?? null)) &&
      !query.hiddenSources.includes(state.source) &&
      !query.hiddenCategories.includes(state.category) &&
      terms.every(has) &&
      !excluded.some(has)
    );
  }

  private sourcesOf({ story }: KnownItem): number {
    return story === null ? 1 : (this.stories.get(this.survivorOf(story))?.size ?? 1);
  }

  private survivorOf(story: string): string {
    const into = this.mergedInto.get(story);
    return into === undefined ? story : this.survivorOf(into);
  }

  private itemOf(id: string): KnownItem {
    const item = this.items.get(id);
    if (item === undefined) throw new Error(`the oracle does not know the item ${id}`);
    return item;
  }
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function wordsOf(text: string | null): readonly string[] {
  return text === null ? [] : fold(text).trim().split(/\s+/u);
}
