import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { createMailedToken } from '../../../apps/server/src/identity/mail/mailed-token-store.ts';
import type {
  AccountsProcess,
  AccountsStage,
  StageAnswer,
} from '../../../apps/server/test/accounts-stage.ts';
import { freshAddress, grantOf, openAccountsStage, send } from '../../../apps/server/test/accounts-stage.ts';
import { exchangeCodeFor } from '../../../apps/server/test/exchange-codes.ts';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

export const suite: Suite = {
  name: 'sign-in-races',
  summary:
    'A refresh token, exchange code or reset link used 200 times at once over two processes works exactly once.',
  promise:
    'Clients present one refresh token, one exchange code or one reset link 200 times at the same moment to two processes. Exactly one request succeeds, and its result stays valid. Of any number of concurrent wrong passwords for one address, at most five are hashed. A client’s own second refresh within ten seconds ends nothing; a later replay ends the session. Requests come from many addresses through a trusted proxy, so that the limit per address, which the suite `limits` proves, does not apply.',
  run: async (context) => {
    const stage = await openAccountsStage();
    try {
      const options = { hashingPlacesMax: 500, signInsUnlimited: true };
      const pair = await Promise.all([stage.start(options), stage.start(options)]);
      const atOnce = 200;
      for (let round = 0; round < (context.quick ? 1 : 5); round += 1) {
        const tell = round === 0 ? context : silent(context);
        await raceRefresh(tell, stage, pair, atOnce);
        await raceExchange(tell, stage, pair, atOnce);
        await raceReset(tell, stage, pair, atOnce);
        await raceWrongPasswords(tell, stage, pair, atOnce);
      }
      await replays(context, stage, pair);
    } finally {
      await stage.stop();
    }
  },
};

/** Later rounds print only failures. */
function silent(context: SuiteContext): SuiteContext {
  return {
    ...context,
    figure: (input) => {
      const goal = input.goal;
      const holds =
        goal === undefined ||
        ('exactly' in goal
          ? input.value === goal.exactly
          : 'atMost' in goal
            ? input.value <= goal.atMost
            : true);
      if (!holds) context.figure({ ...input, name: `${input.name}, a later round` });
    },
  };
}

function crowd<Answer>(
  pair: readonly AccountsProcess[],
  count: number,
  ask: (process: AccountsProcess) => Promise<Answer>,
): Promise<readonly Answer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => ask(pair[index % pair.length] as AccountsProcess)),
  );
}

