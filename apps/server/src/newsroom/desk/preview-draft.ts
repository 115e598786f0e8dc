import { editions } from '../../record/index.ts';
import { findOpenDraft, readDraft } from '../editions/draft-edition.ts';
import type { DeskDeps } from './desk-deps.ts';
import { readPreview } from './edition-preview-store.ts';

type Previewed =
  | { readonly state: 'draft'; readonly edition: editions.RecordedEdition }
  /** The draft is closed: it is published, or about to be. */
  | { readonly state: 'closed'; readonly key: editions.EditionKey };

/** The draft behind a private address, as it would be published now; null for an address that is not valid. */
export async function readPreviewedDraft(
  { database, clock, language, aliases = [] }: Pick<DeskDeps, 'database' | 'clock' | 'language' | 'aliases'>,
  token: string,
): Promise<Previewed | null> {
  const now = clock.now();
  const key = await readPreview(database, token, now);
  if (key === null) return null;
  if ((await findOpenDraft(database, now, key)) === null) return { state: 'closed', key };
  const { composed } = await readDraft({ language, aliases }, database, key);
  if (composed === null) return { state: 'closed', key };
  return {
    state: 'draft',
    edition: await editions.readDraftEdition(database, key, composed.contents, now),
  };
}
