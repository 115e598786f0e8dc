import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { CredentialKind } from '../credentials/credential-kind.ts';
import type { ProvenRequest, ReauthenticateDeps } from '../step-up/reauthenticate.ts';
import { reauthenticate } from '../step-up/reauthenticate.ts';
import {
  deleteExternalIdentities,
  deleteExternalIdentity,
  listExternalIdentities,
} from './external-identity-store.ts';
import type { ExternalIdentity } from './openid-claims.ts';

export const externalIdentityUnlinked = defineAuditKind(
  'external_identity_unlinked',
  'You unlinked an external identity.',
);

/**
 * False if it was not linked. Sessions stay: their owner ends them one by one. The last sign-in method may be removed
 * too, since a reset link to the verified address always sets a password.
 */
export async function unlinkExternalIdentity(
  deps: ReauthenticateDeps,
  request: ProvenRequest & { readonly identity: ExternalIdentity },
): Promise<boolean> {
  const { accountId, identity, client } = request;
  const { database, clock, ids } = deps;
  await reauthenticate(deps, 'unlink_provider', request);
  return database.transaction().execute(async (transaction) => {
    if (!(await deleteExternalIdentity(transaction, identity, accountId))) return false;
    const [at, detail] = [clock.now(), { ...identity }];
    await recordAuditEvent(transaction, ids, {
      kind: externalIdentityUnlinked,
      at,
      accountId,
      client,
      detail,
    });
    return true;
  });
}

export const externalIdentities: CredentialKind = {
  name: 'linked sign-in providers',
  columns: ['identity.external_identity.account_id'],
  effects: {
    password_change: { stays: 'A provider does not depend on the password.' },
    password_reset: 'ends',
    email_undo: 'ends',
    end_all: 'ends',
    deletion: 'ends',
    removal_from_organization: { stays: 'It opens the account, not an organization.' },
  },
  list: async (database, { accountId }) =>
    (await listExternalIdentities(database, accountId)).map(({ issuer, subject, linkedAt }) => ({
      id: subject,
      name: `${subject} at ${issuer}`,
      createdAt: linkedAt,
      lastUsedAt: null,
      origin: null,
    })),
  endsOn: '/account/provider',
  end: (transaction, _deps, { accountId }) => deleteExternalIdentities(transaction, accountId),
};
