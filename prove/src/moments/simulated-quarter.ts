import type { CalendarDate } from '../../../apps/server/src/foundation/calendar/calendar-date.ts';
import { calendarMonthOf } from '../../../apps/server/src/foundation/calendar/calendar-month.ts';
import { isoWeekOf } from '../../../apps/server/src/foundation/calendar/iso-week.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { isoMilliseconds } from '../../../apps/server/src/foundation/instant.ts';
import { languageOfText } from '../../../apps/server/src/foundation/reader-language.ts';
import type { Result } from '../../../apps/server/src/foundation/result.ts';
import type { decisions, editions } from '../../../apps/server/src/record/index.ts';
import type { createTestClock } from '../../../apps/server/test/clock.ts';
import type { RecordFactory } from '../news/news-stage.ts';
import { ErasedWords } from './erased-words.ts';

interface SimulatedItem {
  readonly id: Id<'item'>;
  readonly language: 'en' | 'zh';
  readonly sourceName: string;
  /** The words of all its wordings, the present one last. */
  words: string[];
  category: string;
  reason: string | null;
  isSelected: boolean;
  storyId: Id<'story'> | null;
}

interface Merge {
  readonly absorbedId: Id<'story'>;
  readonly survivorId: Id<'story'>;
  readonly itemIds: readonly Id<'item'>[];
  readonly before: decisions.BeforeMerge;
}

const sourceNames = ['The Wire', 'The Post', 'Harbour News', '前沿观察', 'Kernel Notes', '算力周刊'];
const categories = ['ai-models', 'ai-products', 'industry', 'paper'];
const recentMax = 60;

/** Decisions of every kind, at random, by the code of the publisher. */
export class SimulatedQuarter {
  readonly erased = new ErasedWords();
  readonly itemIds: Id<'item'>[] = [];
  readonly storyIds: Id<'story'>[] = [];
  readonly issued: editions.EditionKey[] = [];
  readonly counts = { accepted: 0, refused: 0 };
  readonly #factory: RecordFactory;
  readonly #clock: ReturnType<typeof createTestClock>;
  readonly #random: () => number;
  readonly #items = new Map<Id<'item'>, SimulatedItem>();
  readonly #editionWords = new Map<string, string[]>();
  #merges: Merge[] = [];

  constructor(deps: {
    readonly factory: RecordFactory;
    readonly clock: ReturnType<typeof createTestClock>;
    readonly random: () => number;
  }) {
    this.#factory = deps.factory;
    this.#clock = deps.clock;
    this.#random = deps.random;
  }

