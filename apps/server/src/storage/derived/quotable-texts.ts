import type { callers } from '../../access/index.ts';
import { parseId } from '../../foundation/ids.ts';
import { gramsOfTerms, searchTermsOf } from '../../foundation/search-text.ts';
import type { EntryId } from '../folders/entry.ts';
import type { ProjectId } from '../projects/project.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { readableFiles } from './readable-files.ts';
import type { ReadableText, SearchedTexts } from './text-store.ts';
import { findReadableText, searchTextRows } from './text-store.ts';

type Deps = Pick<StorageDeps, 'database'>;

/** Files per query, and texts that are read in the end. */
const filesPerQuery = 12;
const filesMax = 12;
/** No further text is read after this many characters. */
const charsMax = 1_500_000;

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
  const words = new Map<EntryId, Set<object>>();
  for (const query of queries) {
    for (const { id } of await search(database, place, query.forms))
      words.set(id, (words.get(id) ?? new Set()).union(new Set(query.words)));
  }
  const best = [...words].sort(([, one], [, other]) => other.size - one.size).slice(0, filesMax);
  const texts: ReadableText[] = [];
  let chars = 0;
  for (const [id] of best) {
    const found = chars > charsMax ? null : await findReadableText(database, place, id);
    if (found === null) continue;
    texts.push(found);
    chars += found.text.length;
  }
  return texts;
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
  return id.ok && place !== null ? findReadableText(database, place, id.value) : null;
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

async function search(database: Deps['database'], place: Place, forms: readonly string[]) {
  const terms = searchTermsOf(forms.join(' '));
  const grams = gramsOfTerms(terms);
  if (grams.length === 0) return [];
  const request = { limit: filesPerQuery - 1, direction: 'forward', start: { skip: 0 } } as const;
  return searchTextRows(database, { ...place, terms, grams, folderId: null, showsParts: false }, request);
}
