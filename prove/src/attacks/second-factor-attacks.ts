import type { StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { freshAddress, send } from '../../../apps/server/test/accounts-stage.ts';
import type { Authenticator } from '../../../apps/server/test/authenticator.ts';
import { createAuthenticator } from '../../../apps/server/test/authenticator.ts';
import type { AttackOutcome } from './page-attacks.ts';
import { cookieOf, signInOnForm } from './page-attacks.ts';
import { counted } from './passkey-attacks.ts';

const ours = { 'sec-fetch-site': 'same-origin' };
const page = '/account/second-factor';
const oddCodes = ['', ' ', '0', '٠٠٠٠٠٠', "' OR 1=1 --", '000000\u0000', '1e5', 'null'];

interface SecondFactorTarget {
  readonly port: number;
  readonly accounts: readonly [StageAccount, StageAccount];
  /** Opens every lock, as 15 minutes would. */
  readonly unlock: () => Promise<void>;
}

interface Guarded {
  readonly account: StageAccount;
  readonly session: string;
  /** As a person would type it. */
  readonly secret: string;
  readonly authenticator: Authenticator;
  readonly recoveryCodes: readonly string[];
  /** What turned it on. */
  readonly firstCode: string;
}

export async function guardAccount(
  port: number,
  account: StageAccount,
  nowMs = Date.now(),
): Promise<Guarded> {
  const session = cookieOf(await signInOnForm(port, account));
  const { text } = await send(port, page, { headers: { cookie: session } });
  const [, secret = ''] = /class="typed">([A-Z2-7 ]+)</.exec(text) ?? [];
  const [, setUp = ''] = /name="setUp" value="([\w-]+)"/.exec(text) ?? [];
  const authenticator = createAuthenticator(secret);
  const firstCode = authenticator(nowMs);
  const form = { setUp, currentPassword: account.password, one_time_code: firstCode };
  const on = await send(port, page, { form, headers: { ...ours, cookie: session } });
  if (on.status !== 200) throw new Error(`the second factor could not be turned on: ${on.status}`);
  const recoveryCodes = on.text.match(/[a-z2-7]{4}(?:-[a-z2-7]{4}){3}/g) ?? [];
  return { account, session, secret: secret.replaceAll(' ', ''), authenticator, recoveryCodes, firstCode };
}

function askToken(port: number, { email, password }: StageAccount, code?: string, from = freshAddress()) {
  const json = { email, password, ...(code !== undefined && { one_time_code: code }) };
  return send(port, '/api/auth/token', { json, from });
}

/** Codes that were used, are not of this account or of this time, and ways around them. */
export async function trySecondFactor({
  port,
  accounts,
  unlock,
}: SecondFactorTarget): Promise<AttackOutcome> {
  const [mine, theirs] = [await guardAccount(port, accounts[0]), await guardAccount(port, accounts[1])];
  const { account, authenticator, recoveryCodes, session } = mine;
  const outcome = counted();
  const pending = cookieOf(await signInOnForm(port, account));
  const token = async (code?: string) => (await askToken(port, account, code)).status;
  const onPage = (code: string, cookie = pending) => sendCode(port, code, cookie);
  const bothDoors = async (name: string, code: string): Promise<void> => {
    await unlock();
    await outcome.refused(`${name}, by the API`, token(code));
    await outcome.refused(`${name}, on the page`, onPage(code));
  };

  await outcome.refused('the password alone', token());
  await bothDoors('the code that turned it on', mine.firstCode);
  await unlock();
  const [used = '', ...unused] = recoveryCodes;
  // All of one moment: later ones could be good by the time they are sent.
  const at = Date.now();
  const next = authenticator(at, 1);
  outcome.control('a fresh code', await token(next), 200);
  await bothDoors('a code again within its window', next);
  for (const offset of [-2, -1, 0]) await bothDoors(`a code ${offset} steps old`, authenticator(at, offset));
  await bothDoors('a code of five minutes ago', authenticator(at, -10));
  await bothDoors('a code of another account', theirs.authenticator(Date.now(), 1));
  await bothDoors('a recovery code of another account', theirs.recoveryCodes[0] ?? '');
  await unlock();
  outcome.control('a recovery code', await token(used), 200);
  await bothDoors('a recovery code again', used);
  for (const code of oddCodes) await bothDoors(`“${code}” for a code`, code);
  await unlock();
  const race = await Promise.all(Array.from({ length: 5 }, () => token(unused[0])));
  outcome.control(
    'of five at once with one recovery code',
    race.filter((status) => status === 200).length,
    1,
  );
  await unlock();
  const pendingTheirs = cookieOf(await signInOnForm(port, theirs.account));
  await outcome.refused('a code with the password of another', onPage(unused[1] ?? '', pendingTheirs));
  await outcome.refused('a code with a session for a password', onPage(unused[2] ?? '', session));
  const asSession = pending.replace('pending-sign-in', 'session');
  const looked = await send(port, '/account', { headers: { cookie: asSession } });
  await outcome.refused(
    'the waiting sign-in for a session',
    Promise.resolve(looked.status === 303 ? 401 : looked.status),
  );
  const halves = [
    { currentPassword: account.password, one_time_code: next },
    { currentPassword: 'not the password', one_time_code: unused[3] ?? '' },
  ];
  for (const form of halves) {
    await unlock();
    for (const path of [`${page}/off`, `${page}/recovery-codes`])
      await outcome.refused(`${path} with half of what it asks for`, statusOf(port, path, form, session));
  }
  return outcome;
}

async function sendCode(port: number, code: string, cookie: string): Promise<number> {
  const form = { one_time_code: code };
  const answer = await send(port, '/auth/signin/code', { form, headers: { ...ours, cookie } });
  // Back to the beginning without a session is a refusal too.
  return answer.status === 303 && cookieOf(answer).includes('pending-sign-in=') ? 401 : answer.status;
}

async function statusOf(
  port: number,
  path: string,
  form: Readonly<Record<string, string>>,
  cookie: string,
): Promise<number> {
  return (await send(port, path, { form, headers: { ...ours, cookie } })).status;
}

/** How many of so many guesses, each from an address of its own, got as far as the code. */
export async function guessCodes(port: number, account: StageAccount, guesses: number): Promise<number> {
  let looked = 0;
  for (let guess = 0; guess < guesses; guess += 1) {
    const answer = await askToken(port, account, String(guess).padStart(6, '0'));
    if (answer.json<{ code: string }>().code !== 'account_locked') looked += 1;
  }
  return looked;
}

/** The same from one address: how many were answered at all. */
export async function guessFromOneAddress(
  port: number,
  account: StageAccount,
  guesses: number,
): Promise<number> {
  const from = freshAddress();
  let admitted = 0;
  for (let guess = 0; guess < guesses; guess += 1)
    if ((await askToken(port, account, '000000', from)).status !== 429) admitted += 1;
  return admitted;
}
