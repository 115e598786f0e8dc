import type { Result } from '../../foundation/result.ts';
import { accepted } from '../../foundation/result.ts';
import { recordCacheTags } from '../cache-tags.ts';
import type { Work } from '../decision.ts';
import type { Source, SourceProfile } from './item.ts';
import { updateSourceProfile, upsertSource } from './source-store.ts';

/** What readers are told of a source, whether it has published anything or not. */
export async function describeSource(
  work: Work,
  { source, profile }: { readonly source: Source; readonly profile: SourceProfile },
): Promise<Result<'described', never>> {
  await upsertSource(work.database, source);
  await updateSourceProfile(work.database, source.id, profile);
  work.cacheTags.add(recordCacheTags.sources);
  return accepted('described');
}
