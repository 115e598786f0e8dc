import { shares } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EntryId } from '../folders/entry.ts';
import type { Project } from '../projects/project.ts';
import { resourceOfTarget } from './share-target.ts';

/** For permanently deleted entries; their paths are never reused. */
export async function forgetSharesOfEntries(
  transaction: Database,
  { id: projectId, organization }: Pick<Project, 'id' | 'organization'>,
  ids: readonly EntryId[],
): Promise<void> {
  const resources = ids.flatMap((id) =>
    (['folder', 'file'] as const).map((kind) => resourceOfTarget(organization.key, { kind, projectId, id })),
  );
  await shares.deleteSharesOf(transaction, organization.id, resources);
}

export async function forgetSharesOfProject(
  transaction: Database,
  { id, organization }: Pick<Project, 'id' | 'organization'>,
): Promise<void> {
  const resource = resourceOfTarget(organization.key, { kind: 'project', projectId: id, id });
  await shares.deleteSharesOf(transaction, organization.id, [resource]);
}
