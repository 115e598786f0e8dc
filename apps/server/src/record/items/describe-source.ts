import type { Result } from '../../foundation/result.ts';
import { accepted } from '../../foundation/result.ts';
import { recordCacheTags } from '../cache-tags.ts';
import type { DecisionContext } from '../decision.ts';
import type { Source, SourceProfile } from './item.ts';
import { updateSourceProfile, upsertSource } from './source-store.ts';

/** What readers are told of a source, whether it has published anything or not. */
export async function describeSource(
  context: DecisionContext,
  { source, profile }: { readonly source: Source; readonly profile: SourceProfile },
): Promise<Result<'described', never>> {
  await upsertSource(context.database, source);
  await updateSourceProfile(context.database, source.id, profile);
  context.cacheTags.add(recordCacheTags.sources);
  return accepted('described');
}
