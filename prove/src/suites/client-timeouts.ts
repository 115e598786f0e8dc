import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { NewsClient } from '@daybook/client';
import { createClient } from '@daybook/client';
import { follow, memoryStore } from '@daybook/client/mirror';
import type { StorageClient } from '@daybook/client/storage';
import { createStorageClient, uploadFile } from '@daybook/client/storage';
import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';
import { accessToken } from '@daybook/login';

import type { Misbehaviour } from '../packages/misbehaving-servers.ts';
import { misbehaviourNames, startMisbehaving } from '../packages/misbehaving-servers.ts';

const timeouts = { connectMs: 200, responseMs: 400, uploadBytesPerSecond: 1_000_000 };
const patience = { retriesMax: 1, waitMsMax: 1500 };
/** Two attempts, the pause between them, and what a busy machine adds. A call that waits for ever exceeds any bound. */
const endsWithinMs = 6000;
const signalMsMax = 300;

export const suite: Suite = {
  name: 'client-timeouts',
  summary:
    'Every call of @daybook/client and @daybook/login ends by its timeout or its signal, whatever the server does.',
  headline: 'calls that did not end',
  promise:
    'Servers accept no connection, or accept one and say nothing, send headers, bodies, content and refusals byte by byte or in part, close, reset, answer too late or ask for an hour of patience. Every call of the client, alone, queued behind another call for the same address, page by page and as a mirror, signed-in calls, uploads in one request, in parts and from a stream, downloads, and the refresh of a login end with a problem by their own timeouts (200 ms for the connection, 400 ms until the response begins, 400 ms for the rest, one repetition), or by their signal at a random moment, and then at once. The client knows nothing about the servers; the servers know the protocol and no secret.',
  measuresNoTime: true,
  run: async (context) => {
    const rounds = context.quick ? 3 : 60;
    const counts: Counts = { calls: 0, unended: 0, unexpected: 0, late: 0 };
    const names = misbehaviourNames;
    const home = mkdtempSync(join(tmpdir(), 'prove-client-timeouts-'));
    try {
      await Promise.all(
        names.map((name, at) =>
          proveServer(context, { name, rounds, home: join(home, String(at)) }, seededRandom(at), counts),
        ),
      );
    } finally {
      rmSync(home, { recursive: true });
    }
    const goal = { exactly: 0 };
    context.figure({ name: 'kinds of servers', value: names.length, unit: 'servers' });
    context.figure({
      name: 'calls',
      value: counts.calls,
      unit: 'calls',
      goal: { atLeast: names.length * rounds * 12 },
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

interface ServerDemand {
  readonly name: Misbehaviour;
  readonly rounds: number;
  /** Where the tokens of a login are stored. */
  readonly home: string;
}

async function proveServer(
  context: SuiteContext,
  { name, rounds, home }: ServerDemand,
  random: () => number,
  counts: Counts,
): Promise<void> {
  const server = await startMisbehaving(name);
  const { baseUrl } = server;
  const client = (): NewsClient => createClient({ baseUrl, timeouts, patience });
  const storage = createStorageClient({ baseUrl, credential: { apiKey: 'k' }, timeouts, patience });
  signIn(home, baseUrl);
  try {
    for (let round = 0; round < rounds; round += 1) {
      const results = await Promise.all([
        byDefault(() => client().listHotTopics()),
        byDefault(() => lastOf(client().pages('listItems', { limit: 1 }))),
        byDefault(() => inMirror(client())),
        bySignal(client(), random() * signalMsMax),
        queuedBySignal(client(), random() * signalMsMax),
        byDefault(() => storage.listProjects()),
        ...uploadsOf(storage).map((upload) => byDefault(upload)),
        byDefault(() => downloaded(storage)),
        abortedAfter(random() * signalMsMax, (signal) => downloaded(storage, signal)),
        byDefault(() => refreshed(home, baseUrl)),
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

type Call = () => Promise<{ readonly ok: boolean }>;

function uploadsOf(storage: StorageClient): readonly Call[] {
  const content = new Blob(['x'.repeat(200_000)]);
  const file = { project: 'p', name: 'f' };
  return [
    () => storage.storeFile({ ...file, body: content }),
    () => storage.storeFile({ ...file, body: content.stream() }),
    () => unlessThrown(uploadFile(storage, content, { projectId: 'p', name: 'f' })),
  ];
}

/** The content of a file, up to its end. */
async function downloaded(storage: StorageClient, signal?: AbortSignal): Promise<{ readonly ok: boolean }> {
  const answer = await storage.readContent({ id: 'f' }, signal === undefined ? {} : { signal });
  // Servers of other content than files send a value.
  if (!answer.ok || !(answer.data instanceof Response)) return { ok: false };
  if (signal !== undefined) return { ok: (await answer.data.text()) !== '' };
  return unlessThrown(answer.data.text());
}

async function unlessThrown(work: Promise<unknown>): Promise<{ readonly ok: boolean }> {
  return work.then(
    () => ({ ok: true }),
    () => ({ ok: false }),
  );
}

/** A session whose token has expired, as `daybook login` stores it. */
function signIn(home: string, server: string): void {
  const session = {
    accessToken: 't',
    refreshToken: 'r',
    issuedAtMs: 0,
    lifetimeSeconds: 60,
    email: 'a@b.example',
  };
  mkdirSync(join(home, '.config/daybook'), { recursive: true, mode: 0o700 });
  const path = join(home, '.config/daybook/credentials.json');
  writeFileSync(path, JSON.stringify({ version: 1, servers: { [server]: session } }), { mode: 0o600 });
}

function refreshed(home: string, server: string): Promise<{ readonly ok: boolean }> {
  const host = {
    env: {},
    home,
    nowMs: () => 3_600_000,
    requestTimeoutMs: timeouts.responseMs,
    print: () => undefined,
    openBrowser: () => Promise.resolve(false),
  };
  return unlessThrown(accessToken(host, server));
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

async function byDefault(call: Call): Promise<Result> {
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
