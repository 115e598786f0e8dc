import type { Id } from '../../foundation/ids.ts';
import { refused } from '../../foundation/result.ts';
import { recordCacheTags, stale } from '../cache-tags.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import { holdItems } from '../locking.ts';
import { addRevision } from './add-revision.ts';
import type { EditionMaterial } from './edition-material-store.ts';
import { insertEditionMaterial } from './edition-material-store.ts';
import { insertEdition } from './edition-store.ts';
import type { ContentsFault, EditionContents, EditionKey } from './edition.ts';
import { citedItems, contentsFault, editionPeriod } from './edition.ts';

export interface EditionToIssue extends EditionKey {
  readonly contents: EditionContents;
  /** The material that the edition was compiled from, so that it can be compiled again. */
  readonly madeFrom?: EditionMaterial;
}

export type HeldContentsFault = ContentsFault | 'unknown_item' | 'withdrawn_item';
export type IssueFault = HeldContentsFault | 'impossible_period' | 'already_issued';

export async function issueEdition(
  context: DecisionContext,
  { kind, period, contents, madeFrom }: EditionToIssue,
): Promise<DecisionResult<{ readonly revision: number }, IssueFault>> {
  const key: EditionKey = { kind, period };
  const calendar = editionPeriod(key);
  if (calendar === null) return refused('impossible_period');
  const fault = await holdContents(
    context,
    contents,
    madeFrom?.inputs.map(({ itemId }) => itemId),
  );
  if (fault !== null) return refused(fault);
  if (!(await insertEdition(context.database, key, calendar))) return refused('already_issued');
  await addRevision(context, key, { number: 1, contents });
  if (madeFrom !== undefined) await insertEditionMaterial(context.database, key, madeFrom, contents);
  return decided({ revision: 1 }, stale(recordCacheTags.editions));
}

/** Prevents the withdrawal of cited and read items until this decision has committed. */
export async function holdContents(
  context: DecisionContext,
  contents: EditionContents,
  read: readonly Id<'item'>[] = [],
): Promise<HeldContentsFault | null> {
  const fault = contentsFault(contents);
  if (fault !== null) return fault;
  const ids = [...new Set([...citedItems(contents), ...read])];
  const items = await holdItems(context, ids);
  if (items.length < ids.length) return 'unknown_item';
  return items.some(({ withdrawnAt }) => withdrawnAt !== null) ? 'withdrawn_item' : null;
}
