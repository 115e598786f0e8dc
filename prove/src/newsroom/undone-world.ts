import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import type { EditorDesk } from '../../../apps/server/src/newsroom/desk/editor-desk.ts';
import { listJournal } from '../../../apps/server/src/newsroom/desk/journal-store.ts';
import type { JournalEntry } from '../../../apps/server/src/newsroom/desk/journal.ts';
import { readUndoable } from '../../../apps/server/src/newsroom/desk/undoable.ts';
import { valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import type { RecordFactory } from '../news/news-stage.ts';

type ItemId = Id<'item'>;
type StoryId = Id<'story'>;

/** Two stories with digests, one of their items with a second one in its reading group, and one without a story. */
export interface World {
  readonly itemIds: readonly ItemId[];
  /** Those that its decisions have opened too. */
  readonly storyIds: StoryId[];
}

const reason = 'An editor decided so.';
const unverified = 'A test.';

export async function createWorld({
  publisher,
  ids,
  publish,
  publishSelected,
}: RecordFactory): Promise<World> {
  const groupId = ids.next<'reading-group'>();
  const first = [
    await publishSelected({ sourceName: 'A', groupId, title: 'Pellan released a model' }),
    await publish({ sourceName: 'B', groupId, title: 'A model by Pellan' }),
    await publish({ sourceName: 'C', title: 'Pellan has a new model' }),
  ];
  const second = [
    await publishSelected({ sourceName: 'A', title: 'Dunmere was down for an hour' }),
    await publish({ sourceName: 'D', title: 'An outage at Dunmere' }),
  ];
  const storyIds: StoryId[] = [];
  for (const itemIds of [first, second]) {
    const { storyId } = valueOf(await publisher.openStory({ title: 'An event', itemIds }));
    const sentences = itemIds.slice(0, 2).map((id, at) => ({ text: `Sentence ${at} of it.`, cites: [id] }));
    const digest = { text: sentences.map(({ text }) => text).join(' '), sentences, contradictions: [] };
    valueOf(await publisher.reviseStory({ storyId, changes: { digest } }));
    storyIds.push(storyId);
  }
  return { itemIds: [...first, ...second, await publish({ sourceName: 'E', title: 'A paper' })], storyIds };
}

export interface Draw {
  readonly random: () => number;
  readonly desk: EditorDesk;
  readonly factory: RecordFactory;
}

/** One random decision; false if it was refused. */
export async function decide({ random, desk, factory }: Draw, world: World): Promise<boolean> {
  const any = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  const word = (): string => any(['model', 'outage', 'price', 'paper', 'chip', 'court']);
  const itemId = any(world.itemIds);
  const storyId = any(world.storyIds);
  const story = await factory.publisher.inspectStory({ storyId });
  const itemIds = story.ok ? story.value.itemIds : [];
  const title = `About a ${word()} and a ${word()}`;
  const draws: readonly (() => Promise<{ readonly ok: boolean }>)[] = [
    () => desk.selectItem({ itemId, reason: `It matters for the ${word()}.` }),
    () => desk.unselectItem({ itemId, reason }),
    () => desk.correctItem({ itemId, changes: { title }, reason, unverified }),
    () => desk.correctItem({ itemId, changes: { summary: `${title}. It is new.` }, reason, unverified }),
    () => desk.correctItem({ itemId, changes: { category: any(['paper', 'industry']) }, reason }),
    () => desk.retitleStory({ storyId, itemIds, title, reason, unverified }),
    () =>
      desk.rewriteDigest({
        storyId,
        language: 'en',
        sentences: itemIds.slice(0, 2).map((id) => ({ text: `${title}.`, cites: [id] })),
        reason,
        unverified,
      }),
    async () => {
      const moved = itemIds.filter(() => random() < 0.5);
      const split = await desk.splitStory({ storyId, itemIds: moved, title, reason, unverified });
      if (split.ok) world.storyIds.push(split.value.storyId);
      return split;
    },
    () => desk.mergeStories({ absorbedId: storyId, survivorId: any(world.storyIds), reason }),
  ];
  return (await any(draws)()).ok;
}

export interface Undone {
  readonly undone: number;
  /** Undos that the journal offered, and that were refused. */
  readonly refused: number;
  /** Decisions that the journal did not offer to undo in the end. */
  readonly left: number;
  /** If there are such decisions: the whole journal of the world, oldest first. */
  readonly journal: readonly JournalEntry[];
}

/** Undoes all decisions, each time one of those that the journal offers. */
export async function undoAll(
  { random, desk }: Pick<Draw, 'random' | 'desk'>,
  { itemIds, storyIds }: World,
  { database, now }: { readonly database: Database; readonly now: () => EpochMicroseconds },
): Promise<Undone> {
  let [undone, refused] = [0, 0];
  for (;;) {
    const entries: JournalEntry[] = [];
    for (const subject of [...itemIds, ...storyIds])
      entries.push(...(await listJournal(database, { subject, countMax: 100 })));
    const decisions = entries.filter(
      ({ undoes, undoneBy, actor }) => undoes === null && undoneBy === null && actor.kind !== 'rule',
    );
    const offered = [...(await readUndoable(database, decisions, now()))];
    const id = offered[Math.floor(random() * offered.length)];
    if (id === undefined || refused > 3) {
      const left = decisions.length;
      const journal = entries.toSorted((one, other) => Number(one.id) - Number(other.id));
      return { undone, refused, left, journal: left === 0 ? [] : journal };
    }
    const outcome = await desk.undo({ id, reason });
    if (outcome.ok) undone += 1;
    else refused += 1;
  }
}
