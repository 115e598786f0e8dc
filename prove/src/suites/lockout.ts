import type { Suite, SuiteContext } from '@daybook/evidence';

import { dayMs, systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { instantFromMs } from '../../../apps/server/src/foundation/instant.ts';
import { createMailedToken } from '../../../apps/server/src/identity/mail/mailed-token-store.ts';
import type {
  AccountsProcess,
  AccountsStage,
  StageAccount,
} from '../../../apps/server/test/accounts-stage.ts';
import { openAccountsStage } from '../../../apps/server/test/accounts-stage.ts';
import type { Owner, OwnerStage } from '../attacks/lockout-owner.ts';
import { createOwner, ownerActions, resetAndSignIn } from '../attacks/lockout-owner.ts';
import type { Stranger } from '../attacks/lockout-stranger.ts';
import { createStranger } from '../attacks/lockout-stranger.ts';
import { guardAccount } from '../attacks/second-factor-attacks.ts';
import { reportAuc } from '../attacks/timing-auc.ts';

const networks = 50;
const passwordsMax = 40;
const codesMax = 10;
const quarterSeconds = 15 * 60;
const daySeconds = dayMs / 1000;

export const suite: Suite = {
  name: 'lockout',
  nightly: true,
  summary:
    'A stranger guessing passwords from 50 networks for a day never locks an owner out and never gets more guesses than allowed.',
  headline: 'password guesses',
  promise:
    'The attacker knows the e-mail addresses of 20 accounts, half of them with a second factor, and no password. They send six guesses for each address every 15 minutes from 50 networks for a day of simulated time, try to lock the owners out, and try to tell these addresses from 14 without an account. A second attacker knows the password of two more accounts and guesses one-time codes. Requests use real HTTP, PostgreSQL and the limits per client address. Owners always sign in from a known device on an unknown network, from a known network without a cookie, with a passkey and after a password reset, and download their data. At most 40 wrong passwords are checked per address and day and at most 10 one-time codes; responses for addresses with and without an account are equal except for the request id, and their times separate them no better than AUC 0.55; owners of the compared accounts do not reset passwords on that day. Quick runs have 6 accounts, 20 rounds, and wider bounds of the AUC (twice its standard error).',
  run: async (context) => {
    const stage = await openAccountsStage();
    try {
      await runDay(context, await prepareDay(context, stage));
    } finally {
      await stage.stop();
    }
  },
};

interface Day extends OwnerStage {
  readonly stage: AccountsStage;
  readonly process: AccountsProcess;
  readonly stranger: Stranger;
  readonly codeGuesser: Stranger;
  /** Compared with addresses without an account. */
  readonly steady: readonly Owner[];
  readonly resetting: readonly Owner[];
  readonly withKnownPassword: readonly StageAccount[];
  readonly advance: (seconds: number) => Promise<void>;
}

async function prepareDay(context: SuiteContext, stage: AccountsStage): Promise<Day> {
  const clockStart = new Date(systemClock.nowMs()).toISOString();
  const process = await stage.start({ clockStart, settings: { DAYBOOK_LOG_LEVEL: 'warn' } });
  const { port } = process;
  let nowMs = Date.parse(clockStart);
  const ownerStage: OwnerStage = {
    port,
    origin: new URL(stage.identity.authUrl).origin,
    nowMs: () => nowMs,
  };
  const owners = async (count: number): Promise<readonly Owner[]> => {
    const made: Owner[] = [];
    for (const [index, account] of (await stage.createAccounts(count)).entries())
      made.push(await createOwner(ownerStage, account, index % 2 === 0));
    return made;
  };
  const withKnownPassword = await stage.createAccounts(context.quick ? 1 : 2);
  for (const account of withKnownPassword) await guardAccount(port, account, nowMs);
  const day: Day = {
    ...ownerStage,
    stage,
    process,
    steady: await owners(context.quick ? 4 : 14),
    resetting: await owners(context.quick ? 2 : 6),
    withKnownPassword,
    stranger: createStranger(port, networks),
    codeGuesser: createStranger(port, networks),
    advance: async (seconds) => {
      nowMs = Number(await process.ask({ kind: 'advance', seconds }));
    },
  };
  // Past the half minute whose codes turned the second factors on.
  await day.advance(60);
  return day;
}

type Tally = Map<string, { tried: number; failed: number }>;

function addTo(tally: Tally, what: string, succeeded: boolean): void {
  const { tried, failed } = tally.get(what) ?? { tried: 0, failed: 0 };
  tally.set(what, { tried: tried + 1, failed: failed + (succeeded ? 0 : 1) });
}

async function runDay(context: SuiteContext, day: Day): Promise<void> {
  const tally: Tally = new Map();
  const perPassword: number[] = [];
  let hashes = 0;
  let elapsedSeconds = 0;
  for (let round = 0; elapsedSeconds < daySeconds; round += 1) {
    hashes += await hashesOf(day, () => guessAround(day));
    if (!context.quick || round < 6) await guessCodes(day);
    await signOwnersIn(day, tally, round);
    if (round % 24 === 7) hashes += await resetPasswords(day, tally, perPassword);
    // The guesses of a day are used up after two hours; a quick run has fewer rounds after that.
    const seconds = (context.quick && round >= 9 ? 8 : 1) * quarterSeconds;
    await day.advance(seconds);
    elapsedSeconds += seconds;
  }
  reportOwners(context, tally);
  reportGuesses(context, day, [...perPassword, ...day.stranger.checked.values()], hashes);
  reportNeutrality(context, day.stranger);
}

async function hashesOf({ process }: Day, work: () => Promise<void>): Promise<number> {
  const before = Number(await process.ask({ kind: 'hashes' }));
  await work();
  return Number(await process.ask({ kind: 'hashes' })) - before;
}

/** At every address, more often than is checked. */
async function guessAround({ stranger, steady, resetting }: Day): Promise<void> {
  for (const { account } of steady) {
    const known = account.email;
    await stranger.guessAtPair({ known, unknown: known.replace('member', 'nobody') });
  }
  for (const { account } of resetting) await stranger.guess(account.email);
}

async function guessCodes({ codeGuesser, withKnownPassword }: Day): Promise<void> {
  for (const account of withKnownPassword) await codeGuesser.guessCodes(account);
}

/** Each owner does one action a round, and all actions in turn. */
async function signOwnersIn(day: Day, tally: Tally, round: number): Promise<void> {
  const actions = Object.entries(ownerActions);
  for (const [index, owner] of day.steady.entries()) {
    const [what, act] = actions[(round + index) % actions.length] as (typeof actions)[number];
    const which = owner.authenticator === null ? '' : ', second factor';
    addTo(tally, `${what}${which}`, await act(day, owner));
  }
}

/** Answers how many hashes the guesses between reset and sign-in took. */
async function resetPasswords(day: Day, tally: Tally, perPassword: number[]): Promise<number> {
  const { stage, stranger, resetting } = day;
  let hashes = 0;
  for (const owner of resetting) {
    const { id, email } = owner.account;
    const { database } = stage.identity;
    const link = await createMailedToken(database, 'reset_password', id, instantFromMs(day.nowMs()));
    perPassword.push(stranger.checked.get(email) ?? 0);
    stranger.checked.delete(email);
    const meanwhile = async (): Promise<void> => {
      hashes += await hashesOf(day, () => stranger.guess(email));
    };
    const which = owner.authenticator === null ? '' : ', second factor';
    addTo(tally, `after a reset${which}`, await resetAndSignIn(day, owner, { link, meanwhile }));
  }
  return hashes;
}

function reportOwners(context: SuiteContext, tally: Tally): void {
  for (const [what, { tried, failed }] of [...tally].sort(([one], [other]) => (one < other ? -1 : 1)))
    context.figure({
      name: `owners refused: ${what}, of ${tried}`,
      value: failed,
      unit: 'sign-ins',
      goal: { exactly: 0 },
    });
}

function reportGuesses(
  context: SuiteContext,
  { stranger, codeGuesser }: Day,
  perPassword: readonly number[],
  hashes: number,
): void {
  const answered = perPassword.reduce((sum, count) => sum + count, 0);
  context.figure({ name: 'password guesses', value: stranger.sent(), unit: 'guesses' });
  context.figure({
    name: 'of these checked for one address and password, at most',
    value: Math.max(...perPassword),
    unit: 'guesses',
    goal: { atMost: passwordsMax },
  });
  context.figure({
    name: 'hashes computed for guesses that were answered as locked',
    value: hashes - answered,
    unit: 'hashes',
    goal: { exactly: 0 },
  });
  context.figure({
    name: 'code guesses with the right password',
    value: codeGuesser.sent(),
    unit: 'guesses',
  });
  context.figure({
    name: 'of these checked for one account, at most',
    value: Math.max(...codeGuesser.checked.values()),
    unit: 'guesses',
    goal: { atMost: codesMax },
  });
}

function reportNeutrality(context: SuiteContext, { known, unknown, differences }: Stranger): void {
  context.figure({
    name: 'guesses answered differently for addresses with and without an account',
    value: differences(),
    unit: 'guesses',
    goal: { exactly: 0 },
  });
  reportAuc(context, 'checked, with against without an account', known.checkedMs, unknown.checkedMs);
  reportAuc(context, 'locked, with against without an account', known.refusedMs, unknown.refusedMs);
}
