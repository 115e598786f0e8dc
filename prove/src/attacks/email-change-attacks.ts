import { dayMs } from '../../../apps/server/src/foundation/clock.ts';
import { addMs } from '../../../apps/server/src/foundation/instant.ts';
import { createMailedToken } from '../../../apps/server/src/identity/mail/mailed-token-store.ts';
import type { AccountsStage, StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { send } from '../../../apps/server/test/accounts-stage.ts';
import type { AttackOutcome } from './page-attacks.ts';
import { cookieOf, signInOnForm } from './page-attacks.ts';
import { counted } from './passkey-attacks.ts';

const ours = { 'sec-fetch-site': 'same-origin' };
const emailPath = '/account/email';
const confirmPath = '/account/email/confirm';
const undoPath = '/auth/undo-email';
const resetPath = '/auth/reset';

interface EmailTarget extends Pick<AccountsStage, 'identity' | 'superuser' | 'createAccounts'> {
  readonly port: number;
}

type Purpose = 'confirm_email' | 'undo_email' | 'reset_password';
type Person = StageAccount & { readonly session: string };

let named = 0;
const freshEmail = (): string => `moved-${(named += 1)}@example.net`;

/** The inputs of the attacks below. */
function actions({ port, identity, superuser, createAccounts }: EmailTarget) {
  const post = async (path: string, form: Readonly<Record<string, string>>, cookie = ''): Promise<number> => {
    const { status, headers } = await send(port, path, { form, headers: { ...ours, cookie } });
    // Sent to sign-in instead.
    return headers.location?.startsWith('/auth/signin') === true ? 401 : status;
  };
  const confirm = (token: string, { session }: Person) => post(confirmPath, { token }, session);
  const link = (purpose: Purpose, subject: string, at = identity.clock.now()) =>
    createMailedToken(identity.database, purpose, subject, at);
  const ask = ({ session, password }: Person, email = freshEmail()) =>
    post(emailPath, { email, currentPassword: password }, session);
  const newestChange = async ({ id }: StageAccount): Promise<string> => {
    const query = 'SELECT id FROM identity.email_change WHERE account_id = $1 ORDER BY id DESC LIMIT 1';
    return (await superuser.pool.query<{ id: string }>(query, [id])).rows[0]?.id ?? '';
  };
  return {
    post,
    confirm,
    link,
    ask,
    undo: (token: string) => post(undoPath, { token }),
    person: async (): Promise<Person> => {
      const [account] = await createAccounts(1);
      if (account === undefined) throw new Error('no account');
      return { ...account, session: cookieOf(await signInOnForm(port, account)) };
    },
    newestChange,
    /** The secret of a link that the new address would get. */
    asked: async (person: Person, email = freshEmail()): Promise<string> => {
      const status = await ask(person, email);
      if (status !== 200) throw new Error(`a change of the address could not be requested: ${status}`);
      return link('confirm_email', await newestChange(person));
    },
    addressOf: async ({ id }: StageAccount): Promise<string> => {
      const query = 'SELECT email FROM identity.account WHERE id = $1';
      return (await superuser.pool.query<{ email: string }>(query, [id])).rows[0]?.email ?? '';
    },
  };
}

type Actions = ReturnType<typeof actions>;
type Outcome = ReturnType<typeof counted>;

/** Links that are foreign, used, expired, altered or of another kind; changes across a reset; stolen accounts. */
export async function tryEmailChanges(target: EmailTarget): Promise<AttackOutcome> {
  const [act, outcome] = [actions(target), counted()];
  await tryAsking(act, outcome);
  await tryConfirming(target, act, outcome);
  await tryAcrossResets(target, act, outcome);
  await tryRaces(act, outcome);
  await tryAfterTakeover(target, act, outcome);
  return outcome;
}

async function tryAsking({ ask, post, person }: Actions, outcome: Outcome): Promise<void> {
  const owner = await person();
  await outcome.refused('requested without a session', ask({ ...owner, session: '' }));
  await outcome.refused('requested with a wrong password', ask({ ...owner, password: 'a wrong password' }));
  await outcome.refused(
    'requested without a password',
    post(emailPath, { email: freshEmail() }, owner.session),
  );
  for (const email of ['', 'a@b', 'a@example.net, b@example.net', 'a@example.net\r\nBcc: b@example.net'])
    await outcome.refused(`requested for “${email}”`, ask(owner, email));
}

async function tryConfirming(
  { identity }: EmailTarget,
  { person, asked, confirm, link, newestChange, undo }: Actions,
  outcome: Outcome,
): Promise<void> {
  const [owner, stranger] = [await person(), await person()];
  const replaced = await asked(owner);
  const token = await asked(owner);
  const change = await newestChange(owner);
  const dayAgo = addMs(identity.clock.now(), -dayMs);
  const attacks: readonly (readonly [string, string, Person])[] = [
    ['a link of another account', token, stranger],
    ['a link without a session', token, { ...owner, session: '' }],
    ['a link that a later one replaced', replaced, owner],
    ['an altered link', `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`, owner],
    ['a link in capitals', token.toUpperCase(), owner],
    ['a link that is cut short', token.slice(0, -1), owner],
    ['an empty link', '', owner],
    ['a link that is a day old', await link('confirm_email', change, dayAgo), owner],
    ['a link for a new password', await link('reset_password', owner.id), owner],
    ['a link that undoes', await link('undo_email', change), owner],
    ['a link about the account itself', await link('confirm_email', owner.id), owner],
  ];
  for (const [name, secret, who] of attacks)
    await outcome.refused(`confirmed with ${name}`, confirm(secret, who));
  await outcome.refused('undone before it was confirmed', undo(await link('undo_email', change)));
  outcome.control('a change is confirmed', await confirm(token, owner), 303);
  await outcome.refused('confirmed again with the same link', confirm(token, owner));
  await outcome.refused(
    'confirmed again with another link',
    confirm(await link('confirm_email', change), owner),
  );
  await outcome.refused('undone with the link that confirmed', undo(token));
}

async function tryAcrossResets(
  { port }: EmailTarget,
  { person, asked, confirm, link, post }: Actions,
  outcome: Outcome,
): Promise<void> {
  const password = 'the password after a reset';
  const [first, second] = [await person(), await person()];
  const waiting = await asked(first);
  const reset = { token: await link('reset_password', first.id), password };
  outcome.control('a password is reset while a change waits', await post(resetPath, reset), 200);
  await outcome.refused('confirmed after a reset, in the ended session', confirm(waiting, first));
  const again = { ...first, password, session: cookieOf(await signInOnForm(port, { ...first, password })) };
  await outcome.refused('confirmed after a reset, in a new session', confirm(waiting, again));
  const open = await link('reset_password', second.id);
  outcome.control('a change while a reset is open', await confirm(await asked(second), second), 303);
  await outcome.refused(
    'reset with a link to the address before',
    post(resetPath, { token: open, password }),
  );
}

async function tryRaces({ person, asked, confirm }: Actions, outcome: Outcome): Promise<void> {
  const owner = await person();
  const token = await asked(owner);
  const statuses = await Promise.all(Array.from({ length: 8 }, () => confirm(token, owner)));
  const winners = statuses.filter((status) => status === 303).length;
  outcome.control('of eight who confirm at once', winners, 1);
  const email = freshEmail();
  const rivals = [await person(), await person()];
  const links = [];
  for (const rival of rivals) links.push({ rival, token: await asked(rival, email) });
  const answers = await Promise.all(links.map(({ rival, token: secret }) => confirm(secret, rival)));
  outcome.control('of two accounts that confirm one address', answers.filter((s) => s === 303).length, 1);
  for (const status of [...statuses, ...answers].filter((one) => one !== 303))
    await outcome.refused('second in a race', Promise.resolve(status));
}

/** An attacker with the password changes the address twice; the first address recovers the account. */
async function tryAfterTakeover(
  { port }: EmailTarget,
  { person, asked, confirm, link, newestChange, undo, addressOf, post, ask }: Actions,
  outcome: Outcome,
): Promise<void> {
  const robbed = await person();
  const [second, third] = [freshEmail(), freshEmail()];
  const other = { ...robbed, session: cookieOf(await signInOnForm(port, robbed)) };
  await confirm(await asked(robbed, second), robbed);
  const toFirst = await link('undo_email', await newestChange(robbed));
  await confirm(await asked(robbed, third), robbed);
  const toSecond = await link('undo_email', await newestChange(robbed));
  const waiting = await asked(robbed);
  const reset = await link('reset_password', robbed.id);
  outcome.control('the first address undoes', await undo(toFirst), 200);
  if ((await addressOf(robbed)) !== robbed.email) throw new Error('control: the address is not back');
  await outcome.refused('undone twice', undo(toFirst));
  await outcome.refused('undone to an address of the thief', undo(toSecond));
  await outcome.refused('confirmed by the thief afterwards', confirm(waiting, robbed));
  await outcome.refused('requested by the thief afterwards', ask(robbed));
  await outcome.refused('reset by the thief', post(resetPath, { token: reset, password: 'a long one' }));
  for (const { session } of [robbed, other]) {
    const { status } = await send(port, '/account', { headers: { cookie: session } });
    await outcome.refused('a session of the thief', Promise.resolve(status === 303 ? 401 : status));
  }
  for (const email of [robbed.email, second, third]) {
    const json = { email, password: robbed.password };
    const { status } = await send(port, '/api/auth/token', { json });
    await outcome.refused(`the password of the thief with ${email}`, Promise.resolve(status));
  }
}
