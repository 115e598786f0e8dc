import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { Work } from '../decision.ts';
import { holdItems } from '../items/item-store.ts';
import { recordTopics } from '../topics.ts';
import { insertEdition, insertRevision } from './edition-store.ts';
import type { ContentsFault, EditionContents, EditionKey } from './edition.ts';
import { citedItems, contentsFault, editionPeriod } from './edition.ts';

export interface EditionToIssue extends EditionKey {
  readonly contents: EditionContents;
}

export type HeldContentsFault = ContentsFault | 'unknown_item' | 'withdrawn_item';
export type IssueFault = HeldContentsFault | 'impossible_period' | 'already_issued';

export async function issueEdition(
  work: Work,
  { kind, period, contents }: EditionToIssue,
): Promise<Result<{ readonly revision: number }, IssueFault>> {
  const key: EditionKey = { kind, period };
  const calendar = editionPeriod(key);
  if (calendar === null) return refused('impossible_period');
  const fault = await holdContents(work, contents);
  if (fault !== null) return refused(fault);
  if (!(await insertEdition(work.database, key, calendar))) return refused('already_issued');
  await insertRevision(work.database, key, { number: 1, at: work.now, contents });
  work.topics.add(recordTopics.reports);
  return accepted({ revision: 1 });
}

/** Keeps what is cited from being withdrawn before this decision is done. */
export async function holdContents(work: Work, contents: EditionContents): Promise<HeldContentsFault | null> {
  const fault = contentsFault(contents);
  if (fault !== null) return fault;
  const ids = citedItems(contents);
  const items = await holdItems(work.database, ids);
  if (items.length < ids.length) return 'unknown_item';
  return items.some(({ withdrawnAt }) => withdrawnAt !== null) ? 'withdrawn_item' : null;
}
