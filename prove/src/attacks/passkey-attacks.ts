import type { StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { send } from '../../../apps/server/test/accounts-stage.ts';
import type { AttackOutcome } from './page-attacks.ts';
import { cookieOf, signInOnForm } from './page-attacks.ts';
import type { ForgedDeviceOptions, SoftwareDevice } from './software-passkey.ts';
import { createSoftwareDevice } from './software-passkey.ts';

const ours = { 'sec-fetch-site': 'same-origin' };
const addPath = '/account/passkeys';
const signInPath = '/auth/passkey';

interface Asked {
  readonly challenge: string;
  /** With the challenge sealed in it. */
  readonly cookie: string;
}

interface PasskeyTarget {
  readonly port: number;
  readonly origin: string;
  readonly accounts: readonly [StageAccount, StageAccount];
}

/** Responses of devices: not requested, of another origin, replayed, or signed by another. */
export async function tryPasskeys({ port, origin, accounts }: PasskeyTarget): Promise<AttackOutcome> {
  const [account, stranger] = accounts;
  const device = createSoftwareDevice({ origin, rpId: new URL(origin).hostname });
  const session = cookieOf(await signInOnForm(port, account));
  const ask = (path: string): Promise<Asked> => askedOn(port, path);
  /** With the password, which comes before the device. */
  const begin = (cookie: string, { password }: StageAccount): Promise<Asked> =>
    askedOn(port, addPath, { cookie, form: { name: 'key', currentPassword: password } });
  const add = async ({ challenge, cookie }: Asked): Promise<number> => {
    const form = { response: device.create(challenge) };
    return (await send(port, `${addPath}/finish`, { form, headers: { ...ours, cookie } })).status;
  };
  const enter = async (cookie: string, response: string): Promise<number> =>
    (await send(port, signInPath, { form: { response }, headers: { ...ours, cookie } })).status;

  const outcome = counted();
  const strangersSession = cookieOf(await signInOnForm(port, stranger));
  const strangers = await begin(strangersSession, stranger);
  const guess = { name: 'key', currentPassword: 'no' };
  const guessed = send(port, addPath, { form: guess, headers: { ...ours, cookie: session } });
  await outcome.refused(
    'begun without the password',
    guessed.then(({ status }) => status),
  );
  await outcome.refused(
    'added with the challenge of another account',
    add({ ...strangers, cookie: `${session}; ${sealedOf(strangers)}` }),
  );
  const signingIn = await ask(signInPath);
  await outcome.refused(
    'added with the challenge of signing in',
    add({ ...signingIn, cookie: `${session}; ${sealedOf(signingIn)}` }),
  );
  const addition = await begin(session, account);
  outcome.control('a passkey is added', await add(addition), 200);
  await outcome.refused('added again with the same answer', add(addition));

  const first = await ask(signInPath);
  const answer = device.get(first.challenge);
  outcome.control('it signs in', await enter(first.cookie, answer), 303);
  await outcome.refused('the same answer again', enter(first.cookie, answer));
  const other = await ask(signInPath);
  await outcome.refused('an old answer to a new challenge', enter(other.cookie, answer));
  const elsewhere = await ask(signInPath);
  await outcome.refused('without the cookie', enter('', device.get(elsewhere.challenge)));
  const adding = await begin(session, account);
  await outcome.refused('to the challenge of adding', enter(sealedOf(adding), device.get(adding.challenge)));
  for (const [name, lies] of Object.entries(forgedDevices(origin, device))) {
    const { challenge, cookie } = await ask(signInPath);
    await outcome.refused(name, enter(cookie, device.get(challenge, lies)));
  }
  const honest = await ask(signInPath);
  outcome.control('it still signs in', await enter(honest.cookie, device.get(honest.challenge)), 303);
  return outcome;
}

function forgedDevices(
  origin: string,
  device: SoftwareDevice,
): Readonly<Record<string, ForgedDeviceOptions>> {
  const thief = createSoftwareDevice({ origin, rpId: new URL(origin).hostname });
  return {
    'another origin': { origin: 'https://evil.example' },
    'our host without encryption': { origin: origin.replace('https', 'http') },
    'our host on another port': { origin: `${origin}:8443` },
    'a host below ours': { origin: origin.replace('://', '://evil.') },
    'another host in the signed data': { rpId: 'evil.example' },
    'user not present': { flags: 0x04 },
    'user not verified': { flags: 0x01 },
    'signed by another key': { signWith: thief.privateKey },
    'a key that no account has': { credentialId: thief.credentialId, signWith: thief.privateKey },
    'the answer of a registration': { type: 'webauthn.create' },
    'a count that goes back': { signCount: 1 },
    'its own key under another id': { credentialId: Buffer.from(device.credentialId).reverse() },
  };
}

/** A page with a passkey request: its challenge, and the cookie that binds it to the browser. */
export async function askedOn(
  port: number,
  path: string,
  {
    cookie = '',
    ...question
  }: {
    readonly cookie?: string;
    readonly form?: Readonly<Record<string, string>>;
    readonly from?: string;
  } = {},
): Promise<Asked> {
  const headers = { ...ours, cookie };
  const answer = await send(port, path, { headers, ...question });
  const [, escaped = ''] = /data-options="([^"]*)"/.exec(answer.text) ?? [];
  const options = escaped.replaceAll('&#34;', '"').replaceAll('&amp;', '&');
  const { challenge } = JSON.parse(options) as { challenge: string };
  return { challenge, cookie: [cookie, cookieOf(answer)].filter((one) => one !== '').join('; ') };
}

function sealedOf({ cookie }: Asked): string {
  return cookie.split('; ').at(-1) ?? '';
}

/** Attacks that must end in a 4xx, and controls that make the result meaningful. */
export function counted() {
  const through: string[] = [];
  const outcome = {
    tried: 0,
    through,
    refused: async (name: string, status: Promise<number>): Promise<void> => {
      outcome.tried += 1;
      const answered = await status;
      if (answered < 400 || answered >= 500) through.push(`${name} (${answered})`);
    },
    control: (name: string, status: number, expected: number): void => {
      if (status !== expected) throw new Error(`control: ${name}: ${status} instead of ${expected}`);
    },
  };
  return outcome;
}