  oneOf<Value>(values: readonly Value[]): Value | undefined {
    return values[Math.floor(this.#random() * values.length)];
  }

  /** The editions that fall due at the end of a day. */
  async endDay(date: CalendarDate): Promise<void> {
    const keys: editions.EditionKey[] = [{ kind: 'daily', period: date }];
    const day = Temporal.PlainDate.from(date);
    if (day.dayOfWeek === 7) keys.push({ kind: 'weekly', period: isoWeekOf(date) });
    if (day.day === day.daysInMonth) keys.push({ kind: 'monthly', period: calendarMonthOf(date) });
    for (const key of keys) {
      const contents = this.#contents(key);
      if (contents === null) continue;
      if (this.#count(await this.#factory.publisher.issueEdition({ ...key, contents })) !== null)
        this.issued.push(key);
    }
  }

  async decide(): Promise<void> {
    const choice = this.#random();
    const kinds: readonly (readonly [share: number, decide: () => Promise<void>])[] = [
      [0.32, () => this.#publish()],
      [0.48, () => this.#revise()],
      [0.56, () => this.#select()],
      [0.63, () => this.#openStory()],
      [0.69, () => this.#assign()],
      [0.78, () => this.#writeDigest()],
      [0.81, () => this.#link()],
      [0.84, () => this.#merge()],
      [0.86, () => this.#split()],
      [0.88, () => this.#separate()],
      [0.91, () => this.#rank()],
      [0.93, () => this.#reviseEdition()],
      [0.935, () => this.#correctEdition()],
      [0.95, () => this.#describeSource()],
      [0.975, () => this.#correct()],
      [1, () => this.#withdraw()],
    ];
    await kinds.find(([share]) => choice < share)?.[1]();
  }

  #count<Value>(result: Result<Value, string>): Value | null {
    this.counts[result.ok ? 'accepted' : 'refused'] += 1;
    return result.ok ? result.value : null;
  }

  #recent(): readonly SimulatedItem[] {
    return this.itemIds.slice(-recentMax).flatMap((id) => this.#items.get(id) ?? []);
  }

  #wordsOf({ language }: Pick<SimulatedItem, 'language'>, word: string) {
    return language === 'zh'
      ? { title: `关于${word} 的报道`, summary: `这里说的是 ${word} 。` }
      : { title: `A report about ${word}`, summary: `It says what ${word} is.` };
  }

  async #publish(): Promise<void> {
    const language = this.#random() < 0.7 ? 'en' : 'zh';
    const word = this.erased.newWord();
    const category = this.oneOf(categories) ?? 'paper';
    const storyId = this.#random() < 0.2 ? (this.oneOf(this.storyIds.slice(-8)) ?? null) : null;
    const sourceName = this.oneOf(sourceNames) ?? '';
    const item = { ...this.#wordsOf({ language }, word), language, category, sourceName };
    const published = this.#count(
      await this.#factory.publisher.publishItem({ ...this.#factory.draft(item), storyId }),
    );
    if (published === null) return;
    const id = published.itemId;
    this.itemIds.push(id);
    const state = { words: [word], category, reason: null, isSelected: false, storyId };
    this.#items.set(id, { id, language, sourceName, ...state });
  }

  async #revise(): Promise<void> {
    const item = this.oneOf(this.#recent());
    if (item === undefined) return;
    const word = this.erased.newWord();
    const category = this.oneOf(categories) ?? item.category;
    const changes = {
      ...(this.#random() < 0.7 ? this.#wordsOf(item, word) : {}),
      ...(this.#random() < 0.3 ? { category } : {}),
      score: Math.floor(this.#random() * 100),
    };
    const revised = await this.#factory.publisher.reviseItem({ itemId: item.id, changes });
    if (this.#count(revised) === null) return;
    if ('title' in changes) item.words.push(word);
    if (changes.category !== undefined) item.category = category;
  }

  async #select(): Promise<void> {
    const item = this.oneOf(this.#recent());
    if (item === undefined) return;
    const { publisher } = this.#factory;
    const reason = item.isSelected ? null : 'It matters.';
    const done =
      reason === null
        ? await publisher.unselectItem({ itemId: item.id })
        : await publisher.selectItem({ itemId: item.id, reason });
    if (this.#count<unknown>(done) === null) return;
    item.isSelected = reason !== null;
    item.reason = reason;
  }

  #itemsOf(storyId: Id<'story'>): readonly SimulatedItem[] {
    return [...this.#items.values()].filter((item) => item.storyId === storyId);
  }

  async #openStory(): Promise<void> {
    const items = [...new Set([1, 2, 3].flatMap(() => this.oneOf(this.#recent()) ?? []))];
    const [first] = items;
    if (first === undefined) return;
    const word = first.words.at(-1) ?? '';
    const title = this.#random() < 0.5 ? this.#wordsOf(first, word).title : `Story ${this.erased.newWord()}`;
    const itemIds = items.map(({ id }) => id);
    const opened = this.#count(await this.#factory.publisher.openStory({ title, itemIds }));
    if (opened === null) return;
    this.storyIds.push(opened.storyId);
    for (const item of items) item.storyId = opened.storyId;
  }

  async #assign(): Promise<void> {
    const [item, storyId] = [this.oneOf(this.#recent()), this.oneOf(this.storyIds.slice(-12))];
    if (item === undefined || storyId === undefined) return;
    const request = { storyId, itemIds: [item.id] };
    if (this.#count(await this.#factory.publisher.assignToStory(request)) !== null) item.storyId = storyId;
  }

  async #writeDigest(): Promise<void> {
    const storyId = this.oneOf(this.storyIds.slice(-12));
    if (storyId === undefined) return;
    const part = this.#random() < 0.7 ? 'digest' : 'otherDigest';
    const cited = this.#itemsOf(storyId).filter(() => this.#random() < 0.7);
    const state = await this.#factory.publisher.inspectStory({ storyId });
    const own = languageOfText(state.ok ? state.value.title : '');
    const isEnglish = (own === 'en') === (part === 'digest');
    const sentences = cited.map(({ id, words }) => ({
      text: isEnglish ? `It is about ${words.at(-1)}.` : `关于 ${words.at(-1)} 。`,
      cites: [id],
    }));
    if (sentences.length === 0) return;
    const digest = { text: sentences.map(({ text }) => text).join(' '), sentences, contradictions: [] };
    this.#count(await this.#factory.publisher.reviseStory({ storyId, changes: { [part]: digest } }));
  }

  async #link(): Promise<void> {
    const [storyId, other] = [this.oneOf(this.storyIds.slice(-12)), this.oneOf(this.storyIds.slice(-12))];
    if (storyId === undefined || other === undefined || storyId === other) return;
    const { publisher } = this.#factory;
    const kind = this.#random() < 0.5 ? ('related' as const) : ('storyline' as const);
    const links = [{ storyId: other, kind, strength: this.#random() }];
    if (this.#random() < 0.7) this.#count(await publisher.linkStories([{ storyId, links }]));
    else this.#count(await publisher.unlinkStories({ storyId, otherIds: [other] }));
  }

  async #merge(): Promise<void> {
    const [absorbedId, survivorId] = [
      this.oneOf(this.storyIds.slice(-8)),
      this.oneOf(this.storyIds.slice(-8)),
    ];
    if (absorbedId === undefined || survivorId === undefined) return;
    const items = this.#itemsOf(absorbedId);
    const reason = this.#random() < 0.5 ? {} : { reason: 'Both are about one event.' };
    const request = { absorbedId, survivorId, ...reason };
    const merged = this.#count(await this.#factory.publisher.mergeStories(request));
    if (merged === null) return;
    for (const item of items) item.storyId = survivorId;
    const { before, movedItemIds: itemIds } = merged;
    if (before !== null) this.#merges.push({ absorbedId, survivorId, itemIds, before });
  }

  async #separate(): Promise<void> {
    const merge = this.#merges.pop();
    if (merge === undefined) return;
    const reason = 'These are two stories.';
    if (this.#count(await this.#factory.publisher.unmergeStories({ ...merge, reason })) === null) return;
    for (const id of merge.itemIds) {
      const item = this.#items.get(id);
      if (item !== undefined) item.storyId = merge.absorbedId;
    }
  }

  async #split(): Promise<void> {
    const storyId = this.oneOf(this.storyIds.slice(-12));
    const part = storyId === undefined ? [] : this.#itemsOf(storyId).filter(() => this.#random() < 0.5);
    const [first] = part;
    if (storyId === undefined || first === undefined) return;
    const title = this.#wordsOf(first, first.words.at(-1) ?? '').title;
    const request = { storyId, itemIds: part.map(({ id }) => id), title };
    const split = this.#count(await this.#factory.publisher.splitStory(request));
    if (split === null) return;
    this.storyIds.push(split.storyId);
    for (const item of part) item.storyId = split.storyId;
  }

  async #rank(): Promise<void> {
    const byStory = Map.groupBy(
      this.#recent().filter(({ storyId }) => storyId !== null),
      ({ storyId }) => storyId,
    );
    const candidates = [...byStory.values()].flatMap((items) => {
      const [first] = items;
      if (first === undefined) return [];
      const evidence = items.map(({ id, sourceName }) => ({
        itemId: id,
        owner: `owner of ${sourceName}`,
        sourceName,
        firstParty: false,
        weight: 1,
        reportedAt: this.#clock.now(),
      }));
      return [{ itemId: first.id, items: evidence }];
    });
    this.#count(await this.#factory.publisher.publishRanking({ candidates }));
  }

  async #describeSource(): Promise<void> {
    const source = this.#factory.source(this.oneOf(sourceNames) ?? '');
    const owner = this.#random() < 0.5 ? 'one owner of several' : source.owner;
    const profile = { homepageUrl: null, language: null, state: 'active' } as const;
    const described = { source: { ...source, owner, firstParty: this.#random() < 0.5 }, profile };
    this.#count(await this.#factory.publisher.describeSource(described));
  }

  #contents(key: editions.EditionKey): editions.EditionContents | null {
    const items = this.#recent();
    const english = items.filter(({ language }) => language === 'en').slice(-8);
    const chinese = items.findLast(({ language }) => language === 'zh');
    const [first, second, ...rest] = english;
    if (first === undefined || second === undefined || chinese === undefined) return null;
    const own = this.erased.newWord();
    const name = `${key.kind} ${key.period}`;
    this.#editionWords.set(name, [...(this.#editionWords.get(name) ?? []), own]);
    const last = (item: SimulatedItem): string => item.words.at(-1) ?? '';
    return {
      headline: `News ${own} of ${last(first)}`,
      overview: `Edition ${own} has ${last(first)} and ${last(second)}.`,
      language: 'en',
      headlineCites: [first.id],
      overviewCites: [first.id, second.id],
      sections: [{ key: 'all', label: 'All', itemIds: [first.id, second.id] }],
      flashes: rest.map(({ id }) => id),
      versions: [
        {
          language: 'zh',
          headline: `关于 ${own} 和 ${last(chinese)}`,
          overview: `其中有 ${own} 、 ${last(chinese)} 。`,
          headlineCites: [chinese.id],
          overviewCites: [chinese.id],
        },
      ],
      reports: [{ language: 'zh', entryId: first.id, itemId: chinese.id }],
      notes: [{ language: 'en', text: `A note about ${last(second)}.`, cites: [second.id] }],
    };
  }

  async #reviseEdition(): Promise<void> {
    const key = this.oneOf(this.issued.slice(-4));
    const contents = key === undefined ? null : this.#contents(key);
    if (key === undefined || contents === null) return;
    this.#count(await this.#factory.publisher.reviseEdition({ ...key, contents }));
  }

  async #correctEdition(): Promise<void> {
    const key = this.oneOf(this.issued.slice(-4));
    const before = key === undefined ? [] : [...(this.#editionWords.get(`${key.kind} ${key.period}`) ?? [])];
    const contents = key === undefined ? null : this.#contents(key);
    if (key === undefined || contents === null) return;
    const note = 'The headline was wrong.';
    if (this.#count(await this.#factory.publisher.correctEdition({ ...key, note, contents })) !== null)
      this.erased.erase(before);
  }

  async #correct(): Promise<void> {
    const item = this.oneOf(this.#recent());
    if (item === undefined) return;
    const word = this.erased.newWord();
    const words = this.#wordsOf(item, word);
    const category = this.#random() < 0.3 ? (this.oneOf(categories) ?? item.category) : item.category;
    const reason = 'A figure was wrong.';
    const changes = { ...words, category };
    const at = this.#clock.now();
    const done = await this.#factory.publisher.correctItem({ itemId: item.id, changes, reason });
    if (this.#count(done) === null) return;
    const isOther = category !== item.category;
    const fields = { ...words, reason: item.reason, ...(isOther ? { category } : {}) };
    this.erased.noteCorrection(item.id, { at, fields });
    this.erased.erase(item.words);
    Object.assign(item, { words: [word], category });
  }

  async #withdraw(): Promise<void> {
    const item = this.oneOf(this.#recent());
    if (item === undefined) return;
    const at = this.#clock.now();
    const reason = `Retracted at ${isoMilliseconds(at)}.`;
    if (this.#count(await this.#factory.publisher.withdrawItem({ itemId: item.id, reason })) === null) return;
    this.erased.noteWithdrawal(item.id, at);
    this.erased.erase(item.words);
    this.#items.delete(item.id);
  }
}