const countOf = (answers: readonly StageAnswer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

async function signIn(stage: AccountsStage, { port }: AccountsProcess): Promise<Tokens> {
  const [account] = await stage.createAccounts(1);
  return (await send(port, '/api/auth/token', { json: grantOf(account) })).json<Tokens>();
}

const refresh = (port: number, refresh_token: string, from: string): Promise<StageAnswer> =>
  send(port, '/api/auth/token/refresh', { json: { refresh_token }, from });

async function isGood(
  pair: readonly AccountsProcess[],
  { access_token, refresh_token }: Tokens,
  from: string,
) {
  const headers = { authorization: `Bearer ${access_token}` };
  const seen = await Promise.all(pair.map(({ port }) => send(port, '/api/v1/me', { headers })));
  const [first] = pair as [AccountsProcess];
  const next = await refresh(first.port, refresh_token, from);
  return seen.every(({ status }) => status === 200) && next.status === 200;
}

async function raceRefresh(
  context: SuiteContext,
  stage: AccountsStage,
  pair: readonly AccountsProcess[],
  atOnce: number,
): Promise<void> {
  const [first] = pair as [AccountsProcess];
  const { refresh_token } = await signIn(stage, first);
  const from = freshAddress();
  const answers = await crowd(pair, atOnce, ({ port }) => refresh(port, refresh_token, from));
  context.figure({
    name: `one refresh token, ${atOnce} at once: winners`,
    value: countOf(answers, 200),
    unit: 'requests',
    goal: { exactly: 1 },
  });
  context.figure({
    name: 'of these, answered with anything but 200 or 401',
    value: atOnce - countOf(answers, 200) - countOf(answers, 401),
    unit: 'requests',
    goal: { exactly: 0 },
  });
  const winner = answers.find(({ status }) => status === 200)?.json<Tokens>();
  const good = winner !== undefined && (await isGood(pair, winner, from));
  context.figure({
    name: 'sessions ended by a client’s own race',
    value: good ? 0 : 1,
    unit: 'families',
    goal: { exactly: 0 },
  });
}

async function raceExchange(
  context: SuiteContext,
  stage: AccountsStage,
  pair: readonly AccountsProcess[],
  atOnce: number,
): Promise<void> {
  const [account] = await stage.createAccounts(1);
  if (account === undefined) return;
  const code = await exchangeCodeFor(stage.identity, account.id);
  const answers = await crowd(pair, atOnce, ({ port }) =>
    send(port, '/api/auth/token/exchange', { json: { code } }),
  );
  const winner = answers.find(({ status }) => status === 200)?.json<Tokens>();
  const good = winner !== undefined && (await isGood(pair, winner, freshAddress()));
  context.figure({
    name: `one exchange code, ${atOnce} at once: winners whose tokens work`,
    value: good ? countOf(answers, 200) : 0,
    unit: 'requests',
    goal: { exactly: 1 },
  });
}

async function raceReset(
  context: SuiteContext,
  stage: AccountsStage,
  pair: readonly AccountsProcess[],
  atOnce: number,
): Promise<void> {
  const [account] = await stage.createAccounts(1);
  if (account === undefined) return;
  const { database, clock } = stage.identity;
  const token = await createMailedToken(database, 'reset_password', account.id, clock.now());
  const each = atOnce / pair.length;
  const won = await Promise.all(
    pair.map((process, index) => {
      const passwords = Array.from({ length: each }, (_, one) => `new password ${index} ${one}`);
      return process.ask({ kind: 'reset', token, passwords }) as Promise<readonly string[]>;
    }),
  );
  const winners = won.flat();
  const [first] = pair as [AccountsProcess];
  const [password = ''] = winners;
  const answer = await send(first.port, '/api/auth/token', { json: { email: account.email, password } });
  context.figure({
    name: `one reset link, ${atOnce} at once: winners whose password works`,
    value: answer.status === 200 ? winners.length : 0,
    unit: 'requests',
    goal: { exactly: 1 },
  });
}

async function raceWrongPasswords(
  context: SuiteContext,
  stage: AccountsStage,
  pair: readonly AccountsProcess[],
  atOnce: number,
): Promise<void> {
  const hashes = async (): Promise<number> => {
    const counts = await Promise.all(pair.map((process) => process.ask({ kind: 'hashes' })));
    return counts.reduce<number>((sum, count) => sum + Number(count), 0);
  };
  const [account] = await stage.createAccounts(1);
  for (const email of [account?.email ?? '', `nobody-${freshAddress()}@example.org`]) {
    const before = await hashes();
    const json = { email, password: 'wrong password' };
    const answers = await crowd(pair, atOnce, ({ port }) => send(port, '/api/auth/token', { json }));
    const who = email === account?.email ? 'an account' : 'nobody';
    context.figure({
      name: `wrong passwords hashed for the address of ${who}, ${atOnce} at once`,
      value: (await hashes()) - before,
      unit: 'hashes',
      goal: { atMost: 5 },
    });
    context.figure({
      name: `answered with 401, address of ${who}`,
      value: countOf(answers, 401),
      unit: 'requests',
      goal: { exactly: atOnce },
    });
  }
}

/** With the real clock: a replay 10.5 s after the rotation, and one at once from elsewhere. */
async function replays(
  context: SuiteContext,
  stage: AccountsStage,
  pair: readonly AccountsProcess[],
): Promise<void> {
  const [first, second] = pair as [AccountsProcess, AccountsProcess];
  const [late, foreign] = [await signIn(stage, first), await signIn(stage, first)];
  const from = freshAddress();
  const rotated = (await refresh(first.port, late.refresh_token, from)).json<Tokens>();
  const stolen = (await refresh(first.port, foreign.refresh_token, from)).json<Tokens>();
  await refresh(second.port, foreign.refresh_token, freshAddress());
  context.figure({
    name: 'an immediate replay from another address: the session continues',
    value: (await refresh(first.port, stolen.refresh_token, from)).status === 200 ? 1 : 0,
    unit: 'families',
    goal: { exactly: 0 },
  });
  await delay(10_500);
  await refresh(second.port, late.refresh_token, from);
  context.figure({
    name: 'a replay from the same client after 10.5 s: the session continues',
    value: (await refresh(first.port, rotated.refresh_token, from)).status === 200 ? 1 : 0,
    unit: 'families',
    goal: { exactly: 0 },
  });
}
