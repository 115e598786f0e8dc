import type { StageAccount, StageAnswer } from '../../../apps/server/test/accounts-stage.ts';
import { send } from '../../../apps/server/test/accounts-stage.ts';
import type { Authenticator } from '../../../apps/server/test/authenticator.ts';
import { cookieOf, deviceCookieOf } from './page-attacks.ts';
import { askedOn } from './passkey-attacks.ts';
import { guardAccount } from './second-factor-attacks.ts';
import type { SoftwareDevice } from './software-passkey.ts';
import { createSoftwareDevice } from './software-passkey.ts';

const ours = { 'sec-fetch-site': 'same-origin' };
const codePath = '/auth/signin/code';

export interface OwnerStage {
  readonly port: number;
  /** Of the pages, for passkeys. */
  readonly origin: string;
  readonly nowMs: () => number;
}

/** A person with a browser, a home network, a passkey and perhaps a second factor. */
export interface Owner {
  readonly account: StageAccount;
  readonly home: string;
  readonly authenticator: Authenticator | null;
  readonly passkey: SoftwareDevice;
  /** Of a browser that stays signed in. */
  readonly session: string;
  password: string;
  /** The cookie of the browser, with another value after each sign-in. */
  device: string;
}

let networks = 0;
function freshNetwork(): string {
  networks += 1;
  return `100.${64 + (networks >> 8)}.${networks & 255}.7`;
}

function isSignedIn(answer: StageAnswer): boolean {
  return answer.status === 303 && cookieOf(answer).startsWith('daybook-session=');
}

/** Signs in once, from the browser and the network that are known from then on. */
export async function createOwner(
  stage: OwnerStage,
  account: StageAccount,
  withSecondFactor: boolean,
): Promise<Owner> {
  const { email, password } = account;
  const home = freshNetwork();
  const first = await send(stage.port, '/auth/signin', {
    form: { email, password },
    headers: ours,
    from: home,
  });
  if (!isSignedIn(first)) throw new Error(`an owner could not sign in: ${first.status}`);
  const session = cookieOf(first);
  const passkey = await addPasskey(stage, session, password);
  const authenticator = withSecondFactor
    ? (await guardAccount(stage.port, account, stage.nowMs())).authenticator
    : null;
  return { account, home, authenticator, passkey, session, password, device: deviceCookieOf(first) };
}

async function addPasskey(
  { port, origin }: OwnerStage,
  session: string,
  currentPassword: string,
): Promise<SoftwareDevice> {
  const passkey = createSoftwareDevice({ origin, rpId: new URL(origin).hostname });
  const form = { name: 'key', currentPassword };
  const asked = await askedOn(port, '/account/passkeys', { cookie: session, form });
  const added = await send(port, '/account/passkeys/finish', {
    form: { response: passkey.create(asked.challenge) },
    headers: { ...ours, cookie: asked.cookie },
  });
  if (added.status !== 200) throw new Error(`the passkey was not added: ${added.status}`);
  return passkey;
}

/** A code works once: an owner with a second factor signs in once in half a minute. */
function codeOf({ nowMs }: OwnerStage, { authenticator }: Owner): string {
  return authenticator?.(nowMs()) ?? '';
}

async function signInOnPages(
  stage: OwnerStage,
  owner: Owner,
  { from, cookie }: { readonly from: string; readonly cookie: string },
): Promise<StageAnswer> {
  const form = { email: owner.account.email, password: owner.password };
  const answer = await send(stage.port, '/auth/signin', { form, headers: { ...ours, cookie }, from });
  if (answer.headers.location !== codePath) return answer;
  const cookies = [cookieOf(answer), cookie].filter((one) => one !== '').join('; ');
  return send(stage.port, codePath, {
    form: { one_time_code: codeOf(stage, owner) },
    headers: { ...ours, cookie: cookies },
    from,
  });
}

/** From a network that the account does not know. */
async function signInOnKnownDevice(stage: OwnerStage, owner: Owner): Promise<boolean> {
  const answer = await signInOnPages(stage, owner, { from: freshNetwork(), cookie: owner.device });
  if (isSignedIn(answer)) owner.device = deviceCookieOf(answer);
  return isSignedIn(answer);
}

async function signInOnKnownNetwork(stage: OwnerStage, owner: Owner): Promise<boolean> {
  const { account, password, home, authenticator } = owner;
  const code = authenticator === null ? {} : { one_time_code: codeOf(stage, owner) };
  const json = { email: account.email, password, ...code };
  return (await send(stage.port, '/api/auth/token', { json, from: home })).status === 200;
}

/** On a device and network that the account does not know. */
async function signInWithPasskey({ port }: OwnerStage, { passkey }: Owner): Promise<boolean> {
  const { challenge, cookie } = await askedOn(port, '/auth/passkey');
  const form = { response: passkey.get(challenge) };
  return isSignedIn(await send(port, '/auth/passkey', { form, headers: { ...ours, cookie } }));
}

/** A form in a signed-in session that takes the password. */
async function requestExport(stage: OwnerStage, owner: Owner): Promise<boolean> {
  const code = owner.authenticator === null ? {} : { one_time_code: codeOf(stage, owner) };
  const form = { currentPassword: owner.password, ...code };
  const headers = { ...ours, cookie: owner.session };
  return (await send(stage.port, '/account/data/export', { form, headers })).status === 303;
}

export const ownerActions = {
  'from a known device': signInOnKnownDevice,
  'from a known network': signInOnKnownNetwork,
  'with a passkey': signInWithPasskey,
  'downloads in a signed-in session': requestExport,
} as const;

/**
 * By a link in a mail, from a network that the account does not know, and a sign-in from there in a browser without
 * cookies. `meanwhile` happens between the two.
 */
export async function resetAndSignIn(
  stage: OwnerStage,
  owner: Owner,
  { link, meanwhile }: { readonly link: string; readonly meanwhile: () => Promise<void> },
): Promise<boolean> {
  const from = freshNetwork();
  const password = `another password ${networks}`;
  const form = { token: link, password };
  const { status } = await send(stage.port, '/auth/reset', { form, headers: ours, from });
  if (status !== 200) return false;
  owner.password = password;
  await meanwhile();
  return isSignedIn(await signInOnPages(stage, owner, { from, cookie: '' }));
}
