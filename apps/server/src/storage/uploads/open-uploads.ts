import { changes, callers } from '../../access/index.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import { placeOf } from '../folders/authorize-entry.ts';
import { findLineage } from '../folders/entry-store.ts';
import { requireLiveProject } from '../projects/authorize-project.ts';
import type { Place } from '../storage-actions.ts';
import { uploadActions } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { abandonUpload } from './complete-upload.ts';
import { mayCreateIn } from './reserve-upload.ts';
import type { OpenUpload } from './upload-store.ts';
import { lockUpload, selectAllOpenUploads, selectOpenUploads } from './upload-store.ts';

/** The open uploads of a project, of every account: what reserves its space. */
export async function listOpenUploads<Shown>(
  deps: StorageDeps,
  request: StorageRequest & { readonly projectId: string; readonly page: PageQuery },
  present: (upload: OpenUpload) => Shown,
): Promise<Page<Shown>> {
  const { caller, projectId } = request;
  const { project } = await requireLiveProject(deps, caller, projectId, uploadActions.purge);
  const page = readPageRequest(request.page, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'upload'>(),
    route: 'listOpenUploads',
    tenant: project.id,
    filters: null,
  });
  return presentPage(page, await selectOpenUploads(deps.database, project.id, page), present);
}

type OrganizationChange = Parameters<Parameters<typeof changes.changeOrganization>[2]>[0];

/**
 * In a change of permissions, of any kind: abandons the uploads whose senders may no longer create files in their
 * folder. Otherwise these would reserve space for a day.
 */
export async function endForbiddenUploads({ transaction, actor, now }: OrganizationChange): Promise<void> {
  const senders = new Map<string, callers.OrganizationActor | null>();
  const places = new Map<string, Place>();
  for (const upload of await selectAllOpenUploads(transaction, actor.organization.id)) {
    const { createdBy: id, sender: username, projectId, folderId } = upload;
    if (!senders.has(id)) {
      const caller = callers.callerOfAccount({ id, username }, '');
      const sender = await changes.readPresentActor(
        transaction,
        caller,
        actor.organization.id,
        now,
        'ignore',
      );
      senders.set(id, sender);
    }
    const sender = senders.get(id) ?? null;
    const folder = folderId ?? projectId;
    const place = places.get(folder) ?? placeOf(upload, await findLineage(transaction, projectId, folderId));
    places.set(folder, place);
    if (sender !== null && mayCreateIn(sender, place)) continue;
    const locked = await lockUpload(transaction, upload.id);
    if (locked?.state === 'open') await abandonUpload(transaction, locked, now);
  }
}
