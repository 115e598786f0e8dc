import { randomBytes } from 'node:crypto';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { createAccess } from '../../../apps/server/src/access/wiring.ts';
import { createCursorKeys } from '../../../apps/server/src/foundation/pagination/cursor-keys.ts';
import { accountPages, platformPages } from '../../../apps/server/src/site/index.ts';
import type {
  AccountsProcess,
  AccountsStage,
  StageAccount,
} from '../../../apps/server/test/accounts-stage.ts';
import {
  grantOf,
  openAccountsStage,
  send,
  stageSecretKey,
} from '../../../apps/server/test/accounts-stage.ts';
import { findInDatabase, findInText } from '../../../apps/server/test/secret-search.ts';
import { tryDeletions } from '../attacks/deletion-attacks.ts';
import { tryEmailChanges } from '../attacks/email-change-attacks.ts';
import { tryExports } from '../attacks/export-attacks.ts';
import type { PageTarget } from '../attacks/page-attacks.ts';
import {
  cookieOf,
  signInOnForm,
  tryCrossSite,
  tryFixation,
  tryFraming,
  tryRedirects,
  tryScripts,
} from '../attacks/page-attacks.ts';
import { handleSecretsOnPages } from '../attacks/page-secrets.ts';
import { tryPasskeys } from '../attacks/passkey-attacks.ts';
import { bodyAttacks, emailAttacks, headerAttacks } from '../attacks/request-attacks.ts';
import {
  guardAccount,
  guessCodes,
  guessFromOneAddress,
  trySecondFactor,
} from '../attacks/second-factor-attacks.ts';
import { tokenAttacks } from '../attacks/token-attacks.ts';

export const suite: Suite = {
  name: 'sign-in-attacks',
  nightly: true,
  summary:
    'Confused tokens, hostile requests, redirects, forged forms, scripts and replayed codes all fail, and no secret is readable in database or log.',
  headline: 'cross-site forms tried',
  promise:
    'The attacker sends access tokens with another algorithm, key, type, issuer, audience or signature; oversized, malformed or hostile bodies, e-mail addresses and headers; forged forms, redirects and frames; guessed codes and replayed links; and everything else that a former holder of the password can send. Every attack is refused. The sign-in page redirects only to Daybook or to `http://localhost:<port>/callback`. A one-time code or recovery code works once, for its account; five guesses are checked. A passkey works only with a new response, from our origin, to the challenge of this browser. Changes of the e-mail address, exports and deletions need the password and their own link or session, and the previous address restores the account. No secret is in the database in clear, hex or base64, or in a log at its most verbose level.',
  measuresNoTime: true,
  run: async (context) => {
    const stage = await openAccountsStage();
    try {
      const behindProxy = await stage.start({
        signInsUnlimited: true,
        settings: { DAYBOOK_AUTH_URL: stage.identity.authUrl.replace('http:', 'https:') },
      });
      // The same under the strict limiter.
      const limited = await stage.start();
      const direct = await stage.start({ settings: { DAYBOOK_TRUSTED_PROXIES: '192.0.2.0/24' } });
      const [account] = await stage.createAccounts(1);
      if (account === undefined) throw new Error('no account');
      const tokens = await signIn(behindProxy, account);
      await attackTokens(context, behindProxy, tokens.access_token);
      await attackRequests(context, behindProxy, account);
      await spoofAddresses(context, direct);
      await attackPages(context, stage, behindProxy);
      await attackFactors(context, stage, behindProxy, limited);
      await attackAccountChanges(context, stage, behindProxy);
      await searchSecrets(context, stage, [behindProxy, direct], account);
    } finally {
      await stage.stop();
    }
  },
};

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

async function signIn({ port }: AccountsProcess, account: StageAccount): Promise<Tokens> {
  return (await send(port, '/api/auth/token', { json: grantOf(account) })).json<Tokens>();
}

