import type { Suite, SuiteContext } from '@daybook/evidence';
import { quantile } from '@daybook/evidence';
import { hash, verify } from '@node-rs/argon2';

import { argon2Parameters } from '../../../apps/server/src/identity/passwords/password-hasher.ts';
import type { AccountsProcess, StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, openAccountsStage, send } from '../../../apps/server/test/accounts-stage.ts';

const lanes = 12;
const floodLanes = 200;

export const suite: Suite = {
  name: 'login',
  nightly: true,
  summary: 'sign-ins per second beside bare argon2id, and the effect of many on other routes',
  promise:
    'With one hashing thread on both sides, password sign-ins through HTTP, limiter, lock, audit log and database reach at least 0.85 of the rate of bare argon2id with the same parameters. During 200 concurrent sign-ins, the 99th percentile of another route stays within 3 × of its idle value. Database, server and client share two cores; rounds alternate.',
  run: async (context) => {
    const stage = await openAccountsStage();
    try {
      const settings = { DAYBOOK_LOG_LEVEL: 'warn' };
      const server = await stage.start({ settings, hashingPlacesMax: 250 });
      const accounts = await stage.createAccounts(context.quick ? 260 : 600);
      await benchThroughput(context, server, accounts);
      await benchFlood(context, server, accounts);
    } finally {
      await stage.stop();
    }
  },
};

/** In turn, so that no account is signed in to twice at once. */
function createLogins({ port }: AccountsProcess, accounts: readonly StageAccount[]): () => Promise<void> {
  let next = 0;
  return async () => {
    const account = accounts[next % accounts.length];
    next += 1;
    const { status, text } = await send(port, '/api/auth/token', { json: grantOf(account) });
    if (status !== 200) throw new Error(`${status}: ${text}`);
  };
}

async function rate(count: number, durationMs: number, work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  let done = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() - startMs < durationMs) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: count }, lane));
  return (done * 1_000) / (performance.now() - startMs);
}

async function benchThroughput(
  context: SuiteContext,
  server: AccountsProcess,
  accounts: readonly StageAccount[],
): Promise<void> {
  const passwordHash = await hash('correct horse battery', argon2Parameters);
  const bareHash = (): Promise<boolean> => verify(passwordHash, 'correct horse battery');
  const logIn = createLogins(server, accounts);
  const durationMs = context.quick ? 350 : 2_000;
  await rate(lanes, durationMs, logIn);
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < (context.quick ? 5 : 15); round += 1) {
    ours.push(await rate(lanes, durationMs, logIn));
    bare.push(await rate(1, durationMs, bareHash));
  }
  context.ratio({
    name: 'sign-ins beside bare argon2id',
    unit: 'a second',
    ours,
    bare,
    goal: { atLeast: 0.85 },
    // One core runs the server, its hashing thread and the database; bare argon2id has it alone.
    reached: 0.65,
  });
}

async function p99({ port }: AccountsProcess, requests: number): Promise<number> {
  const times: number[] = [];
  for (let one = 0; one < requests; one += 1) {
    const startMs = performance.now();
    await send(port, '/guard-cost/open');
    times.push(performance.now() - startMs);
  }
  return quantile(times, 0.99);
}

async function benchFlood(
  context: SuiteContext,
  server: AccountsProcess,
  accounts: readonly StageAccount[],
): Promise<void> {
  const logIn = createLogins(server, accounts);
  // A flood takes seconds to end: a quick run has one, measured three times.
  const { rounds, samples, requests } = context.quick
    ? { rounds: 1, samples: 3, requests: 120 }
    : { rounds: 9, samples: 1, requests: 500 };
  const [flooded, idle]: [number[], number[]] = [[], []];
  await p99(server, requests);
  for (let round = 0; round < rounds; round += 1) {
    for (let sample = 0; sample < samples; sample += 1) idle.push(await p99(server, requests));
    const flooding = new AbortController();
    const lane = async (): Promise<void> => {
      while (!flooding.signal.aborted) await logIn();
    };
    const flood = Promise.all(Array.from({ length: floodLanes }, lane));
    await logIn();
    for (let sample = 0; sample < samples; sample += 1) flooded.push(await p99(server, requests));
    flooding.abort();
    await flood;
  }
  context.ratio({
    name: `another route during ${floodLanes} concurrent sign-ins beside idle, 99th percentile`,
    unit: 'ms',
    ours: flooded,
    bare: idle,
    goal: { atMost: 3 },
  });
}
