import type { Suite, SuiteContext } from '@daybook/evidence';

import type { SessionId } from '../../../apps/server/src/identity/credentials/session.ts';
import { makeChallenge } from '../../../apps/server/src/identity/passkeys/passkey-challenge.ts';
import { createActionCode } from '../../../apps/server/src/identity/step-up/action-code-store.ts';
import type { GuardedAction } from '../../../apps/server/src/identity/step-up/guarded-action.ts';
import { guardedActionNames } from '../../../apps/server/src/identity/step-up/guarded-action.ts';
import type { AccountsStage, StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { openAccountsStage, send } from '../../../apps/server/test/accounts-stage.ts';
import { startOpenIdProvider } from '../../../apps/server/test/openid-provider.ts';
import type { GuardedForm } from '../attacks/guarded-actions.ts';
import { guardedForms } from '../attacks/guarded-actions.ts';
import { cookieOf, signInOnForm } from '../attacks/page-attacks.ts';
import { counted } from '../attacks/passkey-attacks.ts';
import { guardAccount } from '../attacks/second-factor-attacks.ts';
import type { SoftwareDevice } from '../attacks/software-passkey.ts';
import { createSoftwareDevice } from '../attacks/software-passkey.ts';

const ours = { 'sec-fetch-site': 'same-origin' };
type Outcome = ReturnType<typeof counted>;
type Fields = Readonly<Record<string, string>>;

/** The account's step-up methods besides a passkey. */
const kinds = ['password', 'password and code', 'no password'] as const;

export const suite: Suite = {
  name: 'step-up',
  nightly: true,
  summary: 'Every guarded action refuses a missing, wrong, expired, foreign or used proof of identity.',
  headline: 'proofs accepted',
  promise:
    'The attacker has a live session of the account, sees every page and form in it, and has seen proofs that the owner used or requested elsewhere. They do not have the password, the mailbox or the device. Passkeys, the e-mail address, the password switch, the export, linked providers, API keys, the end of all sessions, the second factor that an organization requires, and the deletion of the account and of an organization all refuse a missing, wrong, expired or used proof and one of another session, action or account. A recent sign-in is not a proof. With its own proof each action succeeds, so that every refusal is about the proof.',
  measuresNoTime: true,
  run: async (context) => {
    const provider = await startOpenIdProvider({ redirectUris: [], users: {} });
    const stage = await openAccountsStage();
    try {
      const { issuer, clientId, clientSecret } = provider.settings;
      const { port } = await stage.start({
        signInsUnlimited: true,
        settings: {
          DAYBOOK_AUTH_URL: stage.identity.authUrl.replace('http:', 'https:'),
          DAYBOOK_OPENID_ISSUER: issuer,
          DAYBOOK_OPENID_CLIENT_ID: clientId,
          DAYBOOK_OPENID_CLIENT_SECRET: clientSecret,
        },
      });
      const outcome = counted();
      const seen = new Set<GuardedAction>();
      for (const kind of kinds) {
        for (const form of guardedForms({ issuer, subject: '', organizationKey: '' })) {
          if (form.needsPassword === true && kind === 'no password') continue;
          if (form.needsSecondFactor === true && kind === 'password') continue;
          await attackForm({ stage, port, outcome, issuer }, kind, form.action);
          seen.add(form.action);
        }
      }
      tell(context, outcome, seen);
    } finally {
      await stage.stop();
      await provider.stop();
    }
  },
};

interface Target {
  readonly stage: AccountsStage;
  readonly port: number;
  readonly outcome: Outcome;
  readonly issuer: string;
}

interface Victim {
  readonly account: StageAccount;
  readonly form: GuardedForm;
  /** Two sessions: the one that is attacked, and another of the same account. */
  readonly sessions: readonly [Session, Session];
  readonly device: SoftwareDevice;
  readonly recoveryCodes: readonly string[];
}

interface Session {
  readonly id: SessionId;
  readonly cookie: string;
}

async function attackForm(
  target: Target,
  kind: (typeof kinds)[number],
  action: GuardedAction,
): Promise<void> {
  const { outcome, port } = target;
  const victim = await prepare(target, kind, action);
  const [session] = victim.sessions;
  const attempt = async (name: string, proof: Fields): Promise<void> => {
    await unlock(target);
    await outcome.refused(`${kind}: ${action}: ${name}`, submit(port, victim.form, session, proof));
  };
  await attempt('no proof', {});
  await attempt('empty proof', { currentPassword: '', one_time_code: '', mailed_code: '' });
  for (const [name, proof] of Object.entries(await passkeyAttacks(target, victim)))
    await attempt(name, proof);
  const own = kind === 'no password' ? await codeAttacks(target, victim) : passwordAttacks(victim, kind);
  for (const [name, proof] of Object.entries(own.attacks)) await attempt(name, proof);
  await unlock(target);
  outcome.control(`${kind}: ${action}`, await submit(port, victim.form, session, own.good), victim.form.done);
  // The state after these actions does not allow another attempt.
  if (['delete_account', 'delete_organization', 'switch_off_password', 'end_everything'].includes(action))
    return;
  if (kind !== 'password') await attempt('the proof again', own.good);
  await unlock(target);
  const { passkey_challenge, options } = await askedBy(port, victim.form, session);
  const fresh = { passkey_challenge, passkey_response: victim.device.get(options.challenge) };
  if (action === 'unlink_provider') return;
  outcome.control(
    `${kind}: ${action} with a passkey`,
    await submit(port, victim.form, session, fresh),
    victim.form.done,
  );
  await attempt('the answer of the passkey again', fresh);
}

/** Of the organization that an account of the stage owns. */
function keyOf({ email }: StageAccount): string {
  return email.split('@')[0] ?? '';
}

/** With a device that has a passkey, and an identity at the provider. */
async function prepare(
  { stage, port, issuer }: Target,
  kind: (typeof kinds)[number],
  action: GuardedAction,
): Promise<Victim> {
  const [account] = await stage.createAccounts(1);
  if (account === undefined) throw new Error('no account');
  const recoveryCodes = kind === 'password and code' ? (await guardAccount(port, account)).recoveryCodes : [];
  const origin = stage.identity.authUrl.replace('http:', 'https:');
  const device = createSoftwareDevice({ origin, rpId: new URL(origin).hostname });
  const first = await signIn(stage, port, account, recoveryCodes[0]);
  await addPasskey(port, account, first, { device, code: recoveryCodes[1] });
  const other = await signIn(stage, port, account, recoveryCodes[2]);
  const subject = account.id;
  await stage.superuser.pool.query(
    `INSERT INTO identity.external_identity (issuer, subject, account_id, created_at) VALUES ($1, $2, $3, now())`,
    [issuer, subject, account.id],
  );
  if (kind === 'no password')
    await stage.superuser.pool.query(`UPDATE identity.account SET password_hash = NULL WHERE id = $1`, [
      account.id,
    ]);
  const form = guardedForms({ issuer, subject, organizationKey: keyOf(account) }).find(
    (one) => one.action === action,
  );
  if (form === undefined) throw new Error(`no form for ${action}`);
  return { account, form, sessions: [first, other], device, recoveryCodes: recoveryCodes.slice(3) };
}

async function signIn(
  { superuser }: AccountsStage,
  port: number,
  account: StageAccount,
  code: string | undefined,
): Promise<Session> {
  let cookie = cookieOf(await signInOnForm(port, account));
  if (code !== undefined) {
    const answer = await send(port, '/auth/signin/code', {
      form: { one_time_code: code },
      headers: { ...ours, cookie },
    });
    const set = (answer.headers['set-cookie'] ?? []).map((one) => one.split(';')[0] ?? '');
    cookie = set.find((one) => one.includes('session')) ?? '';
  }
  const { rows } = await superuser.pool.query<{ id: SessionId }>(
    `SELECT id FROM identity.session WHERE account_id = $1 ORDER BY id DESC LIMIT 1`,
    [account.id],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('not signed in');
  return { id: row.id, cookie };
}

async function addPasskey(
  port: number,
  { password }: StageAccount,
  { cookie }: Session,
  { device, code }: { readonly device: SoftwareDevice; readonly code: string | undefined },
): Promise<void> {
  const form = {
    name: 'device',
    currentPassword: password,
    ...(code !== undefined && { one_time_code: code }),
  };
  const asked = await send(port, '/account/passkeys', { form, headers: { ...ours, cookie } });
  const finished = await send(port, '/account/passkeys/finish', {
    form: { response: device.create(optionsOf(asked.text).challenge) },
    headers: { ...ours, cookie: `${cookie}; ${cookieOf(asked)}` },
  });
  if (finished.status !== 200) throw new Error(`no passkey was added: ${finished.status}`);
}

async function submit(
  port: number,
  { path, fields }: GuardedForm,
  { cookie }: Session,
  proof: Fields,
): Promise<number> {
  const answer = await send(port, path, { form: { ...fields, ...proof }, headers: { ...ours, cookie } });
  return answer.status;
}

function optionsOf(text: string): { readonly challenge: string } {
  const [, escaped = ''] = /data-options="([^"]*)"/.exec(text) ?? [];
  return JSON.parse(escaped.replaceAll('&#34;', '"').replaceAll('&amp;', '&')) as { challenge: string };
}

