import { callers } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import { parseId } from '../../foundation/ids.ts';
import { authorizeLiveEntry, requireShares } from '../folders/authorize-entry.ts';
import { findEntry } from '../folders/entry-store.ts';
import type { AuthorizeDeps } from '../projects/authorize-project.ts';
import { requireLiveProject } from '../projects/authorize-project.ts';
import { findProject } from '../projects/project-store.ts';
import type { ProjectId } from '../projects/project.ts';
import { shareActions } from '../storage-actions.ts';
import type { ShareTarget } from './share-target.ts';

/** As named in a path. */
export type ShareTargetRef = Pick<ShareTarget, 'kind' | 'id'>;

/** For a live project, folder or file: 404 without permission to read it, 403 without one for its shares. */
export async function authorizeShareTarget(
  deps: AuthorizeDeps,
  caller: callers.Caller,
  { kind, id }: ShareTargetRef,
  verb: 'read' | 'create' | 'delete',
): Promise<ShareTarget & { readonly projectId: ProjectId; readonly organization: callers.Organization }> {
  if (kind === 'project') {
    const { project } = await requireLiveProject(deps, caller, id, shareActions[verb]);
    return { kind, projectId: project.id, id: project.id, organization: project.organization };
  }
  const entered = await authorizeLiveEntry(deps, caller, { id, kind }, 'read');
  requireShares(entered, verb);
  const { projectId, id: entryId, organization } = entered.entry;
  return { kind, projectId, id: entryId, organization };
}

/** Its location; the caller's permission is checked there. */
export async function findOrganizationKey(
  database: Database,
  { kind, id: text }: ShareTargetRef,
): Promise<string> {
  const found =
    kind === 'project'
      ? await findOne(database, text, findProject)
      : await findOne(database, text, findEntry);
  if (found === null) throw callers.notFoundOrHidden();
  return found.organization.key;
}

async function findOne<Kind extends string, Found>(
  database: Database,
  text: string,
  find: (database: Database, id: Id<Kind>) => Promise<Found | null>,
): Promise<Found | null> {
  const id = parseId<Kind>(text);
  return id.ok ? find(database, id.value) : null;
}
