import { defineAuditKind } from '../../audit/index.ts';
import type { ChangeDeps, ChangeRequest } from '../changes/change-organization.ts';
import { changeOrganization } from '../changes/change-organization.ts';
import { requireOver } from '../changes/require-over.ts';
import { apiTokenActions } from '../core-permissions/core-actions.ts';
import { updateTokenMode } from '../credentials/platform-token-store.ts';
import { resourceOf } from '../permissions/resource.ts';
import { policyDeletedEvent } from '../policies/policy-resource.ts';
import type { TokenDetail, TokenFields } from './apply-token-change.ts';
import { requireFieldPermissions, applyTokenChange } from './apply-token-change.ts';
import { deleteTokensAndTheirPolicies } from './policy-of-token.ts';
import { requireToken } from './read-platform-tokens.ts';

export const platformTokenUpdated = defineAuditKind(
  'platform_token_updated',
  (word) => `You changed the platform token “${word('name')}”.`,
);
export const platformTokenDeleted = defineAuditKind(
  'platform_token_deleted',
  (word) => `You deleted the platform token “${word('name')}”.`,
);

export async function changePlatformToken(
  deps: ChangeDeps,
  request: ChangeRequest & { readonly name: string; readonly fields: TokenFields },
): Promise<TokenDetail> {
  const { name, fields } = request;
  return changeOrganization(deps, request, async (change) => {
    const { transaction, actor } = change;
    const before = await requireToken(transaction, actor, name, apiTokenActions.update);
    requireFieldPermissions(actor, fields, resourceOf(actor.organization.key, 'api-tokens', name));
    const token = { ...before, mode: fields.mode ?? before.mode };
    const result = await applyTokenChange(change, token, fields, before.mode);
    await requireOver(transaction, actor, before.creator);
    if (token.mode !== before.mode) await updateTokenMode(transaction, token.id, token.mode);
    const detail = { tokenId: token.id, name, mode: token.mode };
    return { result, event: { kind: platformTokenUpdated, detail } };
  });
}

/** Every process refuses it within a second. A policy that was created for it alone is deleted too. */
export async function removePlatformToken(
  deps: ChangeDeps,
  request: ChangeRequest & { readonly name: string },
): Promise<void> {
  const { name } = request;
  return changeOrganization(deps, request, async ({ transaction, actor }) => {
    const { id, creator } = await requireToken(transaction, actor, name, apiTokenActions.delete);
    await requireOver(transaction, actor, creator);
    const policyIds = await deleteTokensAndTheirPolicies(transaction, actor.organization.id, [id]);
    return {
      result: undefined,
      event: { kind: platformTokenDeleted, detail: { tokenId: id, name } },
      furtherEvents: policyIds.map(policyDeletedEvent),
    };
  });
}