/** The passkey request of a form's page. */
async function askedBy(port: number, { page }: GuardedForm, { cookie }: Session) {
  const { text } = await send(port, page, { headers: { cookie } });
  const [, passkey_challenge = ''] = /name="passkey_challenge" value="([\w-]+)"/.exec(text) ?? [];
  return { passkey_challenge, options: optionsOf(text) };
}

async function passkeyAttacks(
  { stage, port, issuer }: Target,
  { account, form, sessions, device }: Victim,
): Promise<Readonly<Record<string, Fields>>> {
  const [session, other] = sessions;
  const answer = async (asked: ReturnType<typeof askedBy>, by = device): Promise<Fields> => {
    const { passkey_challenge, options } = await asked;
    return { passkey_challenge, passkey_response: by.get(options.challenge) };
  };
  const otherForm = guardedForms({ issuer, subject: account.id, organizationKey: keyOf(account) }).find(
    ({ action }) => action !== form.action && action !== 'switch_off_password',
  );
  if (otherForm === undefined) throw new Error('no other form');
  const origin = stage.identity.authUrl.replace('http:', 'https:');
  const stranger = createSoftwareDevice({ origin, rpId: new URL(origin).hostname });
  const { clock, secretBox } = stage.identity;
  const earlier = { secretBox, clock: { ...clock, nowMs: () => clock.nowMs() - 6 * 60_000 } };
  const use = {
    kind: 'confirm',
    accountId: account.id,
    sessionId: session.id,
    action: form.action,
  } as const;
  const expired = makeChallenge(earlier, use);
  const signInPage = await send(port, '/auth/passkey');
  return {
    'a passkey’s answer to an expired challenge': {
      passkey_challenge: expired.sealed,
      passkey_response: device.get(expired.challenge),
    },
    'a passkey’s answer for another session': await answer(askedBy(port, form, other)),
    'a passkey’s answer for another action': await answer(askedBy(port, otherForm, session)),
    'a passkey’s answer for signing in': {
      passkey_challenge: cookieOf(signInPage).split('=')[1] ?? '',
      passkey_response: device.get(optionsOf(signInPage.text).challenge),
    },
    'the answer of another device': await answer(askedBy(port, form, session), stranger),
    'an answer without a challenge': { passkey_response: device.get('x') },
    'the challenge alone': { passkey_challenge: (await askedBy(port, form, session)).passkey_challenge },
  };
}

