import { recordCacheTags, stale } from '../cache-tags.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import type { Source, SourceProfile } from '../items/item.ts';
import { updateSourceProfile, upsertSources } from '../items/source-store.ts';

/** The public description of a source, whether it has published items or not. */
export async function describeSource(
  context: DecisionContext,
  { source, profile }: { readonly source: Source; readonly profile: SourceProfile },
): Promise<DecisionResult<'described', never>> {
  await upsertSources(context.database, [source], context.now);
  await updateSourceProfile(context.database, source.id, profile);
  return decided('described', stale(recordCacheTags.sources));
}
