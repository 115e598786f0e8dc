import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectProblem } from '../../../test/http-client.ts';
import type { TestAccount, TestIdentity } from '../../../test/identity.ts';
import { startTestIdentity, testAuthUrl } from '../../../test/identity.ts';
import type { OpenIdProvider } from '../../../test/openid-provider.ts';
import { startOpenIdProvider, visitProvider } from '../../../test/openid-provider.ts';
import { untilWaiting } from '../../../test/waiting-session.ts';
import { readAccountEvents } from '../../audit/index.ts';
import { findAccount, lockAccount } from '../accounts/account-store.ts';
import type { AccountId } from '../accounts/account.ts';
import type { SessionId } from '../credentials/session.ts';
import { insertSecondFactor, updateCodeAtProvider } from '../second-factor/second-factor-store.ts';
import { secretBytes, stepAt, timeCode } from '../second-factor/time-code.ts';
import { sealPurpose } from '../second-factor/use-one-time-code.ts';
import { openBrowserSession } from '../sessions/browser-session.ts';
import { openExternalSession } from '../sign-in/open-external-session.ts';
import { finishBrowserSignIn } from '../sign-in/sign-in-browser.ts';
import { beginOpenIdLink, beginOpenIdSignIn, openIdCallbackPath } from './begin-openid.ts';
import { deleteExternalIdentities, listExternalIdentities } from './external-identity-store.ts';
import type { OpenIdOutcome } from './finish-openid.ts';
import { finishOpenId } from './finish-openid.ts';
import { unlinkExternalIdentity } from './unlink-external-identity.ts';

const redirectUris = [`${testAuthUrl}${openIdCallbackPath}`];
const users: Record<
  string,
  { email?: string; email_verified?: boolean; name?: string; preferred_username?: string }
> = {
  ada: { email: 'Ada@Example.org', email_verified: true, name: 'Ada L.', preferred_username: 'Ada.L' },
  'ada-2': { email: 'ada@elsewhere.example', email_verified: true, preferred_username: 'ada.l' },
  grace: { email: 'grace@example.org', email_verified: true, preferred_username: 'grace' },
  unverified: { email: 'unverified@example.org', email_verified: false },
  silent: { email: 'silent@example.org' },
  nameless: { email_verified: true },
};

let provider: OpenIdProvider;
let stage: TestIdentity;
beforeAll(async () => {
  provider = await startOpenIdProvider({ redirectUris, users });
  stage = await startTestIdentity({ openId: provider.settings });
});
afterAll(async () => {
  await stage.stop();
  await provider.stop();
});

const client = { address: '192.0.2.7', userAgent: 'browser' };
const context = 'source=api&port=50000';
const begin = () => beginOpenIdSignIn(stage.identity, { context });
const finish = (
  callbackUrl: string,
  transaction: string,
  sessionId: SessionId | null = null,
): Promise<OpenIdOutcome> => finishOpenId(stage.identity, { callbackUrl, transaction, sessionId, client });

async function signIn(login: string): Promise<OpenIdOutcome> {
  const { redirectUrl, transaction } = await begin();
  return finish(await visitProvider(redirectUrl, login), transaction);
}

async function sessionOf({ id: accountId }: TestAccount): Promise<SessionId> {
  const signIn = { accountId, client, method: 'password' } as const;
  return (await openBrowserSession(stage.identity, signIn)).sessionId;
}

/** The fields of the form of a guarded action. */
const provenBy = ({ id: accountId, password }: TestAccount, sessionId: SessionId) => {
  const proof = { password, code: '', mailedCode: '', passkey: { challenge: '', response: '' } };
  return { accountId, sessionId, proof, client };
};

async function beginLink(account: TestAccount) {
  const sessionId = await sessionOf(account);
  const departure = await beginOpenIdLink(stage.identity, { ...provenBy(account, sessionId), context });
  return { ...departure, sessionId };
}

async function link(account: TestAccount, login: string): Promise<OpenIdOutcome> {
  const { redirectUrl, transaction, sessionId } = await beginLink(account);
  return finish(await visitProvider(redirectUrl, login), transaction, sessionId);
}

