import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { credentials, organizations } from '../../identity/index.ts';
import type { Caller, OrganizationActor } from '../credentials/caller.ts';
import { callerOfToken } from '../credentials/platform-surface.ts';
import { findTokenById } from '../credentials/platform-token-store.ts';
import { isExpired } from '../credentials/platform-token.ts';
import type { WithoutSecondFactor } from './work-out-authority.ts';
import { readAuthorityBasis } from './work-out-authority.ts';

/**
 * Requires the organization's lock. Reads the authority again, also of a member who is not the caller, and the token of a
 * caller, since both may have changed since the request. Null without access to the organization.
 */
export async function readPresentActor(
  transaction: Database,
  caller: Caller,
  id: OrganizationActor['organization']['id'],
  now: EpochMicroseconds,
  withoutSecondFactor: WithoutSecondFactor = 'refuse',
): Promise<OrganizationActor | null> {
  const { credential } = caller;
  let present: Caller | null = caller;
  if (credential.kind === 'api_token') {
    const token = await findTokenById(transaction, credential.tokenId);
    present = token === null || isExpired(token, now) ? null : callerOfToken(token);
  }
  const basis =
    present === null ? null : await readAuthorityBasis(transaction, present, { id }, withoutSecondFactor);
  if (present === null || basis === null) return null;
  return { caller: present, organization: basis.organization, authority: await basis.compile() };
}

/**
 * The caller's permissions until the transaction ends: changes of permissions in the organization wait for it, other
 * holders do not. Null also if the session or key has ended.
 */
export async function holdPresentActor(
  transaction: Database,
  caller: Caller,
  id: OrganizationActor['organization']['id'],
  now: EpochMicroseconds,
): Promise<OrganizationActor | null> {
  await organizations.shareOrganization(transaction, id);
  return readActingActor(transaction, caller, id, now);
}

/** The same under the organization's lock. */
export async function readActingActor(
  transaction: Database,
  caller: Caller,
  id: OrganizationActor['organization']['id'],
  now: EpochMicroseconds,
): Promise<OrganizationActor | null> {
  return (await isLiveCaller(transaction, caller, now))
    ? readPresentActor(transaction, caller, id, now)
    : null;
}

/** Whether the session or API key of the caller has not ended. */
export async function isLiveCaller(
  transaction: Database,
  { accountId, credential }: Caller,
  now: EpochMicroseconds,
): Promise<boolean> {
  if (credential.kind !== 'session' && credential.kind !== 'api_key') return true;
  return credentials.isLiveCredential(transaction, { accountId, credential }, now);
}
