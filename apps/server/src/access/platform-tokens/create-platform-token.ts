import { defineAuditKind } from '../../audit/index.ts';
import { createCheckedSecret } from '../../foundation/checked-secret.ts';
import { violatedConstraint } from '../../foundation/database/violated-constraint.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import { conflict, forbidden, invalidField } from '../../foundation/http/http-problems.ts';
import { parseIsoDatetime } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { credentials } from '../../identity/index.ts';
import { requirePermission } from '../callers/require-permission.ts';
import type { ChangeDeps, ChangeRequest } from '../changes/change-organization.ts';
import { changeOrganization } from '../changes/change-organization.ts';
import { apiTokenFieldAction } from '../core-permissions/api-token-privilege.ts';
import { apiTokenActions } from '../core-permissions/core-actions.ts';
import type { OrganizationActor } from '../credentials/caller.ts';
import { countTokens, insertToken } from '../credentials/platform-token-store.ts';
import type { PlatformToken } from '../credentials/platform-token.ts';
import type { WrittenPolicy } from '../permissions/policy.ts';
import { resourceOf } from '../permissions/resource.ts';
import { policyCreatedEvent } from '../policies/change-policy.ts';
import type { TokenDetail, TokenFields } from './apply-token-change.ts';
import { requireFieldPermissions, applyTokenChange } from './apply-token-change.ts';
import { addPolicyOfToken } from './policy-of-token.ts';
import { readTokenExpiry } from './token-expiry.ts';

export const platformTokenCreated = defineAuditKind(
  'platform_token_created',
  (word) => `You created the platform token “${word('name')}”.`,
);

export interface NewToken extends TokenFields {
  /** The caller's own. */
  readonly username: string;
  readonly name: string;
  /** The client's time; the server uses its own time of receipt. */
  readonly created: string;
  readonly expires: string;
  readonly expires_in?: string | undefined;
}

const tokensMax = 1_000;
/** Would be the path of something else. */
const reservedName = 'field-permissions';

/** The secret is only in the response. A policy of its own is attached to it, and deleted with it. */
export async function createPlatformToken(
  deps: ChangeDeps,
  request: ChangeRequest & { readonly token: NewToken; readonly ownPolicy?: WrittenPolicy },
): Promise<{ readonly token: TokenDetail; readonly secret: string }> {
  const { token: asked, ownPolicy } = request;
  return changeOrganization(deps, request, async (change) => {
    const { transaction, actor, now } = change;
    const { organization, caller } = actor;
    requireMayCreate(actor, asked, ownPolicy);
    requireWellFormed(asked);
    if ((await countTokens(transaction, organization.id)) >= tokensMax)
      throw new ProblemError(conflict, `An organization can have at most ${tokensMax} platform tokens.`);
    const secret = createCheckedSecret();
    const token: PlatformToken = {
      id: deps.ids.next(),
      organizationId: organization.id,
      name: asked.name,
      creator: { id: caller.accountId, username: caller.username },
      mode: asked.mode ?? 'owner',
      createdAt: now,
      expires: asked.expires,
      expiresIn: asked.expires_in ?? null,
      expiresAt: readTokenExpiry(asked, now),
      lastUsedAt: null,
    };
    await insertToken(transaction, token, sha256Bytes(secret)).catch(raiseTakenName);
    await credentials.announceCredential(transaction, deps, caller.accountId, 'platform_token_created');
    const own = ownPolicy === undefined ? [] : [await addPolicyOfToken(change, token, ownPolicy)];
    const policies_to_add = [...(asked.policies_to_add ?? []), ...own.map(({ id }) => id)];
    const detail = await applyTokenChange(change, token, { ...asked, policies_to_add }, null);
    return {
      result: { token: detail, secret },
      event: {
        kind: platformTokenCreated,
        detail: { tokenId: token.id, name: token.name, mode: token.mode },
      },
      furtherEvents: own.map(policyCreatedEvent),
    };
  });
}

function requireMayCreate(
  actor: OrganizationActor,
  asked: NewToken,
  ownPolicy: WrittenPolicy | undefined,
): void {
  const collection = resourceOf(actor.organization.key, 'api-tokens');
  requirePermission(actor, apiTokenActions.create, collection);
  if (asked.username !== actor.caller.username)
    throw new ProblemError(forbidden, 'You can create tokens only for yourself. Send your own username.');
  // Sending the default does not count as writing it.
  const mode = asked.mode === 'owner' ? undefined : asked.mode;
  requireFieldPermissions(actor, { ...asked, mode }, collection);
  if (ownPolicy !== undefined) requirePermission(actor, apiTokenFieldAction('policies_to_add'), collection);
}

function requireWellFormed({ name, created }: NewToken): void {
  if (name === reservedName) throw invalidField('name', 'is reserved');
  if (!parseIsoDatetime(created).ok)
    throw invalidField('created', 'must be a date and time in ISO 8601 with an offset');
}

function raiseTakenName(error: unknown): never {
  if (violatedConstraint(error) !== 'platform_token_organization_id_name_key') throw error;
  throw new ProblemError(conflict, 'A token with this name already exists.', { cause: error });
}