async function attackTokens(context: SuiteContext, { port }: AccountsProcess, access: string): Promise<void> {
  const keySet = (await send(port, '/.well-known/jwks.json')).json<{ keys: Record<string, string>[] }>();
  const attacks = await tokenAttacks(access, keySet);
  let through = 0;
  for (const { name, token } of attacks) {
    const { status } = await send(port, '/api/v1/me', { headers: { authorization: `Bearer ${token}` } });
    if (status === 401) continue;
    through += 1;
    context.note(`let through or mishandled (${status}): ${name}`);
  }
  tell(context, 'confused access tokens', attacks.length, through);
}

async function attackRequests(
  context: SuiteContext,
  { port }: AccountsProcess,
  account: StageAccount,
): Promise<void> {
  const groups = {
    'hostile bodies': bodyAttacks(account),
    'hostile e-mail addresses': emailAttacks(account),
    'hostile headers': headerAttacks(account),
  };
  for (const [name, attacks] of Object.entries(groups)) {
    let through = 0;
    for (const attack of attacks) {
      const status = await attack.send(port);
      if (status >= 400 && status < 500) continue;
      through += 1;
      context.note(`let through or mishandled (${status}): ${attack.name}`);
    }
    tell(context, name, attacks.length, through);
  }
}

async function attackPages(
  context: SuiteContext,
  { identity, createAccounts }: AccountsStage,
  { port }: AccountsProcess,
): Promise<void> {
  const [account] = await createAccounts(1);
  if (account === undefined) throw new Error('no account');
  const anonymous = { name: 'anonymous', cors: null, admit: null, problems: [] };
  const access = createAccess({
    identity,
    cursorKeys: createCursorKeys([randomBytes(32)]),
    permissionsChanged: async () => {},
  });
  // The process answers for a public address; pages that only development has are not registered there.
  const served = { ...identity, authUrl: identity.authUrl.replace('http:', 'https:') };
  const target: PageTarget = {
    port,
    origin: new URL(served.authUrl).origin,
    account,
    cookie: cookieOf(await signInOnForm(port, account)),
    organizationKey: account.email.split('@')[0] ?? '',
    routes: [...accountPages(served, anonymous), ...platformPages(served, access, anonymous, null)],
  };
  const groups = {
    'redirects to other sites': tryRedirects,
    'cross-site forms': tryCrossSite,
    'scripts in page content': tryScripts,
    'pages in a frame': tryFraming,
    'planted sessions': tryFixation,
  };
  for (const [name, attack] of Object.entries(groups)) {
    const { tried, through } = await attack(target);
    for (const one of through) context.note(`let through: ${one}`);
    tell(context, name, tried, through.length);
  }
}

/** Sign-in methods besides the password: one-time codes and passkeys. */
async function attackFactors(
  context: SuiteContext,
  { identity, createAccounts, superuser }: AccountsStage,
  { port }: AccountsProcess,
  limited: AccountsProcess,
): Promise<void> {
  const [first, second, guessed, ...rest] = await createAccounts(5);
  const [holder, stranger] = rest;
  if (!first || !second || !guessed || !holder || !stranger) throw new Error('no accounts');
  const unlock = async (): Promise<void> => {
    await superuser.pool.query('DELETE FROM identity.sign_in_attempt');
  };
  const origin = new URL(identity.authUrl.replace('http:', 'https:')).origin;
  const groups = {
    'bypasses of one-time codes': () => trySecondFactor({ port, accounts: [first, second], unlock }),
    'forged passkey responses': () => tryPasskeys({ port, origin, accounts: [holder, stranger] }),
  };
  for (const [name, attack] of Object.entries(groups)) {
    const { tried, through } = await attack();
    for (const one of through) context.note(`let through: ${one}`);
    tell(context, name, tried, through.length);
  }
  await guardAccount(port, guessed);
  const guesses = context.quick ? 40 : 1_000;
  context.figure({
    name: `of ${guesses} codes guessed with the right password from as many addresses, checked`,
    value: await guessCodes(port, guessed, guesses),
    unit: 'codes',
    goal: { atMost: 5 },
  });
  context.figure({
    name: 'of 60 codes guessed from one address, admitted',
    value: await guessFromOneAddress(limited.port, guessed, 60),
    unit: 'requests',
    goal: { exactly: 10 },
  });
}

