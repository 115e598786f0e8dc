import type { Id } from '../../foundation/ids.ts';
import type { DecisionContext } from '../decision.ts';
import { lockEdition } from '../locking.ts';
import { eraseEditionSalts } from '../log/log-content-store.ts';
import { addRevision } from './add-revision.ts';
import { eraseWords, insertCorrection, readContents, readEditionsCiting } from './edition-store.ts';
import type { EditionContents, EditionKey, ItemWords, RewriteEdition } from './edition.ts';
import {
  citedItems,
  correctedOverview,
  itemCorrectionNote,
  neutralOverview,
  withCorrectedItem,
  withdrawalNote,
  withoutItem,
} from './edition.ts';

interface Cause {
  readonly correctionId: Id<'correction'>;
  /** Empty if none was stated. */
  readonly reason: string;
  /** Without it, neutral text replaces text based on the item. */
  readonly rewrite?: RewriteEdition | undefined;
}

/** Adds a revision to every edition that shows the item; erases text written from it from older ones too. */
export async function withdrawFromEditions(
  context: DecisionContext,
  gone: ItemWords,
  cause: Cause,
): Promise<readonly EditionKey[]> {
  return reviseEditionsCiting(context, gone, {
    correctionId: cause.correctionId,
    rewrite: cause.rewrite,
    note: `${withdrawalNote} ${cause.reason}`.trimEnd(),
    erased: neutralOverview,
    change: (key, contents) => withoutItem(key, contents, gone.id),
  });
}

/** Adds a revision to every edition that shows the item; erases what was wrong from older ones too. */
export async function correctInEditions(
  context: DecisionContext,
  {
    isOfWords,
    ...words
  }: { readonly before: ItemWords; readonly after: ItemWords; readonly isOfWords: boolean },
  cause: Cause,
): Promise<readonly EditionKey[]> {
  return reviseEditionsCiting(context, words.before, {
    correctionId: cause.correctionId,
    rewrite: cause.rewrite,
    note: `${itemCorrectionNote} ${cause.reason}`.trimEnd(),
    erased: isOfWords ? correctedOverview : null,
    change: (key, contents) => withCorrectedItem(key, contents, words),
  });
}

/** The item is locked, so no edition can cite it meanwhile. */
async function reviseEditionsCiting(
  context: DecisionContext,
  gone: ItemWords,
  correction: {
    readonly correctionId: Id<'correction'>;
    readonly rewrite: RewriteEdition | undefined;
    readonly note: string;
    /** Stands for an overview that was written from the item; null: nothing is erased. */
    readonly erased: string | null;
    readonly change: (key: EditionKey, contents: EditionContents) => EditionContents;
  },
): Promise<readonly EditionKey[]> {
  const { correctionId, note, change, erased, rewrite } = correction;
  const revised: EditionKey[] = [];
  for (const key of await readEditionsCiting(context.database, gone.id)) {
    const revision = await lockEdition(context, key);
    if (revision === null) throw new Error(`edition ${key.kind} ${key.period} is not there`);
    const contents = await readContents(context.database, key, revision);
    if (erased !== null) {
      const revisions = await eraseWords(context.database, key, { itemId: gone.id, overview: erased });
      await eraseEditionSalts(context.database, { ...key, revision }, { revisions, at: context.now });
    }
    const rest = change(key, contents);
    if (!citedItems(contents).includes(gone.id)) continue;
    const next = (await rewrite?.({ key, before: contents, rest, gone })) ?? rest;
    const number = revision + 1;
    await addRevision(context, key, { number, contents: next });
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
