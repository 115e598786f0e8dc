import type { Id } from '../../foundation/ids.ts';
import type { DecisionContext } from '../decision.ts';
import { lockEdition } from '../locking.ts';
import {
  eraseWords,
  insertCorrection,
  insertRevision,
  readContents,
  readEditionsCiting,
} from './edition-store.ts';
import type { EditionContents, EditionKey, ItemWords } from './edition.ts';
import { citedItems, itemCorrectionNote, withCorrectedItem, withdrawalNote, withoutItem } from './edition.ts';

interface Cause {
  readonly correctionId: Id<'correction'>;
  /** Empty if none was stated. */
  readonly reason: string;
}

/** Adds a revision to every edition that shows the item; erases text written from it from older ones too. */
export async function withdrawFromEditions(
  context: DecisionContext,
  itemId: Id<'item'>,
  cause: Cause,
): Promise<readonly EditionKey[]> {
  return reviseEditionsCiting(context, itemId, {
    correctionId: cause.correctionId,
    note: `${withdrawalNote} ${cause.reason}`.trimEnd(),
    change: async (key, contents) => {
      await eraseWords(context.database, key, itemId);
      return withoutItem(key, contents, itemId);
    },
  });
}

/** Adds a revision to every edition that shows the item. */
export async function correctInEditions(
  context: DecisionContext,
  words: { readonly before: ItemWords; readonly after: ItemWords },
  cause: Cause,
): Promise<readonly EditionKey[]> {
  return reviseEditionsCiting(context, words.before.id, {
    correctionId: cause.correctionId,
    note: `${itemCorrectionNote} ${cause.reason}`.trimEnd(),
    change: async (key, contents) => withCorrectedItem(key, contents, words),
  });
}

/** The item is locked, so no edition can cite it meanwhile. */
async function reviseEditionsCiting(
  context: DecisionContext,
  itemId: Id<'item'>,
  correction: {
    readonly correctionId: Id<'correction'>;
    readonly note: string;
    /** Called for every edition that ever cited the item. */
    readonly change: (key: EditionKey, contents: EditionContents) => Promise<EditionContents>;
  },
): Promise<readonly EditionKey[]> {
  const { correctionId, note, change } = correction;
  const revised: EditionKey[] = [];
  for (const key of await readEditionsCiting(context.database, itemId)) {
    const revision = await lockEdition(context, key);
    if (revision === null) throw new Error(`edition ${key.kind} ${key.period} is not there`);
    const contents = await readContents(context.database, key, revision);
    const next = await change(key, contents);
    if (!citedItems(contents).includes(itemId)) continue;
    const number = revision + 1;
    await insertRevision(context.database, key, { number, at: context.now, contents: next });
    await insertCorrection(context.database, key, {
      id: context.ids.next(),
      revision: number,
      at: context.now,
      note,
      correctionId,
    });
    revised.push(key);
  }
  return revised;
}
