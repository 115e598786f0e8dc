import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { categories } from '../../../apps/server/src/record/index.ts';
import { hoursBefore, valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import { pick } from '../permissions/policy-draw.ts';
import type { WatchDraw } from './watch-draw.ts';
import type { ItemState, WatchOracle } from './watch-oracle.ts';
import type { WatchStage } from './watch-stage.ts';

const languages = ['en', 'en-GB', 'zh-CN', 'de-DE', null] as const;
const oldNewsHours = 30 * 24;

interface Written {
  readonly title: string;
  readonly originalTitle: string | null;
  readonly summary: string;
  readonly sourceName: string;
}

interface StandingItem {
  readonly id: Id<'item'>;
  readonly written: Written;
  readonly state: ItemState;
  readonly story: Id<'story'> | null;
}

/** Publishes items as the newsroom does, several in one decision, and revises, selects, withdraws and merges some. */
export class WatchNewsroom {
  readonly withdrawnAt = new Map<string, number>();
  published = 0;
  private readonly items: StandingItem[] = [];
  private readonly stories: Id<'story'>[] = [];
  private readonly stage: WatchStage;
  private readonly oracle: WatchOracle;
  private readonly draw: WatchDraw;

  constructor(stage: WatchStage, oracle: WatchOracle, draw: WatchDraw) {
    this.stage = stage;
    this.oracle = oracle;
    this.draw = draw;
  }

  async publish(count: number): Promise<void> {
    const { factory, clock } = this.stage;
    const begunAt = this.oracle.tick();
    const opened = this.draw.chance(0.5) ? [{ id: factory.ids.next<'story'>(), title: 'A story' }] : [];
    const storyIds = [...opened.map(({ id }) => id), ...this.stories.slice(-5)];
    const made = Array.from({ length: count }, () => {
      const isOldNews = this.draw.chance(0.03);
      const story = storyIds.length > 0 && this.draw.chance(0.3) ? pick(this.draw.random, storyIds) : null;
      const [written, selected] = [this.write(), this.draw.chance(0.3)];
      const [category, language] = [pick(this.draw.random, categories), pick(this.draw.random, languages)];
      const item = factory.draft({
        ...written,
        id: factory.ids.next(),
        category,
        language,
        storyId: story,
        publishedAt: isOldNews ? hoursBefore(clock.now(), oldNewsHours) : null,
        selection: selected ? { reason: 'It matters.' } : null,
      });
      return {
        item,
        written,
        isOldNews,
        story,
        state: this.stateOf(written, { category, language, selected }),
      };
    });
    valueOf(await factory.publisher.publishItems({ items: made.map(({ item }) => item), stories: opened }));
    this.stories.push(...opened.map(({ id }) => id));
    for (const { item, written, isOldNews, story, state } of made) {
      const id = item.id as Id<'item'>;
      this.oracle.published(id, state, { begunAt, isOldNews, story });
      this.items.push({ id, written, state, story });
    }
    this.published += count;
  }

  /** Changes something that was published, at random. */
  async change(): Promise<void> {
    const at = Math.max(0, this.items.length - 1 - this.draw.below(200));
    const item = this.items[at];
    if (item === undefined) return;
    const choice = this.draw.random();
    if (choice < 0.45) await this.revise(at, item);
    else if (choice < 0.7) await this.select(at, item);
    else if (choice < 0.85 && item.story === null) await this.withdraw(at, item);
    else await this.merge();
  }

  private write(): Written {
    const { text, chance, sourceNames, random } = this.draw;
    return {
      title: text(4, 9),
      originalTitle: chance(0.2) ? text(3, 6) : null,
      summary: text(8, 24),
      sourceName: pick(random, sourceNames),
    };
  }

  private stateOf(
    { title, originalTitle, summary, sourceName }: Written,
    { category, language, selected }: Pick<ItemState, 'category' | 'language' | 'selected'>,
  ): ItemState {
    const texts = [title, originalTitle, summary, sourceName].filter((text) => text !== null);
    return { texts, source: this.stage.factory.source(sourceName).id, category, language, selected };
  }

  private async revise(at: number, item: StandingItem): Promise<void> {
    const begunAt = this.oracle.tick();
    const changes = { title: this.draw.text(4, 9) };
    valueOf(await this.stage.factory.publisher.reviseItem({ itemId: item.id, changes }));
    const written = { ...item.written, ...changes };
    const state = this.stateOf(written, item.state);
    this.items[at] = { ...item, written, state };
    this.oracle.changed(item.id, state, begunAt);
  }

  private async select(at: number, item: StandingItem): Promise<void> {
    if (item.state.selected) return;
    const begunAt = this.oracle.tick();
    valueOf(await this.stage.factory.publisher.selectItem({ itemId: item.id, reason: 'It matters.' }));
    const state = { ...item.state, selected: true };
    this.items[at] = { ...item, state };
    this.oracle.changed(item.id, state, begunAt);
  }

  private async withdraw(at: number, item: StandingItem): Promise<void> {
    valueOf(await this.stage.factory.publisher.withdrawItem({ itemId: item.id }));
    this.withdrawnAt.set(item.id, Date.now());
    this.oracle.withdrawn(item.id);
    this.items.splice(at, 1);
  }

  private async merge(): Promise<void> {
    const [absorbedId, survivorId] = this.stories.slice(-2);
    if (absorbedId === undefined || survivorId === undefined) return;
    valueOf(await this.stage.factory.publisher.mergeStories({ absorbedId, survivorId }));
    this.stories.splice(-2, 1);
    this.oracle.merged(absorbedId, survivorId);
  }
}
