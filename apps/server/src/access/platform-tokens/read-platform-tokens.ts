import type { Database } from '../../foundation/database/database.ts';
import type { AuthorizeDeps } from '../callers/authorize-organization.ts';
import { authorizeOrganization, notFoundOrHidden } from '../callers/authorize-organization.ts';
import { mayActFor, requirePermission, requirePermissionOn } from '../callers/require-permission.ts';
import type { ApiTokenField } from '../core-permissions/api-token-privilege.ts';
import { apiTokenFieldAction, apiTokenFields } from '../core-permissions/api-token-privilege.ts';
import { apiTokenActions } from '../core-permissions/core-actions.ts';
import type { OrganizationActor, Caller } from '../credentials/caller.ts';
import { findTokenByName, selectTokens } from '../credentials/platform-token-store.ts';
import type { PlatformToken } from '../credentials/platform-token.ts';
import type { Action } from '../permissions/action.ts';
import { allows } from '../permissions/authority.ts';
import { resourceOf } from '../permissions/resource.ts';
import type { TokenDetail } from './apply-token-change.ts';
import { readTokenAttachments } from './token-attachment-store.ts';

export interface ReadTokensDeps extends AuthorizeDeps {
  readonly database: Database;
}

/** The caller's own, and those of members that the caller may act for. */
export async function listPlatformTokens(
  deps: ReadTokensDeps,
  caller: Caller,
  platformKey: string,
): Promise<readonly PlatformToken[]> {
  const actor = await authorizeOrganization(deps, caller, platformKey);
  const { id, key } = actor.organization;
  requirePermission(actor, apiTokenActions.read, resourceOf(key, 'api-tokens'));
  const tokens = await selectTokens(deps.database, id);
  return tokens.filter(({ creator }) => mayActFor(actor, creator));
}

export async function readPlatformToken(
  deps: ReadTokensDeps,
  caller: Caller,
  { platformKey, name }: { readonly platformKey: string; readonly name: string },
): Promise<TokenDetail> {
  const actor = await authorizeOrganization(deps, caller, platformKey);
  const token = await requireToken(deps.database, actor, name, apiTokenActions.read);
  return { ...token, ...(await readTokenAttachments(deps.database, token)) };
}

/** Raises `forbidden` without the permission for this action, and `not_found` without the permission to read. */
export async function requireToken(
  database: Database,
  actor: OrganizationActor,
  name: string,
  action: Action,
): Promise<PlatformToken> {
  const { id, key } = actor.organization;
  requirePermissionOn(actor, action, resourceOf(key, 'api-tokens', name), apiTokenActions.read);
  const token = await findTokenByName(database, id, name);
  if (token === null || !mayActFor(actor, token.creator)) throw notFoundOrHidden();
  return token;
}

export type FieldPermissions = Readonly<Record<ApiTokenField, { readonly write: boolean }>>;

/** The fields that the caller could write on a new token. */
export async function readFieldPermissions(
  deps: ReadTokensDeps,
  caller: Caller,
  platformKey: string,
): Promise<FieldPermissions> {
  const actor = await authorizeOrganization(deps, caller, platformKey);
  const collection = resourceOf(actor.organization.key, 'api-tokens');
  requirePermission(actor, apiTokenActions.create, collection);
  return Object.fromEntries(
    apiTokenFields.map((field) => [
      field,
      { write: allows(actor.authority, apiTokenFieldAction(field), collection) },
    ]),
  ) as FieldPermissions;
}
