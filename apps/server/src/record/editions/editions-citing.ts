import type { Id } from '../../foundation/ids.ts';
import type { Work } from '../decision.ts';
import { lockEdition } from '../locking.ts';
import {
  blankWords,
  insertCorrection,
  insertRevision,
  readContents,
  readEditionsCiting,
} from './edition-store.ts';
import type { EditionContents, EditionKey, ItemWords } from './edition.ts';
import { citedItems, itemCorrectionNote, withCorrectedItem, withdrawalNote, withoutItem } from './edition.ts';

interface Cause {
  readonly correctionId: Id<'correction'>;
  /** Empty where none was stated. */
  readonly reason: string;
}

/** A new revision of every edition that shows the item; words written from it go from older revisions as well. */
export async function withdrawFromEditions(
  work: Work,
  itemId: Id<'item'>,
  cause: Cause,
): Promise<readonly EditionKey[]> {
  return reviseEditionsCiting(work, itemId, {
    correctionId: cause.correctionId,
    note: `${withdrawalNote} ${cause.reason}`.trimEnd(),
    change: async (key, contents) => {
      await blankWords(work.database, key, itemId);
      return withoutItem(key, contents, itemId);
    },
  });
}

/** A new revision of every edition that shows the item. */
export async function correctInEditions(
  work: Work,
  words: { readonly before: ItemWords; readonly after: ItemWords },
  cause: Cause,
): Promise<readonly EditionKey[]> {
  return reviseEditionsCiting(work, words.before.id, {
    correctionId: cause.correctionId,
    note: `${itemCorrectionNote} ${cause.reason}`.trimEnd(),
    change: async (key, contents) => withCorrectedItem(key, contents, words),
  });
}

/** The item's lock is held, so no edition can take it up meanwhile. */
async function reviseEditionsCiting(
  work: Work,
  itemId: Id<'item'>,
  correction: {
    readonly correctionId: Id<'correction'>;
    readonly note: string;
    /** Asked for every edition that ever cited the item. */
    readonly change: (key: EditionKey, contents: EditionContents) => Promise<EditionContents>;
  },
): Promise<readonly EditionKey[]> {
  const { correctionId, note, change } = correction;
  const revised: EditionKey[] = [];
  for (const key of await readEditionsCiting(work.database, itemId)) {
    const revision = await lockEdition(work, key);
    if (revision === null) throw new Error(`edition ${key.kind} ${key.period} is not there`);
    const contents = await readContents(work.database, key, revision);
    const next = await change(key, contents);
    if (!citedItems(contents).includes(itemId)) continue;
    const number = revision + 1;
    await insertRevision(work.database, key, { number, at: work.now, contents: next });
    await insertCorrection(work.database, key, {
      id: work.ids.next(),
      revision: number,
      at: work.now,
      note,
      correctionId,
    });
    revised.push(key);
  }
  return revised;
}
