import type { Suite, SuiteContext } from '@daybook/evidence';
import { median, seededRandom } from '@daybook/evidence';

import type { AccountsProcess, AccountsStage } from '../../../apps/server/test/accounts-stage.ts';
import { freshAddress, openAccountsStage, send } from '../../../apps/server/test/accounts-stage.ts';
import { reportAuc } from '../attacks/timing-auc.ts';

const triesPerAddress = 4;
const gapMax = 0.05;

export const suite: Suite = {
  name: 'neutrality',
  summary:
    'Password sign-in answers known and unknown e-mail addresses with the same body and in the same time.',
  headline: 'known against unknown: AUC',
  promise:
    'The attacker compares failed sign-ins of known and unknown e-mail addresses, and of locked known and locked unknown ones, to learn which accounts exist. The responses are equal except for the request id. Their times separate the two no better than AUC 0.55, and the medians differ by less than 5 % of one hash. Samples are interleaved in random order, one at a time, with a new address every four attempts. Quick runs widen both bounds by twice the standard error.',
  run: async (context) => {
    const stage = await openAccountsStage();
    try {
      const process = await stage.start();
      const samples = context.quick ? 100 : 2_000;
      const hashMs = await measureHash(stage, context.quick ? 20 : 100);
      context.figure({ name: 'one hash', value: hashMs, unit: 'ms' });
      await compare(context, stage, process, { samples, locked: false, hashMs });
      await compare(context, stage, process, { samples, locked: true, hashMs });
    } finally {
      await stage.stop();
    }
  },
};

async function measureHash({ identity }: AccountsStage, count: number): Promise<number> {
  const times: number[] = [];
  const place = identity.hasher.reserveSlot();
  for (let one = 0; one < count; one += 1) {
    const startMs = performance.now();
    await place.verify('wrong password', null);
    times.push(performance.now() - startMs);
  }
  place.leave();
  return median(times);
}

interface Sample {
  readonly ms: number;
  readonly body: string;
}

interface Comparison {
  readonly samples: number;
  readonly locked: boolean;
  readonly hashMs: number;
}

/** Every sample's address has the same history on both sides: tries so far, or a lock. */
async function compare(
  context: SuiteContext,
  stage: AccountsStage,
  { port }: AccountsProcess,
  { samples, locked, hashMs }: Comparison,
): Promise<void> {
  const addresses = Math.ceil(samples / triesPerAddress);
  const accounts = await stage.createAccounts(addresses);
  const known = accounts.map(({ email }) => email);
  const unknown = known.map((email) => email.replace('member', 'nobody'));
  const attempt = async (email: string): Promise<Sample> => {
    const json = { email, password: 'wrong password' };
    const from = freshAddress();
    const startMs = performance.now();
    const { text } = await send(port, '/api/auth/token', { json, from });
    return { ms: performance.now() - startMs, body: withoutChanging(text) };
  };
  if (locked) for (const email of [...known, ...unknown]) await lock(stage, email);
  const random = seededRandom(locked ? 2 : 1);
  const [knownSamples, unknownSamples]: [Sample[], Sample[]] = [[], []];
  for (let warm = 0; warm < 8; warm += 1) await attempt(`warm-${warm}@example.org`);
  for (let index = 0; index < addresses; index += 1) {
    const turns: (readonly [string, Sample[]])[] = [];
    for (let one = 0; one < triesPerAddress; one += 1) {
      const pair: typeof turns = [
        [known[index] as string, knownSamples],
        [unknown[index] as string, unknownSamples],
      ];
      if (random() < 0.5) pair.reverse();
      turns.push(...pair);
    }
    for (const [email, into] of turns) into.push(await attempt(email));
  }
  report(context, locked, hashMs, knownSamples, unknownSamples);
}

/** Five attempts written straight into their table: the lock itself is proved elsewhere. */
async function lock({ superuser }: AccountsStage, email: string): Promise<void> {
  await superuser.pool.query(
    `INSERT INTO identity.sign_in_attempt (email_hash, attempted_at, pool, source, expires_at)
     VALUES (sha256(convert_to($1, 'UTF8')), array_fill(now(), ARRAY[5]), array_fill('password unknown'::text, ARRAY[5]),
       array_fill(''::bytea, ARRAY[5]), now() + interval '24 hours')`,
    [email],
  );
}

/** Seconds to wait fall as time passes, on both sides alike. */
function withoutChanging(body: string): string {
  const problem = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify({ ...problem, requestId: '', retryAfter: problem['retryAfter'] !== undefined });
}

function report(
  context: SuiteContext,
  locked: boolean,
  hashMs: number,
  known: readonly Sample[],
  unknown: readonly Sample[],
): void {
  const what = locked ? 'locked known against locked unknown' : 'known against unknown';
  const bodies = new Set([...known, ...unknown].map(({ body }) => body));
  context.figure({
    name: `${what}: different bodies`,
    value: bodies.size,
    unit: 'bodies',
    goal: { exactly: 1 },
  });
  const [knownMs, unknownMs] = [known.map(({ ms }) => ms), unknown.map(({ ms }) => ms)];
  reportAuc(context, what, knownMs, unknownMs);
  const gap = Math.abs(median(knownMs) - median(unknownMs)) / hashMs;
  const gapNoise = context.quick ? (2 * medianError([...knownMs, ...unknownMs])) / hashMs : 0;
  context.figure({
    name: `${what}: difference of the medians, of one hash`,
    value: gap,
    unit: '×',
    goal: { atMost: gapMax + gapNoise },
  });
}

/** Standard error of the difference of two medians of such samples, from their interquartile range. */
function medianError(both: readonly number[]): number {
  const sorted = Float64Array.from(both).sort();
  const at = (q: number): number => sorted[Math.floor((sorted.length - 1) * q)] as number;
  const deviation = (at(0.75) - at(0.25)) / 1.349;
  return (1.253 * deviation * Math.SQRT2) / Math.sqrt(both.length / 2);
}
