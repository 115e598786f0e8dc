import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Suite, SuiteContext } from '@daybook/evidence';

import type { Rate } from '../alternating-rates.ts';
import { compareRates } from '../alternating-rates.ts';
import { pinned } from '../load-generator.ts';
import type { ServerChild } from '../server-child.ts';
import { startServerChild } from '../server-child.ts';

const execute = promisify(execFile);
const server = fileURLToPath(new URL('../processes/ledger-pages.ts', import.meta.url));
const worker = fileURLToPath(new URL('../processes/mirror-copy.ts', import.meta.url));

/** Of the copies measured here: a few pages, the answers that are kept and the garbage between two collections. */
const memoryMbMax = 300;

export const suite: Suite = {
  name: 'client',
  summary: 'what the client and its mirror cost beside bare fetch and bare inserts',
  promise:
    'The first copy of a set into SQLite, with every digest and the running hash, is to reach 0.7 of the rate of a bare loop that fetches the same pages and inserts them with prepared statements in the same transactions. It does not: what it costs beyond the bare loop is the canonical form and the SHA-256 of every item, each about as much as reading its JSON, and garbage. Memory is bounded by a few pages and at most 8 million characters of answers, but with the garbage between two collections it still grows from a small copy to a large one; more than 300 MB is a failure. Checking a caught-up copy costs no more for a large copy than for a small one (1.2). A typed call is to reach 0.9 of bare `fetch` and `JSON.parse`. A server in another process makes the pages; each figure is of a process of its own.',
  run: async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-client-'));
    const [large, small] = context.quick ? [10_000, 2_000] : [100_000, 10_000];
    const servers: ServerChild<Hello>[] = [];
    try {
      for (const size of [large, small]) servers.push(await startServerChild(server, [String(size)]));
      const [ofLarge = '', ofSmall = ''] = servers.map(({ hello }) => hello.address);
      const peakMb = await measureCopies(context, folder, { large, address: ofLarge });
      await measureChecks(context, folder, { large, small, ofLarge, ofSmall, peakMb });
      await measureCalls(context, ofSmall);
    } finally {
      for (const one of servers) await one.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

interface Hello {
  readonly address: string;
}

interface Taken {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

async function taken(...given: readonly string[]): Promise<Taken> {
  const [command, rest] = pinned(1, [process.execPath, worker, ...given]);
  const { stdout } = await execute(command, [...rest]);
  return JSON.parse(stdout) as Taken;
}

function rateOf(count: number, { seconds, cpuSeconds }: Taken): Rate {
  return { perSecond: count / seconds, perCpuSecond: count / cpuSeconds };
}

/** Into a file that is not there yet. */
function copied(how: 'copy' | 'bare copy', address: string, path: string): Promise<Taken> {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  return taken(how, address, path);
}

/** Ours and bare in turns; the first of each warms the disk and the server. */
async function inTurns(
  rounds: number,
  ours: (round: number) => Promise<Taken>,
  bare: (round: number) => Promise<Taken>,
): Promise<{ readonly ours: readonly Taken[]; readonly bare: readonly Taken[] }> {
  const found: { readonly ours: Taken[]; readonly bare: Taken[] } = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) found.ours.push(await ours(round));
    found.bare.push(await bare(round));
    if (round % 2 === 1) found.ours.push(await ours(round));
  }
  return found;
}

async function measureCopies(
  context: SuiteContext,
  folder: string,
  { large, address }: { readonly large: number; readonly address: string },
): Promise<number> {
  const { ours, bare } = await inTurns(
    3,
    () => copied('copy', address, join(folder, 'large.db')),
    () => copied('bare copy', address, join(folder, 'bare.db')),
  );
  compareRates(
    context,
    `first copy of ${large} items into SQLite`,
    ours.map((one) => rateOf(large, one)),
    bare.map((one) => rateOf(large, one)),
    { atLeast: 0.7 },
    0.45,
    'items',
  );
  return Math.max(...ours.map(({ peakMb }) => peakMb));
}

/** Each of the same number of changes. The large copy was made before. */
async function measureChecks(
  context: SuiteContext,
  folder: string,
  sets: {
    readonly large: number;
    readonly small: number;
    readonly ofLarge: string;
    readonly ofSmall: string;
    readonly peakMb: number;
  },
): Promise<void> {
  const times = 100;
  const [ofLarge, ofSmall] = [join(folder, 'large.db'), join(folder, 'small.db')];
  const { peakMb } = await copied('copy', sets.ofSmall, ofSmall);
  context.figure({ name: `memory at most, first copy of ${sets.small} items`, value: peakMb, unit: 'MB' });
  context.figure({
    name: `memory at most, first copy of ${sets.large} items`,
    value: sets.peakMb,
    unit: 'MB',
    goal: { atMost: memoryMbMax },
  });
  const { ours, bare } = await inTurns(
    context.quick ? 3 : 5,
    () => taken('check', sets.ofLarge, ofLarge, String(times)),
    () => taken('check', sets.ofSmall, ofSmall, String(times)),
  );
  const milliseconds = (rounds: readonly Taken[]): readonly number[] =>
    rounds.map(({ cpuSeconds }) => (cpuSeconds * 1000) / times);
  context.ratio({
    name: `CPU of checking a caught-up copy of ${sets.large} items beside one of ${sets.small}`,
    unit: 'ms',
    ours: milliseconds(ours),
    bare: milliseconds(bare),
    goal: { atMost: 1.2 },
  });
}

async function measureCalls(context: SuiteContext, address: string): Promise<void> {
  const times = 500;
  const { ours, bare } = await inTurns(
    context.quick ? 3 : 5,
    () => taken('call', address, '', String(times)),
    () => taken('bare call', address, '', String(times)),
  );
  compareRates(
    context,
    'a typed call beside fetch and JSON.parse',
    ours.map((one) => rateOf(times, one)),
    bare.map((one) => rateOf(times, one)),
    { atLeast: 0.9 },
    0.75,
    'calls',
  );
}
