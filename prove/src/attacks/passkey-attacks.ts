import type { StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { send } from '../../../apps/server/test/accounts-stage.ts';
import type { AttackOutcome } from './page-attacks.ts';
import { cookieOf, signInOnForm } from './page-attacks.ts';
import type { DeviceLies, SoftwareDevice } from './software-passkey.ts';
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

/** Answers of devices that were not asked for, come from elsewhere, come again, or are signed by another. */
export async function tryPasskeys({ port, origin, accounts }: PasskeyTarget): Promise<AttackOutcome> {
  const [account, stranger] = accounts;
  const device = createSoftwareDevice({ origin, rpId: new URL(origin).hostname });
  const session = cookieOf(await signInOnForm(port, account));
  const ask = (path: string, cookie = ''): Promise<Asked> => askedOn(port, path, cookie);
  const add = async ({ challenge, cookie }: Asked, fields: Readonly<Record<string, string>> = {}) => {
    const form = {
      name: 'key',
      currentPassword: account.password,
      response: device.create(challenge),
      ...fields,
    };
    return (await send(port, addPath, { form, headers: { ...ours, cookie } })).status;
  };
  const enter = async (cookie: string, response: string): Promise<number> =>
    (await send(port, signInPath, { form: { response }, headers: { ...ours, cookie } })).status;

  const outcome = counted();
  const addition = await ask(addPath, session);
  const strangersSession = cookieOf(await signInOnForm(port, stranger));
  const strangers = await ask(addPath, strangersSession);
  await outcome.refused(
    'added without the password',
    add(await ask(addPath, session), { currentPassword: 'no' }),
  );
  await outcome.refused(
    'added with the challenge of another account',
    add({ ...strangers, cookie: `${session}; ${sealedOf(strangers)}` }),
  );
  await outcome.refused(
    'added with the challenge of signing in',
    add({ ...(await ask(signInPath)), cookie: session }),
  );
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
  const adding = await ask(addPath, session);
  await outcome.refused('to the challenge of adding', enter(sealedOf(adding), device.get(adding.challenge)));
  for (const [name, lies] of Object.entries(deviceLies(origin, device))) {
    const { challenge, cookie } = await ask(signInPath);
    await outcome.refused(name, enter(cookie, device.get(challenge, lies)));
  }
  const honest = await ask(signInPath);
  outcome.control('it still signs in', await enter(honest.cookie, device.get(honest.challenge)), 303);
  return outcome;
}

function deviceLies(origin: string, device: SoftwareDevice): Readonly<Record<string, DeviceLies>> {
  const thief = createSoftwareDevice({ origin, rpId: new URL(origin).hostname });
  return {
    'another origin': { origin: 'https://evil.example' },
    'our host without encryption': { origin: origin.replace('https', 'http') },
    'our host on another port': { origin: `${origin}:8443` },
    'a host below ours': { origin: origin.replace('://', '://evil.') },
    'another host in the signed data': { rpId: 'evil.example' },
    'nobody there': { flags: 0x04 },
    'nobody verified': { flags: 0x01 },
    'signed by another key': { signWith: thief.privateKey },
    'a key that nobody added': { credentialId: thief.credentialId, signWith: thief.privateKey },
    'the answer of a registration': { type: 'webauthn.create' },
    'a count that goes back': { signCount: 1 },
    'its own key under another id': { credentialId: Buffer.from(device.credentialId).reverse() },
  };
}

async function askedOn(port: number, path: string, cookie: string): Promise<Asked> {
  const answer = await send(port, path, { headers: { cookie } });
  const [, escaped = ''] = /data-options="([^"]*)"/.exec(answer.text) ?? [];
  const options = escaped.replaceAll('&#34;', '"').replaceAll('&amp;', '&');
  const { challenge } = JSON.parse(options) as { challenge: string };
  return { challenge, cookie: [cookie, cookieOf(answer)].filter((one) => one !== '').join('; ') };
}

function sealedOf({ cookie }: Asked): string {
  return cookie.split('; ').at(-1) ?? '';
}

/** Attacks that must end in a 4xx, and controls without which they would prove nothing. */
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
