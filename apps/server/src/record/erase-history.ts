import type { JsonValue } from '../foundation/canonical-json.ts';
import type { Database } from '../foundation/database/database.ts';
import type { Id } from '../foundation/ids.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import {
  eraseCorrectedContent,
  eraseWithdrawnContent,
  readStoredRevisions,
  writeErasedRevision,
} from './log/log-content-store.ts';
import type { FormerValues } from './log/log-entry.ts';
import { readStoryOfItem, readStoryWords } from './stories/story-store.ts';

/** Words of an item that no earlier revision of anything may contain any more. */
export interface Erasure {
  readonly itemId: Id<'item'>;
  readonly at: EpochMicroseconds;
  /** What the item was called before; stories may have been named after it. */
  readonly titles: readonly (string | null)[];
  /** Null: the item was withdrawn. */
  readonly correction: {
    /** Whose earlier values are erased. */
    readonly columns: readonly string[];
    /** Whether texts that were written from the item can repeat what was wrong. */
    readonly isOfWords: boolean;
    readonly newTitles: readonly (string | null)[];
  } | null;
}

/**
 * Runs when all changes of the decisions are written, in their transaction: values that the same transaction has just
 * replaced are erased as well.
 */
export async function eraseHistory(database: Database, erasures: readonly Erasure[]): Promise<void> {
  for (const erasure of erasures) {
    const { itemId, at, correction } = erasure;
    const revisions = await readStoredRevisions(database, 'item', itemId);
    const former = revisions.flatMap(({ was }) => (was === null ? [] : [was]));
    if (correction?.isOfWords !== false)
      for (const storyId of await storiesOf(database, itemId, former))
        await eraseFromStory(database, storyId, { itemId, at, titles: goneTitles(erasure, former) });
    if (correction === null) await eraseWithdrawnContent(database, itemId);
    else await eraseCorrectedContent(database, { itemId, columns: correction.columns, at });
  }
}

/** Every story that the item was ever in; only these can cite it or be named after it. */
async function storiesOf(
  database: Database,
  itemId: Id<'item'>,
  former: readonly FormerValues[],
): Promise<readonly string[]> {
  const ids = [await readStoryOfItem(database, itemId), ...former.map((was) => was['story_id'])];
  return [...new Set(ids.filter((id) => typeof id === 'string'))].sort();
}

function goneTitles(
  { titles, correction }: Erasure,
  former: readonly FormerValues[],
): ReadonlySet<JsonValue> {
  const all = [...titles, ...former.flatMap((was) => [was['title'] ?? null, was['original_title'] ?? null])];
  return new Set(
    all.filter(
      (title) => title !== null && title !== '' && !(correction?.newTitles ?? []).includes(title as string),
    ),
  );
}

interface Gone {
  readonly itemId: Id<'item'>;
  readonly at: EpochMicroseconds;
  readonly titles: ReadonlySet<JsonValue>;
}

const digestColumns = ['digest', 'other_digest'] as const;

/** Each revision has what it stores itself, and the rest from the next newer one. */
async function eraseFromStory(database: Database, storyId: string, gone: Gone): Promise<void> {
  const state: Record<string, JsonValue> = { ...(await readStoryWords(database, storyId)) };
  for (const { revision, was } of await readStoredRevisions(database, 'story', storyId)) {
    Object.assign(state, was);
    const isGone = (name: string): boolean =>
      name === 'title' ? gone.titles.has(state['title'] ?? null) : cites(state[name], gone.itemId);
    if (!isGone('title') && !digestColumns.some(isGone)) continue;
    const erased = Object.entries(was ?? {}).map(([name, value]) => {
      if (name === 'title' && isGone(name)) return [name, ''] as const;
      return [name, digestColumns.some((one) => one === name) && isGone(name) ? null : value] as const;
    });
    await writeErasedRevision(database, 'story', {
      subject: storyId,
      revision,
      was: was === null ? null : Object.fromEntries(erased),
      at: gone.at,
    });
  }
}

/** Ids of items are written in digests as in their rows. */
function cites(digest: JsonValue | undefined, itemId: Id<'item'>): boolean {
  return digest !== null && digest !== undefined && JSON.stringify(digest).includes(itemId);
}