async function signedIn(login: string): Promise<AccountId> {
  const outcome = await signIn(login);
  if (outcome.kind !== 'signed-in') throw new Error(JSON.stringify(outcome));
  return outcome.accountId;
}

/** A person whom the provider knows by the address of an existing account. */
async function memberAtProvider(): Promise<TestAccount> {
  const account = await stage.createAccount();
  users[account.username] = { email: account.email, email_verified: true };
  return account;
}

const eventsOf = async (id: AccountId) => {
  const events = await readAccountEvents(stage.identity.database, id, { limit: 10 });
  return events
    .filter(({ kind }) => kind !== 'session_opened')
    .map(({ kind, detail }) => [kind, (detail as { reason?: string }).reason ?? null]);
};
const refusals = () =>
  stage.database.asSuperuser(
    `SELECT detail->>'reason' AS reason FROM audit.event WHERE kind = 'external_identity_refused' ORDER BY id DESC LIMIT 1`,
  );
const refusal = (reason: string) => ({ kind: 'refused', reason, context });

describe('signed in', () => {
  test('creates an account without a password for a new person with a verified address', async () => {
    const outcome = await signIn('ada');
    expect(outcome).toMatchObject({ kind: 'signed-in', context });
    const id = (outcome as { accountId: AccountId }).accountId;
    const account = await findAccount(stage.identity.database, id);
    expect(account).toMatchObject({ email: 'Ada@example.org', name: 'Ada L.', username: 'ada-l' });
    expect(account!.memberships).toMatchObject([{ organizationId: account!.organizationId, role: 'owner' }]);
    expect(await eventsOf(id)).toEqual([
      ['external_identity_linked', null],
      ['account_created', null],
    ]);
    const answer = await stage.post('/api/auth/token', {
      email: 'ada@example.org',
      password: 'any password',
    });
    expectProblem(answer, 401, 'password_not_set');
  });

  test('signs the same person in to the same account after their address changed', async () => {
    const id = await signedIn('ada');
    users['ada'] = { email: 'unverified-now@example.org', email_verified: false };
    expect(await signedIn('ada')).toBe(id);
  });

  test('appends a suffix to a taken username', async () => {
    const account = await findAccount(stage.identity.database, await signedIn('ada-2'));
    expect(account!.username).toMatch(/^ada-l-[a-z0-9]{6}$/);
  });

  test('creates one account for many concurrent first sign-ins of one person', async () => {
    users['crowd'] = { email: 'crowd@example.org', email_verified: true };
    const ids = await Promise.all(Array.from({ length: 6 }, () => signedIn('crowd')));
    expect(new Set(ids).size).toBe(1);
  });

  test('is not stopped by the lock on password sign-in', async () => {
    const account = await memberAtProvider();
    expect(await link(account, account.username)).toMatchObject({ kind: 'linked' });
    for (let failure = 0; failure < 6; failure += 1)
      await stage.post('/api/auth/token', { email: account.email, password: 'wrong password' });
    const { email, password } = account;
    expectProblem(await stage.post('/api/auth/token', { email, password }), 401, 'account_locked');
    expect(await signedIn(account.username)).toBe(account.id);
    const opened = await openBrowserSession(stage.identity, {
      accountId: account.id,
      client,
      method: 'openid',
    });
    expect(opened.secret).toHaveLength(64);
  });

  test('sends no further request to a provider whose ID token contains the address', async () => {
    const talkative = await startOpenIdProvider({
      redirectUris,
      users: { grace: { email: 'grace@example.org', email_verified: true } },
      claimsInIdToken: true,
    });
    const other = await startTestIdentity({ openId: talkative.settings });
    const { redirectUrl, transaction } = await beginOpenIdSignIn(other.identity, { context });
    const callbackUrl = await visitProvider(redirectUrl, 'grace');
    const outcome = await finishOpenId(other.identity, {
      callbackUrl,
      transaction,
      sessionId: null,
      client,
    });
    await other.stop();
    await talkative.stop();
    expect(outcome).toMatchObject({ kind: 'signed-in' });
  });
});

