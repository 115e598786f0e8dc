import type { StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, send } from '../../../apps/server/test/accounts-stage.ts';
import type { AttackOutcome } from './page-attacks.ts';
import { cookieOf, signInOnForm } from './page-attacks.ts';
import { counted } from './passkey-attacks.ts';

const ours = { 'sec-fetch-site': 'same-origin' };
const exportPath = '/account/data/export';

interface ExportTarget {
  readonly port: number;
  readonly accounts: readonly [StageAccount, StageAccount];
}

/** Downloads of an account's data by others, by keys, and with tickets that are foreign, used or altered. */
export async function tryExports({ port, accounts }: ExportTarget): Promise<AttackOutcome> {
  const [owner, stranger] = accounts;
  const session = cookieOf(await signInOnForm(port, owner));
  const elsewhere = cookieOf(await signInOnForm(port, owner));
  const strangers = cookieOf(await signInOnForm(port, stranger));
  const outcome = counted();
  const ask = (currentPassword: string, cookie: string) =>
    send(port, exportPath, { form: { currentPassword }, headers: { ...ours, cookie } });
  const download = async (path: string, headers: Readonly<Record<string, string>>): Promise<number> => {
    const { status } = await send(port, path, { headers });
    // Back to the page with the password form.
    return status === 303 ? 401 : status;
  };
  const ticketOf = async (password: string, cookie: string): Promise<string> =>
    (await ask(password, cookie)).headers.location ?? '';

  await outcome.refused('without the password', statusOf(ask('', session)));
  await outcome.refused('with a wrong password', statusOf(ask('a wrong password', session)));
  const { status, headers } = await ask(owner.password, '');
  const led = headers.location?.startsWith('/auth/signin') === true;
  await outcome.refused('without a session', Promise.resolve(status === 303 && led ? 401 : status));

  const address = await ticketOf(owner.password, session);
  const foreign = await ticketOf(stranger.password, strangers);
  const { access_token: token } = (await send(port, '/api/auth/token', { json: grantOf(owner) })).json<{
    access_token: string;
  }>();
  const bearer = { authorization: `Bearer ${token}` };
  const made = await send(port, '/api/v1/api-keys', { json: { name: 'export' }, headers: bearer });
  const key = { 'x-api-key': made.json<{ key: string }>().key };
  const attacks: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    ['without a ticket', exportPath, { cookie: session }],
    ['with an empty ticket', `${exportPath}?ticket=`, { cookie: session }],
    ['with an altered ticket', address.replace(/ticket=(.)/, 'ticket=$1A'), { cookie: session }],
    ['with a ticket that is cut short', address.slice(0, -8), { cookie: session }],
    ['with the ticket of another account', foreign, { cookie: session }],
    ['by another account', address, { cookie: strangers }],
    ['by another session of the account', address, { cookie: elsewhere }],
    ['with an access token', address, bearer],
    ['with an API key', address, key],
    ['with nothing but the ticket', address, {}],
  ];
  for (const [name, path, credentials] of attacks) await outcome.refused(name, download(path, credentials));
  outcome.control('the owner downloads', await download(address, { cookie: session }), 200);
  await outcome.refused('with a used ticket', download(address, { cookie: session }));
  const raced = await ticketOf(owner.password, session);
  const race = await Promise.all(Array.from({ length: 5 }, () => download(raced, { cookie: session })));
  outcome.control('of five at once with one ticket', race.filter((one) => one === 200).length, 1);
  return outcome;
}

async function statusOf(answer: ReturnType<typeof send>): Promise<number> {
  return (await answer).status;
}
