import type { callers } from '../../access/index.ts';
import { changeUsage, takeRoom } from '../files/usage-store.ts';
import type { ProjectId } from '../projects/project.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { raiseExhausted } from '../uploads/reservations.ts';
import { exceedsProjectQuota } from './transfer-store.ts';

/**
 * The last step of a transfer, under the lock of the organization's usage: the bytes that the target project gained and
 * the source project lost. Content counts once in each project that uses it.
 */
export async function settleUsage(
  { settings }: Pick<StorageDeps, 'settings'>,
  transaction: StorageDeps['database'],
  target: {
    readonly organization: callers.Organization;
    readonly projectId: ProjectId;
    readonly createdBy: string;
  },
  { gained, lost }: { readonly gained: number; readonly lost: number },
): Promise<void> {
  const more = gained - lost;
  const exhausted = more > 0 ? await takeRoom(transaction, target, more, settings) : null;
  if (exhausted !== null) raiseExhausted(exhausted);
  await changeUsage(transaction, target.organization.id, { used: more, reserved: -Math.max(more, 0) });
  if (gained > 0 && (await exceedsProjectQuota(transaction, target.projectId, gained)))
    raiseExhausted('project');
}
