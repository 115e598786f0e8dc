import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { organizations, useCases } from '../../identity/index.ts';
import { raisePermissionVersion } from '../authorities/authority-store.ts';
import { requireSecondFactor } from '../authorities/require-second-factor.ts';
import { notFoundOrHidden } from '../callers/authorize-organization.ts';
import type { ChangeDeps, ChangeRequest } from '../changes/change-organization.ts';
import { changeOrganization } from '../changes/change-organization.ts';
import { notOwner, requireOwner, requireOwnerRole } from './require-owner.ts';

export const organizationDeletionRequested = defineAuditKind(
  'organization_deletion_requested',
  (word) => `You requested the deletion of the organization “${word('name')}”.`,
);
export const organizationDeletionCancelled = defineAuditKind(
  'organization_deletion_cancelled',
  (word) => `You cancelled the deletion of the organization “${word('name')}”.`,
);

export type OrganizationDeletionRequest = ChangeRequest & Pick<useCases.ProvenRequest, 'sessionId' | 'proof'>;

/**
 * For owners only, by their role: no policy, token or key grants this. The organization becomes inaccessible at once,
 * and a worker removes it 30 days later. Every request is authorized by `findStanding`, which no longer finds the
 * organization: sessions, tokens, keys, shares and links get 404, and every open invitation ends with this change.
 */
export async function requestOrganizationDeletion(
  deps: ChangeDeps & useCases.ReauthenticateDeps,
  request: OrganizationDeletionRequest,
): Promise<EpochMicroseconds> {
  const { caller } = request;
  const { accountId } = caller;
  await requireOwner(deps, caller, request.platformKey);
  await useCases.reauthenticate(deps, 'delete_organization', { ...request, accountId });
  return changeOrganization(deps, request, async ({ transaction, actor, now }) => {
    const { id } = actor.organization;
    await requireOwnerRole(transaction, actor);
    const found = await organizations.findOrganization(transaction, id);
    const asked = { organizationId: id, requestedBy: accountId };
    const dueAt = await organizations.suspendOrganization(transaction, deps, asked, now);
    if (found === null || dueAt === null)
      throw new ProblemError(conflict, 'The deletion of this organization was already requested.');
    const detail = { name: found.name, dueAt: isoMilliseconds(dueAt) };
    return { result: dueAt, event: { kind: organizationDeletionRequested, detail } };
  });
}

/** For every owner. Restores members, groups, policies, tokens, shares and links; invitations have ended. */
export async function cancelOrganizationDeletion(
  deps: ChangeDeps & Parameters<typeof organizations.restoreOrganization>[1],
  { caller, platformKey, client }: ChangeRequest,
): Promise<void> {
  if (caller.credential.kind !== 'session') throw notOwner();
  const now = deps.clock.now();
  const { accountId } = caller;
  await deps.database.transaction().execute(async (transaction) => {
    const find = async () =>
      (await organizations.listRestorableOrganizations(transaction, accountId)).find(
        ({ key }) => key === platformKey,
      );
    const named = await find();
    if (named === undefined) throw notFoundOrHidden();
    requireSecondFactor({ ...named, organizationKey: named.key });
    await organizations.lockOrganization(transaction, named.id);
    const found = await find();
    if (found === undefined || !(await organizations.restoreOrganization(transaction, deps, found.id)))
      throw notFoundOrHidden();
    const version = Number(await raisePermissionVersion(transaction, found.id));
    await recordAuditEvent(transaction, deps.ids, {
      kind: organizationDeletionCancelled,
      at: now,
      accountId,
      organizationId: found.id,
      client,
      detail: { name: found.name, version },
    });
  });
}
