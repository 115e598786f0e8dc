import { createMailedToken } from '../../../apps/server/src/identity/mail/mailed-token-store.ts';
import type { AccountsStage, StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { send } from '../../../apps/server/test/accounts-stage.ts';
import { cookieOf, deviceCookieOf, signInOnForm } from './page-attacks.ts';
import { guardAccount } from './second-factor-attacks.ts';

const headers = { 'sec-fetch-site': 'same-origin' };
const movedEmail = 'moved@example.net';

async function newestId({ pool }: AccountsStage['superuser'], table: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(`SELECT id FROM ${table} ORDER BY id DESC`);
  return rows[0]?.id ?? '';
}

/** Visits every page that handles a secret, and returns those secrets. */
export async function handleSecretsOnPages(
  { identity, superuser }: AccountsStage,
  port: number,
  account: StageAccount,
): Promise<Readonly<Record<string, string>>> {
  const mailed = (purpose: Parameters<typeof createMailedToken>[1], subject: string): Promise<string> =>
    createMailedToken(identity.database, purpose, subject, identity.clock.now());
  const idOf = (table: string): Promise<string> => newestId(superuser, table);
  const form = async (path: string, fields: Readonly<Record<string, string>>, cookie = '') => {
    const answer = await send(port, path, { form: fields, headers: { ...headers, cookie } });
    if (answer.status !== 200 && answer.status !== 303) throw new Error(`${path}: ${answer.status}`);
    return answer;
  };
  const signedIn = await signInOnForm(port, account);
  const cookie = cookieOf(signedIn);
  const key = await form('/account/api-keys', { name: 'page', currentPassword: account.password }, cookie);
  await form(
    `/platform/${account.email.replace(/@.*/, '')}/invitations`,
    { email: 'guest@example.net', role: 'member' },
    cookie,
  );
  const invitation = await mailed('join_organization', await idOf('identity.invitation'));
  const signUpPassword = 'the password of a newcomer';
  await send(port, `/auth/join?token=${invitation}`);
  const invited = { token: invitation, username: 'invited', password: 'the password of a colleague' };
  const colleague = cookieOf(await form('/auth/join/account', invited));
  const signUp = { username: '', name: 'Fresh', email: 'fresh@example.net', password: signUpPassword };
  await form('/auth/signup', signUp);
  const confirmation = await mailed('confirm_sign_up', await idOf('identity.sign_up'));
  await send(port, `/auth/confirm?token=${confirmation}`);
  const newcomer = cookieOf(await form('/auth/confirm', { token: confirmation }));
  await form('/auth/forgot', { email: account.email });
  const reset = await mailed('reset_password', account.id);
  await send(port, `/auth/reset?token=${reset}`);
  const resetPassword = 'the password after a reset';
  await form('/auth/reset', { token: reset, password: resetPassword });
  const again = { ...account, password: resetPassword };
  const changedPassword = 'the password after a change';
  const changing = { currentPassword: resetPassword, newPassword: changedPassword };
  await form('/account/password', changing, cookieOf(await signInOnForm(port, again)));
  const changed = { ...account, password: changedPassword };
  return {
    ...(await handleEmailChange({ port, form, mailed, idOf }, changed)),
    ...(await handleCodes(port, { ...changed, email: movedEmail })),
    'browser session': cookie.split('=')[1] ?? '',
    'device cookie': deviceCookieOf(signedIn).split('=')[1] ?? '',
    'session of an invited person': colleague.split('=')[1] ?? '',
    'password of an invited person': invited.password,
    'session of a newcomer': newcomer.split('=')[1] ?? '',
    'API key of a page': />([0-9a-f]{64})</.exec(key.text)?.[1] ?? 'no key was shown',
    'link of an invitation': invitation,
    'link of a sign-up': confirmation,
    'link of a reset': reset,
    'password of a sign-up': signUpPassword,
    'password of a reset': resetPassword,
    'password of a change': changedPassword,
  };
}

interface PageActions {
  readonly port: number;
  readonly form: (path: string, fields: Readonly<Record<string, string>>, cookie: string) => Promise<unknown>;
  readonly mailed: (purpose: 'confirm_email' | 'undo_email', subject: string) => Promise<string>;
  readonly idOf: (table: string) => Promise<string>;
}

async function handleEmailChange(
  { port, form, mailed, idOf }: PageActions,
  account: StageAccount,
): Promise<Readonly<Record<string, string>>> {
  const cookie = cookieOf(await signInOnForm(port, account));
  await form('/account/email', { email: movedEmail, currentPassword: account.password }, cookie);
  const changeId = await idOf('identity.email_change');
  const confirmation = await mailed('confirm_email', changeId);
  await send(port, `/account/email/confirm?token=${confirmation}`, { headers: { cookie } });
  await form('/account/email/confirm', { token: confirmation }, cookie);
  const undo = await mailed('undo_email', changeId);
  await send(port, `/auth/undo-email?token=${undo}`);
  return { 'link to a new address': confirmation, 'link to the address before': undo };
}

async function handleCodes(port: number, account: StageAccount): Promise<Readonly<Record<string, string>>> {
  const { secret, recoveryCodes } = await guardAccount(port, account);
  const [first = 'no code was shown', second = 'no code was shown'] = recoveryCodes;
  return {
    'secret of a second factor': secret,
    'recovery code': first,
    'recovery code without hyphens': second.replaceAll('-', ''),
  };
}