describe('linked', () => {
  test('links the identity of a signed-in owner, and accepts it for sign-in from then on', async () => {
    const account = await memberAtProvider();
    expect(await signIn(account.username)).toEqual(refusal('account_exists'));
    expect(await link(account, account.username)).toEqual({
      kind: 'linked',
      accountId: account.id,
      context,
    });
    expect(await signedIn(account.username)).toBe(account.id);
    expect(await link(account, account.username)).toMatchObject({ kind: 'linked' });
    expect(await eventsOf(account.id)).toEqual([
      ['external_identity_linked', null],
      ['external_identity_refused', 'account_exists'],
      ['account_created', null],
    ]);
  });

  test('refuses an unlinked identity, and lets only its owner unlink it', async () => {
    const [account, stranger] = [await memberAtProvider(), await stage.createAccount()];
    await link(account, account.username);
    const [one] = await listExternalIdentities(stage.identity.database, account.id);
    expect(one).toMatchObject({ issuer: provider.issuer, subject: account.username });
    const unlink = async (owner: TestAccount) =>
      unlinkExternalIdentity(stage.identity, {
        ...provenBy(owner, await sessionOf(owner)),
        identity: one!,
      });
    expect([await unlink(stranger), await unlink(account), await unlink(account)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(await signIn(account.username)).toEqual(refusal('account_exists'));
    expect((await eventsOf(account.id))[1]).toEqual(['external_identity_unlinked', null]);
  });
});

test('opens no session for an identity that is unlinked during the redirect', async () => {
  const outcome = await signIn('grace');
  if (outcome.kind !== 'signed-in') throw new Error('not signed in');
  const { accountId, identity } = outcome;
  const { database } = stage.identity;
  const opening = await database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, accountId);
    await deleteExternalIdentities(transaction, accountId);
    const session = openExternalSession(stage.identity, { accountId, identity, client });
    await untilWaiting(stage.database, 'identity');
    return { session };
  });
  expect(await opening.session).toEqual({ kind: 'unlinked' });
});

test('requires a one-time code if the account has a second factor, unless its owner disabled that', async () => {
  const account = await memberAtProvider();
  await link(account, account.username);
  const outcome = await signIn(account.username);
  if (outcome.kind !== 'signed-in') throw new Error('not signed in');
  const secret = Buffer.alloc(secretBytes, 7);
  const { database, clock, secretBox } = stage.identity;
  await insertSecondFactor(database, {
    accountId: account.id,
    sealedSecret: secretBox.seal(secret, sealPurpose(account.id)),
    lastStep: 0,
    createdAt: clock.now(),
  });
  const open = () => openExternalSession(stage.identity, { ...outcome, client });
  const opening = await open();
  if (opening.kind !== 'code-needed') throw new Error(opening.kind);
  const enter = (code: string) =>
    finishBrowserSignIn(stage.identity, { pending: opening.pending, code, client });
  await expect(enter('000000')).rejects.toThrow('The code is wrong');
  const code = timeCode(secret, stepAt(clock.nowMs()));
  expect(await enter(code)).toMatchObject({ sessionId: expect.any(String) as string });
  await expect(enter(code)).rejects.toThrow('The code is wrong');
  await updateCodeAtProvider(database, account.id, false);
  expect(await open()).toMatchObject({ kind: 'signed-in' });
  await deleteExternalIdentities(database, account.id);
  expect(await enter(timeCode(secret, stepAt(clock.nowMs()) + 1))).toBeNull();
});

