import { randomBytes } from 'node:crypto';

import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { findPasswordRecord } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import { usernameVariant } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import { createAccount } from '../registration/create-account.ts';
import { findExternalIdentity, insertExternalIdentity } from './external-identity-store.ts';
import type { ExternalIdentity, Newcomer } from './openid-claims.ts';

export const externalIdentityLinked = defineAuditKind(
  'external_identity_linked',
  'You linked an external identity.',
);

export interface RegisterOpenIdUserDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
}

export type Admission =
  | { readonly kind: 'admitted'; readonly accountId: AccountId }
  | { readonly kind: 'account_exists'; readonly accountId: AccountId };

interface NewcomerRequest {
  readonly identity: ExternalIdentity;
  readonly newcomer: Newcomer;
  readonly client: Client;
}

const triesMax = 5;

/**
 * Creates an account for an identity of the provider. An address with an account is left alone: the provider vouches
 * for it, but its owner has not. The constraints decide what is taken; then everything is read again.
 */
export async function registerOpenIdUser(
  deps: RegisterOpenIdUserDeps,
  request: NewcomerRequest,
): Promise<Admission> {
  let { username } = request.newcomer;
  for (let tries = 1; ; tries += 1) {
    try {
      const newcomer = { ...request.newcomer, username };
      return await deps.database
        .transaction()
        .execute((transaction) => admitOnce(transaction, deps, { ...request, newcomer }));
    } catch (error) {
      const taken = error instanceof ProblemError && error.definition === conflict;
      if (!taken || tries === triesMax) throw error;
      username = usernameVariant(request.newcomer.username, randomBytes);
    }
  }
}

async function admitOnce(
  transaction: Database,
  deps: RegisterOpenIdUserDeps,
  { identity, newcomer, client }: NewcomerRequest,
): Promise<Admission> {
  // In this order: a person who was just registered has both, and must be found by the second query.
  const owner = await findPasswordRecord(transaction, newcomer.email.normalised);
  const known = await findExternalIdentity(transaction, identity);
  if (known !== null) return { kind: 'admitted', accountId: known };
  if (owner !== null) return { kind: 'account_exists', accountId: owner.accountId };
  const { username, email, name } = newcomer;
  const account = { username, email, name, passwordHash: null, joins: null, client };
  const accountId = await createAccount(transaction, deps, account);
  if (!(await linkIdentity(transaction, deps, { identity, accountId, client })))
    throw new ProblemError(conflict, 'This identity is linked to another account.');
  return { kind: 'admitted', accountId };
}

/** False if it is linked to an account already. */
export async function linkIdentity(
  transaction: Database,
  { clock, ids }: RegisterOpenIdUserDeps,
  link: { readonly identity: ExternalIdentity; readonly accountId: AccountId; readonly client: Client },
): Promise<boolean> {
  const { identity, accountId, client } = link;
  const at = clock.now();
  const linked = await insertExternalIdentity(transaction, identity, accountId, at);
  if (linked) {
    const detail = { ...identity };
    await recordAuditEvent(transaction, ids, {
      kind: externalIdentityLinked,
      at,
      accountId,
      client,
      detail,
    });
  }
  return linked;
}
