import type { callers } from '../../access/index.ts';
import { parseId } from '../../foundation/ids.ts';
import { gramsOfTerms, searchTermsOf } from '../../foundation/search-text.ts';
import type { EntryId } from '../folders/entry.ts';
import type { ProjectId } from '../projects/project.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { readableFiles } from './readable-files.ts';
import type { ReadableText, SearchedTexts } from './text-store.ts';
import { findReadableTexts, searchTextsForEach } from './text-store.ts';

type Deps = Pick<StorageDeps, 'database'>;

/** Files per query, and texts that are read in the end. */
const filesPerQuery = 12;
const filesMax = 12;
/** No further text is read after this many bytes. */
const bytesMax = 3_000_000;

interface QuotableTexts {
  /** The forms of each query must all occur in a file; it then contains the words. */
  readonly queries: readonly { readonly forms: readonly string[]; readonly words: readonly object[] }[];
  /** Null: every project. */
  readonly projectIds: readonly string[] | null;
}

/**
 * The texts of files that the actor can read at this moment: those that contain the most words first. Their number and
 * length are limited, whatever the number of files of the organization.
 */
export async function findQuotableTexts(
  { database }: Deps,
  actor: callers.OrganizationActor,
  { queries, projectIds }: QuotableTexts,
): Promise<readonly ReadableText[]> {
  const place = placeOf(actor, projectIds);
  if (place === null) return [];
  const searched = queries.flatMap((query) => {
    const terms = searchTermsOf(query.forms.join(' '));
    const grams = gramsOfTerms(terms);
    return grams.length === 0 ? [] : [{ terms, grams, words: query.words }];
  });
  const found = await searchTextsForEach(
    database,
    { ...place, folderId: null, queries: searched },
    filesPerQuery,
  );
  const words = new Map<EntryId, Set<object>>();
  for (const { query, id } of found)
    words.set(id, (words.get(id) ?? new Set()).union(new Set(searched[query]?.words)));
  const best = [...words].sort(([, one], [, other]) => other.size - one.size).slice(0, filesMax);
  const ids = best.map(([id]) => id);
  return findReadableTexts(database, place, ids, bytesMax);
}

/** The text of a file, if the actor can read it at this moment. */
export async function readQuotableText(
  { database }: Deps,
  actor: callers.OrganizationActor,
  fileId: string,
  projectIds: QuotableTexts['projectIds'],
): Promise<ReadableText | null> {
  const id = parseId<'entry'>(fileId);
  const place = placeOf(actor, projectIds);
  if (!id.ok || place === null) return null;
  const [text = null] = await findReadableTexts(database, place, [id.value], bytesMax);
  return text;
}

type Place = Pick<SearchedTexts, 'organizationId' | 'readable' | 'projectIds'>;

/** Null if the actor can read no file. */
function placeOf(actor: callers.OrganizationActor, projectIds: QuotableTexts['projectIds']): Place | null {
  const readable = readableFiles(actor);
  if (readable.length === 0) return null;
  return {
    organizationId: actor.organization.id,
    readable,
    projectIds: projectIds === null ? null : (projectIds as readonly ProjectId[]),
  };
}
