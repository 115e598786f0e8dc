import { callers } from '../../access/index.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import { parseId } from '../../foundation/ids.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import { gramsOfTerms, searchTermsOf } from '../../foundation/search-text.ts';
import { requireReadable } from '../files/require-readable.ts';
import { authorizeContainer, authorizeLiveEntry } from '../folders/authorize-entry.ts';
import { findEntries } from '../folders/entry-store.ts';
import type { Entry, EntryId } from '../folders/entry.ts';
import type { ProjectId } from '../projects/project.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { readableFiles } from './readable-files.ts';
import { passagesOf } from './text-passages.ts';
import type { FoundText, StoredText } from './text-store.ts';
import { findText, searchTextRows } from './text-store.ts';

export interface FoundFile {
  readonly entry: Entry;
  /** Lines of the text with the words, shortened. */
  readonly passages: readonly string[];
}

/** The text that a worker has read, or why none is there. */
export type FileText = (StoredText & { readonly state: 'ready' }) | { readonly state: 'pending' | 'none' };

/** The text of the current content. */
export async function readText(
  deps: StorageDeps,
  { caller, fileId }: StorageRequest & { readonly fileId: string },
): Promise<FileText> {
  const { entry } = await authorizeLiveEntry(deps, caller, { id: fileId, kind: 'file' }, 'read');
  const { content } = entry;
  if (content === null) throw callers.notFoundOrHidden();
  requireReadable(content, caller.accountId, deps.settings);
  const isDerivable = content.scanState === 'clean' || content.scanState === 'unscanned';
  const found = isDerivable ? await findText(deps.database, content.blobKey) : 'pending';
  return typeof found === 'string' ? { state: found } : { state: 'ready', ...found };
}

export interface TextSearch {
  readonly organizationKey: string;
  /** Words or parts of words, in any order; all must occur. */
  readonly query: string;
  /** Absent: all projects of the organization. */
  readonly projectIds?: readonly string[];
  /** A folder of the only project; absent: everywhere in the projects. */
  readonly folderId?: string;
}

/** Whether a search finds anything by these words: a single letter is in nearly every text. */
export function isTextQuery(query: string): boolean {
  return gramsOfTerms(searchTermsOf(query)).length > 0;
}

/** Files whose text contains all these words and that the caller can read, newest text first. */
export async function searchTexts<Shown>(
  deps: StorageDeps,
  request: StorageRequest & TextSearch & { readonly page: PageQuery },
  present: (found: FoundFile) => Shown,
): Promise<Page<Shown>> {
  const actor = await callers.authorizeOrganization(deps, request.caller, request.organizationKey);
  const terms = searchTermsOf(request.query);
  const grams = gramsOfTerms(terms);
  if (grams.length === 0) throw invalidField('q', 'must contain at least two letters or digits', 'query');
  const place = await placeOf(deps, request);
  const page = readPageRequest(request.page, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'entry'>(),
    route: 'searchTexts',
    tenant: actor.organization.id,
    filters: { terms, ...place },
  });
  const organizationId = actor.organization.id;
  const search = { organizationId, terms, grams, readable: readableFiles(actor), ...place };
  const rows = search.readable.length === 0 ? [] : await searchTextRows(deps.database, search, page);
  const entries = await entriesOf(deps, rows);
  const placed = rows.flatMap(({ id, createdAt, parts }) => {
    const entry = entries.get(id);
    // Purged since the search.
    return entry === undefined ? [] : [{ id, createdAt, entry, passages: passagesOf(parts, terms) }];
  });
  return presentPage(page, placed, present);
}

/** A folder must be readable; the projects need not be: the query leaves out what the caller cannot read. */
async function placeOf(
  deps: StorageDeps,
  { caller, projectIds, folderId }: StorageRequest & TextSearch,
): Promise<{ readonly projectIds: readonly ProjectId[] | null; readonly folderId: EntryId | null }> {
  const ids = projectIds?.map((text) => {
    const id = parseId<'project'>(text);
    if (!id.ok) throw callers.notFoundOrHidden();
    return id.value;
  });
  if (folderId === undefined) return { projectIds: ids ?? null, folderId: null };
  const [projectId] = ids ?? [];
  if (projectId === undefined) throw invalidField('projectId', 'is required with folderId', 'query');
  const container = await authorizeContainer(deps, caller, { projectId, folderId }, { read: true });
  return { projectIds: [projectId], folderId: container.folderId };
}

async function entriesOf(
  { database }: StorageDeps,
  rows: readonly FoundText[],
): Promise<ReadonlyMap<EntryId, Entry>> {
  const entries = new Map<EntryId, Entry>();
  for (const [projectId, ofProject] of Map.groupBy(rows, (row) => row.projectId)) {
    const ids = ofProject.map(({ id }) => id);
    for (const entry of await findEntries(database, projectId, ids)) entries.set(entry.id, entry);
  }
  return entries;
}
