import type { Id } from '../../foundation/ids.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted } from '../../foundation/result.ts';
import type { Work } from '../decision.ts';
import type { EditionKey } from '../editions/edition.ts';
import { withdrawFromEditions } from '../editions/withdrawn-citation.ts';
import { withdrawFromStory } from '../stories/withdrawn-report.ts';
import { topicsShowingItems } from '../topics.ts';
import { blankItem } from './item-store.ts';
import type { ItemFault } from './opened-item.ts';
import { openItem } from './opened-item.ts';
import { setRepresentative, settleFirstAppearance } from './reading-group-store.ts';
import { deleteWindowItem } from './window-store.ts';

/** The item leaves every surface at once; what was written from it goes as well. */
export async function withdrawItem(
  work: Work,
  request: { readonly itemId: Id<'item'> },
): Promise<Result<{ readonly revisedEditions: readonly EditionKey[] }, ItemFault>> {
  const opened = await openItem(work, request.itemId);
  if (!opened.ok) return opened;
  const { item, group } = opened.value;
  await blankItem(work.database, item.id, work.now);
  await deleteWindowItem(work.database, item);
  if (item.digest !== null) {
    await setRepresentative(work.database, group.id, null);
    work.ledger.push({ itemId: item.id, before: item.digest, after: null });
  }
  await settleFirstAppearance(work.database, group);
  if (item.storyId !== null) await withdrawFromStory(work, item, item.storyId);
  const revisedEditions = await withdrawFromEditions(work, item.id);
  for (const topic of topicsShowingItems) work.topics.add(topic);
  work.purges = true;
  return accepted({ revisedEditions });
}