interface OwnProofs {
  readonly attacks: Readonly<Record<string, Fields>>;
  readonly good: Fields;
}

function passwordAttacks(
  { account, recoveryCodes }: Victim,
  kind: 'password' | 'password and code',
): OwnProofs {
  const { password: currentPassword } = account;
  const [code = ''] = recoveryCodes;
  if (kind === 'password')
    return {
      attacks: {
        'a wrong password': { currentPassword: 'not the password' },
        'a code by e-mail, which is for accounts without a password': { mailed_code: 'AAAA-AAAA' },
      },
      good: { currentPassword },
    };
  return {
    attacks: {
      'the password alone': { currentPassword },
      'the code alone': { one_time_code: code },
      'a wrong code': { currentPassword, one_time_code: '000000' },
    },
    good: { currentPassword, one_time_code: code },
  };
}

/** The codes are read where the worker writes them into the e-mail. */
async function codeAttacks({ stage, port, outcome }: Target, { form, sessions }: Victim): Promise<OwnProofs> {
  const [session, other] = sessions;
  const codeFor = async (action: GuardedAction, { id, cookie }: Session): Promise<string> => {
    const answer = await send(port, '/account/confirm', {
      form: { action, return: form.page },
      headers: { ...ours, cookie },
    });
    if (answer.status !== 303) throw new Error(`no code was sent: ${answer.status}`);
    const { rows } = await stage.superuser.pool.query<{ id: string }>(
      `SELECT id FROM identity.action_code WHERE session_id = $1 AND action = $2`,
      [id, action],
    );
    const { database, clock } = stage.identity;
    const made = await createActionCode(database, rows[0]?.id ?? '', clock.now());
    return made?.code ?? '';
  };
  const expired = await codeFor(form.action, session);
  await stage.superuser.pool.query(
    `UPDATE identity.action_code SET expires_at = now() WHERE session_id = $1 AND action = $2`,
    [session.id, form.action],
  );
  await outcome.refused(
    `no password: ${form.action}: an expired code`,
    submit(port, form, session, { mailed_code: expired }),
  );
  const elsewhere = guardedActionNames.find((action) => action !== form.action) ?? form.action;
  const attacks = {
    'a code of another session': { mailed_code: await codeFor(form.action, other) },
    'a code of another action': { mailed_code: await codeFor(elsewhere, session) },
    'a code that a newer one replaced': { mailed_code: expired },
    'a guessed code': { mailed_code: 'AAAA-AAAA' },
    'any password': { currentPassword: 'correct horse battery' },
  };
  return { attacks, good: { mailed_code: await codeFor(form.action, session) } };
}

/** Without this the lock after five failures would refuse, and not the proof. */
async function unlock({ stage }: Target): Promise<void> {
  await stage.superuser.pool.query('DELETE FROM identity.sign_in_attempt');
}

function tell(context: SuiteContext, { tried, through }: Outcome, seen: ReadonlySet<GuardedAction>): void {
  for (const one of through) context.note(`let through: ${one}`);
  context.figure({
    name: `guarded actions that the suite does not cover, of ${guardedActionNames.length}`,
    value: guardedActionNames.filter((name) => !seen.has(name)).length,
    unit: 'actions',
    goal: { exactly: 0 },
  });
  context.figure({
    name: `proofs accepted that are missing, wrong, expired, foreign or used, of ${tried}`,
    value: through.length,
    unit: 'accepted',
    goal: { exactly: 0 },
  });
}
