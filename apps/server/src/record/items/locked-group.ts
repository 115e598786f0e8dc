import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { DecisionContext } from '../decision.ts';
import { lockReadingGroups } from '../locking.ts';
import type { ReadingGroup } from './reading-group-store.ts';
import { insertReadingGroup } from './reading-group-store.ts';

/** The group, locked; made where it is not there yet. Locked first: an insert would wait for whoever changes the row. */
export async function lockOrMakeGroup(
  context: DecisionContext,
  id: Id<'reading-group'>,
  firstAppearedAt: EpochMicroseconds,
): Promise<ReadingGroup & { readonly isNew: boolean }> {
  const [known] = await lockReadingGroups(context, [id]);
  if (known !== undefined) return { ...known, isNew: false };
  if (!(await insertReadingGroup(context.database, id, firstAppearedAt))) throw new ConcurrentChange();
  return { id, firstAppearedAt, representativeId: null, isNew: true };
}