describe('refused', () => {
  test.each([
    ['unverified', 'email_unverified'],
    ['silent', 'email_unverified'],
    ['nameless', 'email_missing'],
  ])('%s: %s, and creates no account', async (login, reason) => {
    expect(await signIn(login)).toEqual(refusal(reason));
    expect(await refusals()).toEqual([{ reason }]);
  });

  test('refuses to link an identity that is linked to another account', async () => {
    const [first, second] = [await memberAtProvider(), await stage.createAccount()];
    await link(first, first.username);
    expect(await link(second, first.username)).toEqual(refusal('linked_elsewhere'));
    expect(await signedIn(first.username)).toBe(first.id);
  });

  test('refuses to finish a link in a browser of another account, or without a session', async () => {
    const [thief, victim] = [await stage.createAccount(), await memberAtProvider()];
    const { redirectUrl, transaction } = await beginLink(thief);
    const callback = await visitProvider(redirectUrl, victim.username);
    for (const sessionId of [await sessionOf(victim), await sessionOf(thief), null])
      expect(await finish(callback, transaction, sessionId)).toEqual(refusal('not_signed_in'));
    expect(await listExternalIdentities(stage.identity.database, thief.id)).toEqual([]);
  });

  test('refuses a sign-in that was cancelled at the provider', async () => {
    const { redirectUrl, transaction } = await begin();
    expect(await finish(await visitProvider(redirectUrl, 'ada', 'refuses'), transaction)).toEqual(
      refusal('cancelled'),
    );
  });

  test('refuses a callback with the state of another sign-in', async () => {
    const [mine, other] = [await begin(), await begin()];
    const callback = await visitProvider(mine.redirectUrl, 'ada');
    expect(await finish(callback, other.transaction)).toEqual(refusal('response_invalid'));
    const { search } = new URL(callback);
    expect(await finish(`${openIdCallbackPath}${search}`, mine.transaction)).toMatchObject({
      kind: 'signed-in',
    });
  });

  test('refuses the code of another person under the right state (PKCE)', async () => {
    const [mine, other] = [await begin(), await begin()];
    const [callback, stolen] = [
      new URL(await visitProvider(mine.redirectUrl, 'ada')),
      new URL(await visitProvider(other.redirectUrl, 'ada-2')),
    ];
    callback.searchParams.set('code', stolen.searchParams.get('code')!);
    expect(await finish(callback.href, mine.transaction)).toEqual(refusal('provider_refused'));
  });

  test('refuses a token with another nonce', async () => {
    const { redirectUrl, transaction } = await begin();
    const changed = new URL(redirectUrl);
    changed.searchParams.set('nonce', 'another');
    expect(await finish(await visitProvider(changed.href, 'ada'), transaction)).toEqual(
      refusal('response_invalid'),
    );
  });

  test('refuses a replayed callback', async () => {
    const { redirectUrl, transaction } = await begin();
    const callback = await visitProvider(redirectUrl, 'ada');
    expect(await finish(callback, transaction)).toMatchObject({ kind: 'signed-in' });
    expect(await finish(callback, transaction)).toEqual(refusal('provider_refused'));
  });

  test.each(['https://evil.example', ''])('refuses the issuer "%s" (mix-up)', async (iss) => {
    const { redirectUrl, transaction } = await begin();
    const callback = new URL(await visitProvider(redirectUrl, 'ada'));
    if (iss === '') callback.searchParams.delete('iss');
    else callback.searchParams.set('iss', iss);
    expect(await finish(callback.href, transaction)).toEqual(refusal('response_invalid'));
  });

  test('refuses a callback with duplicate, missing or oversized parameters', async () => {
    const { redirectUrl, transaction } = await begin();
    const callback = await visitProvider(redirectUrl, 'ada');
    const { search } = new URL(callback);
    for (const query of [`${search}&${search.slice(1)}`, '', `${search}&x=${'x'.repeat(9_000)}`])
      expect(await finish(`${openIdCallbackPath}${query}`, transaction)).toEqual(refusal('response_invalid'));
  });

  test('refuses a transaction that is older than ten minutes, missing, or changed by one bit', async () => {
    const { redirectUrl, transaction } = await begin();
    const callback = await visitProvider(redirectUrl, 'ada');
    const bytes = Buffer.from(transaction, 'base64url');
    bytes[bytes.length - 1]! ^= 1;
    const gone = { kind: 'refused', reason: 'transaction_invalid', context: null };
    for (const wrong of ['', 'x', bytes.toString('base64url'), 'A'.repeat(5_000)])
      expect(await finish(callback, wrong)).toEqual(gone);
    stage.clock.advance({ minutes: 10 });
    expect(await finish(callback, transaction)).toEqual(gone);
    expect(await refusals()).toEqual([{ reason: 'transaction_invalid' }]);
  });

  test('does not reveal the content of the sealed transaction', async () => {
    const { redirectUrl, transaction } = await begin();
    const plain = Buffer.from(transaction, 'base64url').toString('latin1');
    expect(plain).not.toContain(new URL(redirectUrl).searchParams.get('state')!);
    expect(plain).not.toContain('port=50000');
  });
});