/** Actions on the account as a whole. */
async function attackAccountChanges(
  context: SuiteContext,
  stage: AccountsStage,
  { port }: AccountsProcess,
): Promise<void> {
  const [owner, stranger, member] = await stage.createAccounts(3);
  if (!owner || !stranger || !member) throw new Error('no accounts');
  const groups = {
    'changes of e-mail addresses': () => tryEmailChanges({ ...stage, port }),
    'data exports': () => tryExports({ port, accounts: [owner, stranger] }),
    deletions: () => tryDeletions({ ...stage, port, accounts: [owner, stranger, member] }),
  };
  for (const [name, attack] of Object.entries(groups)) {
    const { tried, through } = await attack();
    for (const one of through) context.note(`let through: ${one}`);
    tell(context, name, tried, through.length);
  }
}

/** The server does not trust us here: whatever we claim, we are one address and get ten requests. */
async function spoofAddresses(context: SuiteContext, { port }: AccountsProcess): Promise<void> {
  let admitted = 0;
  const claims = [
    '10.0.0.%',
    '192.0.2.%',
    '2001:db8:%::1',
    '192.0.2.%, 10.0.0.%',
    'unknown, 10.1.1.%',
    '127.0.0.1, %',
  ];
  for (let sent = 0; sent < 60; sent += 1) {
    const from = (claims[sent % claims.length] as string).replaceAll('%', String(sent + 1));
    const json = { refresh_token: 'x' };
    const headers = {
      forwarded: `for=${from}`,
      'x-real-ip': from,
      'x-client-ip': from,
      'cf-connecting-ip': from,
    };
    const { status } = await send(port, '/api/auth/token/refresh', { json, from, headers });
    if (status !== 429) admitted += 1;
  }
  context.figure({
    name: 'of 60 requests under 60 claimed addresses, admitted',
    value: admitted,
    unit: 'requests',
    goal: { exactly: 10 },
  });
}

async function searchSecrets(
  context: SuiteContext,
  stage: AccountsStage,
  processes: readonly AccountsProcess[],
  account: StageAccount,
): Promise<void> {
  const [first] = processes as [AccountsProcess];
  const old = await signIn(first, account);
  const json = { refresh_token: old.refresh_token };
  const tokens = (await send(first.port, '/api/auth/token/refresh', { json })).json<Tokens>();
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const created = await send(first.port, '/api/v1/api-keys', { json: { name: 'prove' }, headers });
  const { key } = created.json<{ key: string }>();
  const wrong = { email: account.email, password: 'a wrong but secret password' };
  await send(first.port, '/api/auth/token', { json: wrong });
  await send(first.port, '/api/v1/me', { headers: { 'x-api-key': key } });
  const [reader] = await stage.createAccounts(1);
  if (reader === undefined) throw new Error('no account');
  const secrets = {
    ...(await handleSecretsOnPages(stage, first.port, reader)),
    password: account.password,
    'wrong password': wrong.password,
    'used refresh token': old.refresh_token,
    'refresh token': tokens.refresh_token,
    'access token': tokens.access_token,
    'API key': key,
    'secret key': stageSecretKey,
    'private key': 'PRIVATE KEY-----',
  };
  const query = async (text: string) =>
    (await stage.superuser.pool.query<Record<string, unknown>>(text)).rows;
  const control = await findInDatabase(query, { address: account.email });
  if (control.found.length === 0) throw new Error('the search does not find what is there');
  const { rows, found } = await findInDatabase(query, secrets);
  const logs = processes.map((process) => process.log()).join('\n');
  const logged = findInText(logs, secrets);
  for (const place of [...found, ...logged.map((name) => `${name} in a log`)]) context.note(place);
  context.figure({
    name: `secrets in ${rows} rows of the database`,
    value: found.length,
    unit: 'secrets',
    goal: { exactly: 0 },
  });
  context.figure({
    name: 'secrets in the logs',
    value: logged.length,
    unit: 'secrets',
    goal: { exactly: 0 },
  });
}

function tell(context: SuiteContext, name: string, attacks: number, through: number): void {
  context.figure({ name: `${name} tried`, value: attacks, unit: 'attacks' });
  context.figure({ name: `${name} accepted`, value: through, unit: 'attacks', goal: { exactly: 0 } });
}
