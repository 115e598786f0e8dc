import type { NewsClient } from '@daybook/client';
import { createClient } from '@daybook/client';
import { follow, memoryStore } from '@daybook/client/mirror';
import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import type { Misbehaviour } from '../packages/misbehaving-servers.ts';
import { misbehaviours, startMisbehaving } from '../packages/misbehaving-servers.ts';

const timeouts = { connectMs: 200, responseMs: 400 };
const patience = { retriesMax: 1, waitMsMax: 1500 };
/** Two attempts, the pause between them, and what a busy machine adds. A call that waits for ever exceeds any bound. */
const endsWithinMs = 6000;
const signalMsMax = 300;

export const suite: Suite = {
  name: 'client-timeouts',
  summary: 'Every call of @daybook/client ends by its timeout or its signal, whatever the server does.',
  headline: 'calls that did not end',
  promise:
    'Servers accept a connection and say nothing, send headers, bodies and refusals byte by byte, close, reset, answer too late or ask for an hour of patience. Every call of the client, alone, queued behind another call for the same address, page by page and as a mirror, ends with a problem by its own timeouts (200 ms until the response begins, 400 ms for all of it, one repetition), or by its signal at a random moment, and then at once. The client knows nothing about the servers; the servers know the protocol and no secret.',
  measuresNoTime: true,
  run: async (context) => {
    const rounds = context.quick ? 3 : 60;
    const counts: Counts = { calls: 0, unended: 0, unexpected: 0, late: 0 };
    const names = Object.keys(misbehaviours) as Misbehaviour[];
    await Promise.all(names.map((name, at) => proveServer(context, name, rounds, seededRandom(at), counts)));
    const goal = { exactly: 0 };
    context.figure({ name: 'kinds of servers', value: names.length, unit: 'servers' });
    context.figure({
      name: 'calls',
      value: counts.calls,
      unit: 'calls',
      goal: { atLeast: names.length * rounds * 4 },
    });
    context.figure({ name: 'calls that did not end', value: counts.unended, unit: 'calls', goal });
    context.figure({
      name: 'calls that ended otherwise than expected',
      value: counts.unexpected,
      unit: 'calls',
      goal,
    });
    context.figure({
      name: 'calls that went on after their signal',
      value: counts.late,
      unit: 'calls',
      goal,
    });
  },
};

interface Counts {
  calls: number;
  unended: number;
  unexpected: number;
  late: number;
}

async function proveServer(
  context: SuiteContext,
  name: Misbehaviour,
  rounds: number,
  random: () => number,
  counts: Counts,
): Promise<void> {
  const server = await startMisbehaving(name);
  const client = (): NewsClient => createClient({ baseUrl: server.baseUrl, timeouts, patience });
  try {
    for (let round = 0; round < rounds; round += 1) {
      const results = await Promise.all([
        byDefault(() => client().listHotTopics()),
        byDefault(() => lastOf(client().pages('listItems', { limit: 1 }))),
        byDefault(() => inMirror(client())),
        bySignal(client(), random() * signalMsMax),
        queuedBySignal(client(), random() * signalMsMax),
      ]);
      for (const result of results) {
        counts.calls += 1;
        if (result === 'ended') continue;
        counts[result] += 1;
        context.note(`${name}: ${result} in round ${round}`);
      }
    }
  } finally {
    await server.close();
  }
}

type Result = 'ended' | Exclude<keyof Counts, 'calls'>;

async function lastOf(pages: AsyncIterable<{ readonly ok: boolean }>): Promise<{ readonly ok: boolean }> {
  let last = { ok: true };
  for await (const page of pages) last = page;
  return last;
}

/** A mirror throws what the client returns. */
async function inMirror(client: NewsClient): Promise<{ readonly ok: boolean }> {
  try {
    for await (const event of follow({ client, store: memoryStore(), once: true }))
      if (event.kind === 'exact') return { ok: true };
  } catch {
    return { ok: false };
  }
  return { ok: true };
}

async function byDefault(call: () => Promise<{ readonly ok: boolean }>): Promise<Result> {
  const answer = await withinBound(call());
  if (answer === 'unended') return 'unended';
  return answer.ok ? 'unexpected' : 'ended';
}

async function bySignal(client: NewsClient, afterMs: number): Promise<Result> {
  return abortedAfter(afterMs, (signal) => client.listHotTopics({}, { signal }));
}

/** The call before it has no signal and ends by its own timeouts. */
async function queuedBySignal(client: NewsClient, afterMs: number): Promise<Result> {
  const first = client.listHotTopics();
  const result = await abortedAfter(afterMs, (signal) => client.listHotTopics({}, { signal }));
  return (await withinBound(first)) === 'unended' ? 'unended' : result;
}

async function abortedAfter(
  afterMs: number,
  call: (signal: AbortSignal) => Promise<unknown>,
): Promise<Result> {
  const controller = new AbortController();
  let isAborted = false;
  const timer = setTimeout(() => {
    isAborted = true;
    controller.abort(new Error('aborted by the caller'));
    // What still runs when everything that the abort has settled is done went on.
    setImmediate(() => setImmediate(() => (isOver ? undefined : (isLate = true))));
  }, afterMs);
  let [isOver, isLate] = [false, false];
  const ended = call(controller.signal).then(
    () => 'answered',
    (error: unknown) => (error as Error).message,
  );
  const outcome = await withinBound(
    ended.then((how) => {
      isOver = true;
      return how;
    }),
  );
  clearTimeout(timer);
  if (outcome === 'unended') return 'unended';
  // A server that closes at once may end the call before its signal.
  if (isAborted && outcome !== 'answered' && outcome !== 'aborted by the caller') return 'unexpected';
  return isLate ? 'late' : 'ended';
}

async function withinBound<T>(work: Promise<T>): Promise<T | 'unended'> {
  const { promise, resolve } = Promise.withResolvers<'unended'>();
  const timer = setTimeout(resolve, endsWithinMs, 'unended' as const);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
