import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import { createCheckedSecret } from '../../foundation/checked-secret.ts';
import type { Database } from '../../foundation/database/database.ts';
import { sha256Bytes } from '../../foundation/hash.ts';
import { conflict, invalidField, invalidRequest } from '../../foundation/http/http-problems.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { parseIsoDatetime } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { lockAccount } from '../accounts/account-store.ts';
import type { Account, OrganizationId } from '../accounts/account.ts';
import { roleIn } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { ApiKeyId, ApiKeyLimit, CheckPermission } from '../credentials/api-key.ts';
import { limitWords } from '../credentials/api-key.ts';
import type { SessionId } from '../credentials/session.ts';
import { announceCredential } from '../mail/announce-credential.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import { requireLiveSession } from '../sessions/session-store.ts';
import type { ProvenRequest, ReauthenticateDeps } from '../step-up/reauthenticate.ts';
import { reauthenticate } from '../step-up/reauthenticate.ts';
import type { ApiKeyRecord } from './api-key-store.ts';
import { insertApiKey, listLiveApiKeys } from './api-key-store.ts';

export const apiKeyCreated = defineAuditKind(
  'api_key_created',
  (word) => `You created the API key “${word('name')}”.`,
);

export interface ApiKeyDeps extends RequestMailDeps {
  readonly database: Database;
  readonly checkPermission: CheckPermission;
}

export interface ApiKeyRequest {
  readonly account: Account;
  /** The current session. */
  readonly sessionId: SessionId;
  readonly name: string;
  readonly organizations: readonly string[] | undefined;
  readonly limit: ApiKeyLimit | undefined;
  readonly expiresAt: string | null | undefined;
  readonly client: Client;
}

const liveKeysMax = 100;

/** For pages: a stolen cookie must not become a key that outlives it. */
export async function issueProvenApiKey(
  deps: ApiKeyDeps & ReauthenticateDeps,
  request: ApiKeyRequest & Pick<ProvenRequest, 'proof'>,
): ReturnType<typeof issueApiKey> {
  await reauthenticate(deps, 'create_api_key', { ...request, accountId: request.account.id });
  return issueApiKey(deps, request);
}

/** The secret is only in the response. */
export async function issueApiKey(
  deps: ApiKeyDeps,
  request: ApiKeyRequest,
): Promise<{ readonly record: ApiKeyRecord; readonly secret: string }> {
  const { database, clock, ids } = deps;
  const now = clock.now();
  const { account, sessionId, client } = request;
  const secret = createCheckedSecret();
  const id: ApiKeyId = ids.next();
  const organizations = ownOrganizations(account, request.organizations);
  const key = {
    id,
    accountId: account.id,
    name: request.name.trim(),
    organizations,
    limit: checkedLimit(deps, account, organizations, request.limit),
    createdAt: now,
    expiresAt: readExpiry(request.expiresAt, now),
  };
  await database.transaction().execute(async (transaction) => {
    // Without the lock, concurrent requests would not count each other's keys.
    await lockAccount(transaction, account.id);
    await requireLiveSession(transaction, { accountId: account.id, sessionId }, now);
    const live = await listLiveApiKeys(transaction, account.id, now);
    if (live.length >= liveKeysMax)
      throw new ProblemError(conflict, `An account can have at most ${liveKeysMax} active API keys.`);
    await insertApiKey(transaction, { ...key, secretHash: sha256Bytes(secret) });
    await recordAuditEvent(transaction, ids, {
      kind: apiKeyCreated,
      at: now,
      accountId: account.id,
      client,
      detail: { keyId: id, name: key.name, ...(key.limit !== null && { limit: limitWords(key.limit) }) },
    });
    await announceCredential(transaction, deps, account.id, 'api_key_created');
  });
  return { record: { ...key, lastUsedAt: null }, secret };
}

/** Organizations of others and unknown organizations get the same error. */
function ownOrganizations(
  account: Account,
  organizations: readonly string[] | undefined,
): readonly OrganizationId[] | null {
  if (organizations === undefined) return null;
  const foreign = organizations.find((id) => roleIn(account, id as OrganizationId) === null);
  if (foreign !== undefined)
    throw invalidField('scopes.organizations', 'contains an organization that you are not a member of');
  return [...new Set(organizations)] as OrganizationId[];
}

/** The account's organizations that the key is limited to; those of others and unknown ones get the same error. */
function checkedLimit(
  { checkPermission }: Pick<ApiKeyDeps, 'checkPermission'>,
  { memberships }: Account,
  organizations: readonly OrganizationId[] | null,
  limit: ApiKeyLimit | undefined,
): ApiKeyLimit | null {
  if (limit === undefined || limit === 'read_only') return limit ?? null;
  const faults = limit.flatMap((permission, index) => {
    const [, key] = /^\/organizations\/([^/]+)/.exec(permission.resources[0] ?? '') ?? [];
    const own = memberships.find(({ organizationKey }) => organizationKey === key);
    const isFor = own !== undefined && (organizations?.includes(own.organizationId) ?? true);
    const found = isFor
      ? checkPermission(permission, own.organizationKey)
      : [{ name: 'resources.0', message: 'is not in an organization of this key' }];
    return found.map(({ name, message }) => ({ name: `permissions.${index}.${name}`, message }));
  });
  if (faults.length === 0) return limit;
  throw new ProblemError(invalidRequest, `${faults[0]?.name} ${faults[0]?.message}`, {
    errors: faults.map((fault) => ({ in: 'body', ...fault })),
  });
}

function readExpiry(text: string | null | undefined, now: EpochMicroseconds): EpochMicroseconds | null {
  if (text === undefined || text === null) return null;
  const parsed = parseIsoDatetime(text);
  if (!parsed.ok) throw invalidField('expiresAt', 'must be a date and time in ISO 8601 with an offset');
  if (parsed.value <= now) throw invalidField('expiresAt', 'must be in the future');
  return parsed.value;
}
