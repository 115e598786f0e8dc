import type { Id } from '../../foundation/ids.ts';
import type { Work } from '../decision.ts';
import {
  blankWords,
  insertCorrection,
  insertRevision,
  lockEdition,
  readContents,
  readEditionsCiting,
} from './edition-store.ts';
import type { EditionKey } from './edition.ts';
import { citedItems, withdrawalNote, withoutItem } from './edition.ts';

/** A new revision of every edition that shows the item. Its lock is held, so no edition can take it up meanwhile. */
export async function withdrawFromEditions(work: Work, itemId: Id<'item'>): Promise<readonly EditionKey[]> {
  const revised: EditionKey[] = [];
  for (const key of await readEditionsCiting(work.database, itemId)) {
    const revision = await lockEdition(work.database, key);
    if (revision === null) throw new Error(`edition ${key.kind} ${key.period} is not there`);
    const contents = await readContents(work.database, key, revision);
    await blankWords(work.database, key, itemId);
    if (!citedItems(contents).includes(itemId)) continue;
    const number = revision + 1;
    const next = withoutItem(key, contents, itemId);
    await insertRevision(work.database, key, { number, at: work.now, contents: next });
    await insertCorrection(work.database, key, {
      id: work.ids.next(),
      revision: number,
      at: work.now,
      note: withdrawalNote,
    });
    revised.push(key);
  }
  return revised;
}
