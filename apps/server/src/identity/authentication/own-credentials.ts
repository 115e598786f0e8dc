import { findOrigins } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { notFound } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { lockAccount } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { CredentialKind, HeldCredential } from '../credentials/credential-kind.ts';
import { endCredentials } from '../credentials/credential-kind.ts';
import type { SessionId } from '../credentials/session.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import { requestMail } from '../mail/request-mail.ts';
import { lockOrganizationsOf } from '../organizations/organization-store.ts';
import { requireLiveSession } from '../sessions/session-store.ts';
import type { ProvenRequest, ReauthenticateDeps } from '../step-up/reauthenticate.ts';
import { reauthenticate } from '../step-up/reauthenticate.ts';

export interface OwnCredentialsDeps extends RequestMailDeps {
  readonly database: Database;
  readonly credentialKinds: readonly CredentialKind[];
}

const listedMax = 500;

export interface ListedCredentialKind extends Pick<CredentialKind, 'name' | 'endsOn'> {
  readonly held: readonly HeldCredential[];
}

/** All credentials of an account, now or later valid, by kind. Kinds without credentials are omitted. */
export async function listOwnCredentials(
  { database, clock, credentialKinds }: OwnCredentialsDeps,
  accountId: AccountId,
): Promise<readonly ListedCredentialKind[]> {
  const holder = { accountId, now: clock.now(), limit: listedMax };
  const kinds: ListedCredentialKind[] = [];
  for (const { name, endsOn, list } of credentialKinds) {
    const held = await list(database, holder);
    if (held.length > 0) kinds.push({ name, held, ...(endsOn !== undefined && { endsOn }) });
  }
  const ids = kinds.flatMap(({ held }) => held.filter(({ origin }) => origin === null).map(({ id }) => id));
  const origins = await findOrigins(database, accountId, ids);
  return kinds.map(({ held, ...kind }) => ({
    ...kind,
    held: held.map((one) => ({ ...one, origin: one.origin ?? origins.get(one.id) ?? null })),
  }));
}

export interface EndCredential {
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
  /** The name of a kind. */
  readonly kind: string;
  readonly id: string;
  readonly client: Client;
}

/** Ends one credential. Does nothing if it has ended, or belongs to another account. */
export async function endOwnCredential(deps: OwnCredentialsDeps, request: EndCredential): Promise<void> {
  const { accountId, client, id } = request;
  const kind = deps.credentialKinds.find(({ name }) => name === request.kind);
  if (kind === undefined || kind.endsOn !== undefined)
    throw new ProblemError(notFound, 'Credentials of this kind cannot be revoked here.');
  await deps.database.transaction().execute(async (transaction) => {
    const organizationIds = await lockOrganizationsOf(transaction, accountId);
    await lockAccount(transaction, accountId);
    const now = deps.clock.now();
    await requireLiveSession(transaction, request, now);
    await kind.end(transaction, deps, {
      accountId,
      organizationIds,
      event: 'end_all',
      client,
      keep: null,
      only: id,
      suspectSince: now,
    });
  });
}

/** All except the current session and the second factor that its owner has just used. */
export async function endEverything(
  deps: OwnCredentialsDeps & ReauthenticateDeps,
  request: ProvenRequest,
): Promise<void> {
  const { accountId, sessionId, client } = request;
  const { email: recipient } = await reauthenticate(deps, 'end_everything', request);
  await deps.database.transaction().execute(async (transaction) => {
    const organizationIds = await lockOrganizationsOf(transaction, accountId);
    await lockAccount(transaction, accountId);
    const now = deps.clock.now();
    await requireLiveSession(transaction, request, now);
    await endCredentials(transaction, deps, {
      accountId,
      organizationIds,
      event: 'end_all',
      client,
      keep: sessionId,
      only: null,
      suspectSince: now,
    });
    await requestMail(transaction, deps, { kind: 'sign_in_changed', recipient, subjectId: accountId });
  });
}
