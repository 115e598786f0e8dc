import { deleteDueAccounts } from '../../../apps/server/src/identity/deletion/delete-due-accounts.ts';
import { createMailedToken } from '../../../apps/server/src/identity/mail/mailed-token-store.ts';
import {
  deleteAccountContents,
  deleteOrganizationContents,
} from '../../../apps/server/src/wiring/delete-contents.ts';
import type { AccountsStage, StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, send } from '../../../apps/server/test/accounts-stage.ts';
import type { AttackOutcome } from './page-attacks.ts';
import { cookieOf, signInOnForm } from './page-attacks.ts';
import { counted } from './passkey-attacks.ts';

const ours = { 'sec-fetch-site': 'same-origin' };
const deletionPath = '/account/data/delete';
const exportPath = '/account/data/export';

interface DeletionTarget extends Pick<AccountsStage, 'identity' | 'superuser'> {
  readonly port: number;
  readonly accounts: readonly [StageAccount, StageAccount, StageAccount];
}

/** Deletions by others and without the password, and credentials from before the request for deletion. */
export async function tryDeletions(target: DeletionTarget): Promise<AttackOutcome> {
  const outcome = counted();
  await tryAsking(target, outcome);
  await tryAfterAsking(target, outcome);
  return outcome;
}

type Outcome = ReturnType<typeof counted>;
type Headers = Readonly<Record<string, string>>;

/** A redirect to a page that requires a sign-in or a password is a refusal. */
async function statusOf(
  { port }: DeletionTarget,
  path: string,
  question: { readonly form?: Headers; readonly headers: Headers },
): Promise<number> {
  const { status, headers } = await send(port, path, question);
  const led = /^\/(?:auth\/signin|account\/data$)/.test(headers.location ?? '');
  return status === 303 && led ? 401 : status;
}

async function tryAsking(target: DeletionTarget, outcome: Outcome): Promise<void> {
  const { port, superuser } = target;
  const [owner, stranger, member] = target.accounts;
  const session = cookieOf(await signInOnForm(port, owner));
  const strangers = cookieOf(await signInOnForm(port, stranger));
  const { access_token: token } = (await send(port, '/api/auth/token', { json: grantOf(owner) })).json<{
    access_token: string;
  }>();
  const currentPassword = owner.password;
  const attacks: readonly (readonly [string, Headers, Headers])[] = [
    ['without a session', { currentPassword }, ours],
    ['without the password', {}, { ...ours, cookie: session }],
    ['with a wrong password', { currentPassword: 'a wrong password' }, { ...ours, cookie: session }],
    ['with an access token', { currentPassword }, { ...ours, authorization: `Bearer ${token}` }],
    [
      'from another site',
      { currentPassword },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example', cookie: session },
    ],
    [
      'of another account',
      { currentPassword, account: owner.id, accountId: owner.id },
      { ...ours, cookie: strangers },
    ],
  ];
  for (const [name, form, headers] of attacks)
    await outcome.refused(`deleted ${name}`, statusOf(target, deletionPath, { form, headers }));
  await superuser.pool.query(
    `INSERT INTO identity.organization_membership (organization_id, account_id, role, created_at)
     SELECT organization_id, $2, 'member', now() FROM identity.account WHERE id = $1`,
    [owner.id, member.id],
  );
  const form = { currentPassword };
  const last = statusOf(target, deletionPath, { form, headers: { ...ours, cookie: session } });
  await outcome.refused('deleted by the last owner of an organization with members', last);
  const { rowCount } = await superuser.pool.query('SELECT FROM identity.account_deletion');
  outcome.control('requested deletions', rowCount ?? 0, 0);
}

async function tryAfterAsking(target: DeletionTarget, outcome: Outcome): Promise<void> {
  const { port, superuser, identity } = target;
  const [, owner] = target.accounts;
  const session = { cookie: cookieOf(await signInOnForm(port, owner)) };
  const other = { cookie: cookieOf(await signInOnForm(port, owner)) };
  const form = { currentPassword: owner.password };
  const ask = () => statusOf(target, deletionPath, { form, headers: { ...ours, ...session } });
  const tokens = (await send(port, '/api/auth/token', { json: grantOf(owner) })).json<{
    access_token: string;
    refresh_token: string;
  }>();
  const bearer = { authorization: `Bearer ${tokens.access_token}` };
  const made = await send(port, '/api/v1/api-keys', { json: { name: 'before' }, headers: bearer });
  const key = { 'x-api-key': made.json<{ key: string }>().key };
  const download = await send(port, exportPath, { form, headers: { ...ours, ...session } });
  const change = { ...form, email: 'gone@example.net' };
  await send(port, '/account/email', { form: change, headers: { ...ours, ...session } });
  const { rows } = await superuser.pool.query<{ id: string }>(
    'SELECT id FROM identity.email_change WHERE account_id = $1',
    [owner.id],
  );
  const { database, clock } = identity;
  const link = await createMailedToken(database, 'confirm_email', rows[0]?.id ?? '', clock.now());
  outcome.control('the owner asks', await ask(), 200);
  // Processes cache a credential for at most a second.
  const until = Date.now() + 1_500;
  while (Date.now() < until && (await send(port, '/api/v1/me', { headers: key })).status === 200);
  for (const [name, headers] of Object.entries({ session, other, bearer, key }))
    for (const path of ['/account', '/api/v1/me'])
      await outcome.refused(`${path} with ${name} from before`, statusOf(target, path, { headers }));
  const refresh = { json: { refresh_token: tokens.refresh_token } };
  const refreshed = await send(port, '/api/auth/token/refresh', refresh);
  await outcome.refused('a refresh token from before', Promise.resolve(refreshed.status));
  const ticket = download.headers.location ?? '';
  await outcome.refused('a download from before', statusOf(target, ticket, { headers: session }));
  const confirm = { form: { token: link }, headers: { ...ours, ...session } };
  await outcome.refused('a link from before', statusOf(target, '/account/email/confirm', confirm));
  const sweep = () => deleteDueAccounts({ ...identity, deleteAccountContents, deleteOrganizationContents });
  outcome.control('deleted before the time is up', await sweep(), 0);
  outcome.control('a sign-in that keeps the account', (await signInOnForm(port, owner)).status, 303);
  await superuser.pool.query("UPDATE identity.account_deletion SET due_at = now() - interval '1 day'");
  outcome.control('deleted after a sign-in', await sweep(), 0);
  session.cookie = cookieOf(await signInOnForm(port, owner));
  const again = { ...confirm, headers: { ...ours, ...session } };
  await outcome.refused('a saved link from before', statusOf(target, '/account/email/confirm', again));
  outcome.control('the owner asks again', await ask(), 200);
  await superuser.pool.query("UPDATE identity.account_deletion SET due_at = now() - interval '1 day'");
  outcome.control('deleted when the time is up', await sweep(), 1);
  const json = { email: owner.email, password: owner.password };
  const late = await send(port, '/api/auth/token', { json });
  await outcome.refused('a sign-in after the deletion', Promise.resolve(late.status));
}
