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

/** Of the copies measured here: a few pages and the garbage between two collections. */
const memoryMbMax = 300;

export const suite: Suite = {
  name: 'client',
  nightly: true,
  summary: 'what the client and its mirror cost beside bare fetch and bare inserts',
  promise:
    'The first copy of a set into SQLite, with every digest and the running hash, is to reach 0.7 of the rate of a bare loop that fetches the same pages and inserts them with prepared statements in the same transactions; what it costs beyond the bare loop is the canonical form and the SHA-256 of every item. No page of a snapshot is held after it was stored: the copy of a million items is to take at most 1.2 times the memory that the copy of a hundred thousand takes, with the garbage between two collections; more than 300 MB is a failure. Checking a caught-up copy costs no more for a large copy than for a small one (1.2). A typed call is to reach 0.9 of bare `fetch` and `JSON.parse`. A server in another process makes the pages; each figure is of a process of its own.',
  run: async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-client-'));
    const sizes = context.quick ? [10_000, 5_000, 2_000] : [1_000_000, 100_000, 10_000];
    const servers: ServerChild<Hello>[] = [];
    try {
      for (const size of sizes) servers.push(await startServerChild(server, [String(size)]));
      const [large, middle, small] = sizes.map((size, at) => ({
        size,
        address: servers[at]?.hello.address ?? '',
        path: join(folder, `${size}.db`),
      })) as [SelectedSet, SelectedSet, SelectedSet];
      const peakMb = await measureCopies(context, large, join(folder, 'bare.db'));
      await measureMemory(context, peakMb, { large, middle, small });
      await measureChecks(context, large, small);
      await measureCalls(context, small.address);
    } finally {
      for (const one of servers) await one.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

interface Hello {
  readonly address: string;
}

/** A set, its address, and the path of its copy. */
interface SelectedSet {
  readonly size: number;
  readonly address: string;
  readonly path: string;
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
  { size, address, path }: SelectedSet,
  barePath: string,
): Promise<number> {
  const { ours, bare } = await inTurns(
    3,
    () => copied('copy', address, path),
    () => copied('bare copy', address, barePath),
  );
  compareRates(
    context,
    `first copy of ${size} items into SQLite`,
    ours.map((one) => rateOf(size, one)),
    bare.map((one) => rateOf(size, one)),
    { atLeast: 0.7 },
    0.6,
    'items',
  );
  return Math.max(...ours.map(({ peakMb }) => peakMb));
}

/** Of the first copies; that of the large set was made before. */
async function measureMemory(
  context: SuiteContext,
  ofLarge: number,
  { large, middle, small }: Readonly<Record<'large' | 'middle' | 'small', SelectedSet>>,
): Promise<void> {
  const { peakMb: ofSmall } = await copied('copy', small.address, small.path);
  const { peakMb: ofMiddle } = await copied('copy', middle.address, middle.path);
  const name = (size: number): string => `memory at most, first copy of ${size} items`;
  context.figure({ name: name(small.size), value: ofSmall, unit: 'MB' });
  context.figure({ name: name(middle.size), value: ofMiddle, unit: 'MB' });
  context.figure({ name: name(large.size), value: ofLarge, unit: 'MB', goal: { atMost: memoryMbMax } });
  context.figure({
    name: `the same beside that of ${middle.size}`,
    value: ofLarge / ofMiddle,
    unit: 'times',
    // Live memory after a collection does not grow; the runtime's own memory does, in the bare loop as well.
    ...(context.quick ? {} : { goal: { atMost: 1.2 }, reached: 1.6 }),
  });
}

/** Each of the same number of changes. Both copies were made before. */
async function measureChecks(context: SuiteContext, large: SelectedSet, small: SelectedSet): Promise<void> {
  const times = 100;
  const { ours, bare } = await inTurns(
    context.quick ? 3 : 5,
    () => taken('check', large.address, large.path, String(times)),
    () => taken('check', small.address, small.path, String(times)),
  );
  const milliseconds = (rounds: readonly Taken[]): readonly number[] =>
    rounds.map(({ cpuSeconds }) => (cpuSeconds * 1000) / times);
  context.ratio({
    name: `CPU of checking a caught-up copy of ${large.size} items beside one of ${small.size}`,
    unit: 'ms',
    ours: milliseconds(ours),
    bare: milliseconds(bare),
    goal: { atMost: 1.2 },
  });
}

async function measureCalls(context: SuiteContext, address: string): Promise<void> {
  const times = context.quick ? 500 : 2_000;
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
