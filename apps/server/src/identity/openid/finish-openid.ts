import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import { lockAccount } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import type { Client } from '../client.ts';
import type { SessionId } from '../credentials/session.ts';
import { announceCredential } from '../mail/announce-credential.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import { findSessionAccount } from '../sessions/session-store.ts';
import type { BeginOpenIdDeps } from './begin-openid.ts';
import { openIdCallbackPath, requireOpenId } from './begin-openid.ts';
import { findExternalIdentity } from './external-identity-store.ts';
import type { ExternalIdentity } from './openid-claims.ts';
import { parseNewcomer } from './openid-claims.ts';
import type { OpenIdTransaction } from './openid-transaction.ts';
import { openTransaction } from './openid-transaction.ts';
import type { RedeemRefusal, Redeemed } from './redeem-openid-code.ts';
import { redeemOpenIdCode } from './redeem-openid-code.ts';
import type { RegisterOpenIdUserDeps } from './register-openid-user.ts';
import { registerOpenIdUser, linkIdentity } from './register-openid-user.ts';

export const externalIdentityRefused = defineAuditKind(
  'external_identity_refused',
  'A sign-in through an external identity was refused.',
);

export type FinishOpenIdDeps = BeginOpenIdDeps & RegisterOpenIdUserDeps & RequestMailDeps;

export interface OpenIdReturn {
  /** The callback URL; only its query is read. */
  readonly callbackUrl: string;
  /** From the cookie that was set before the redirect. */
  readonly transaction: string;
  /** The session of the browser, if any. */
  readonly sessionId: SessionId | null;
  readonly client: Client;
}

export type OpenIdRefusal =
  | RedeemRefusal
  /** This browser began no sign-in in the last ten minutes. */
  | 'transaction_invalid'
  /** The link was begun in another session, or in one that has ended. */
  | 'not_signed_in'
  | 'email_missing'
  | 'email_unverified'
  /** The address has an account, whose owner can link the identity when signed in. */
  | 'account_exists'
  /** The identity is linked to another account. */
  | 'linked_elsewhere'
  /** The identity was unlinked during the redirect. */
  | 'unlinked';

export type OpenIdOutcome =
  | (Entry & { readonly context: string })
  | { readonly kind: 'refused'; readonly reason: OpenIdRefusal; readonly context: string | null };

type Entry =
  | { readonly kind: 'signed-in'; readonly accountId: AccountId; readonly identity: ExternalIdentity }
  | { readonly kind: 'linked'; readonly accountId: AccountId };

type Finding =
  | Entry
  | { readonly kind: 'refused'; readonly reason: OpenIdRefusal; readonly accountId: AccountId | null };

const callbackCharsMax = 8_192;

/** Finishes a sign-in or a link after the redirect. The lock on password sign-in does not apply here. */
export async function finishOpenId(deps: FinishOpenIdDeps, request: OpenIdReturn): Promise<OpenIdOutcome> {
  const openId = requireOpenId(deps);
  const opened = openTransaction(deps, request.transaction);
  const transaction = opened?.issuer === openId.issuer ? opened : null;
  if (transaction === null)
    return refuse(deps, request, { reason: 'transaction_invalid', accountId: null, context: null });
  const { context, linkTo } = transaction;
  const accountId = linkTo?.accountId ?? null;
  if (linkTo !== null && linkTo.sessionId !== request.sessionId)
    return refuse(deps, request, { reason: 'not_signed_in', accountId, context });
  const callback = callbackOf(deps.authUrl, request.callbackUrl);
  if (callback === null) return refuse(deps, request, { reason: 'response_invalid', accountId, context });
  const redeemed = await redeemOpenIdCode(await openId.configuration(), callback, transaction);
  if (!redeemed.ok) return refuse(deps, request, { reason: redeemed.reason, accountId, context });
  const finding =
    linkTo === null
      ? await signIn(deps, redeemed.value, request.client)
      : await link(deps, redeemed.value.identity, linkTo, request.client);
  if (finding.kind === 'refused') return refuse(deps, request, { ...finding, context });
  return { ...finding, context };
}

/** Built from our own base URL: a rewriting proxy must not change the redirect URI sent to the provider. */
function callbackOf(authUrl: string, callbackUrl: string): URL | null {
  if (callbackUrl.length > callbackCharsMax || !URL.canParse(callbackUrl, authUrl)) return null;
  const callback = new URL(`${authUrl}${openIdCallbackPath}`);
  callback.search = new URL(callbackUrl, authUrl).search;
  return callback;
}

async function signIn(deps: FinishOpenIdDeps, redeemed: Redeemed, client: Client): Promise<Finding> {
  const { identity } = redeemed;
  const known = await findExternalIdentity(deps.database, identity);
  if (known !== null) return { kind: 'signed-in', accountId: known, identity };
  const newcomer = parseNewcomer(await redeemed.claims());
  if (newcomer === null) return { kind: 'refused', reason: 'email_missing', accountId: null };
  if (!newcomer.emailVerified) return { kind: 'refused', reason: 'email_unverified', accountId: null };
  const { kind, accountId } = await registerOpenIdUser(deps, { identity, newcomer, client });
  return kind === 'admitted'
    ? { kind: 'signed-in', accountId, identity }
    : { kind: 'refused', reason: 'account_exists', accountId };
}

async function link(
  deps: FinishOpenIdDeps,
  identity: ExternalIdentity,
  { accountId, sessionId }: NonNullable<OpenIdTransaction['linkTo']>,
  client: Client,
): Promise<Finding> {
  const linked = await deps.database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, accountId);
    if ((await findSessionAccount(transaction, sessionId, deps.clock.now())) !== accountId) return null;
    const isNew = await linkIdentity(transaction, deps, { identity, accountId, client });
    if (isNew) await announceCredential(transaction, deps, accountId, 'provider_linked');
    return isNew;
  });
  if (linked === null) return { kind: 'refused', reason: 'not_signed_in', accountId };
  if (linked || (await findExternalIdentity(deps.database, identity)) === accountId)
    return { kind: 'linked', accountId };
  return { kind: 'refused', reason: 'linked_elsewhere', accountId };
}

async function refuse(
  { database, ids, clock, openId }: FinishOpenIdDeps,
  { client }: OpenIdReturn,
  refusal: {
    readonly reason: OpenIdRefusal;
    readonly accountId: AccountId | null;
    readonly context: string | null;
  },
): Promise<OpenIdOutcome> {
  const { reason, accountId, context } = refusal;
  await recordAuditEvent(database, ids, {
    kind: externalIdentityRefused,
    at: clock.now(),
    accountId,
    client,
    detail: { reason, issuer: openId?.issuer ?? null },
  });
  return { kind: 'refused', reason, context };
}
