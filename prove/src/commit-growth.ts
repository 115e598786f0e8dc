import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { SuiteContext } from '@daybook/evidence';

import { runMigration } from './migration-process.ts';

const perFile = 100;
const targets = ['GOALS', 'WISDOM', 'BELIEFS', 'Ideas'];

interface Cost {
  readonly elapsedMs: number;
  readonly processorMs: number;
  readonly bytes: number;
}

/** What each chunk costs in a commit four times as large, of that in the smaller one; the start and the first chunks left out. */
export async function growthOfCommits(context: SuiteContext, folder: string): Promise<void> {
  const small = context.quick ? 800 : 5000;
  const costOf = (chunks: number): Promise<Cost> =>
    costOfCommit(context.root, join(folder, 'growth'), chunks);
  // The cheapest of the rounds: other processes can only make a commit slower.
  const rounds: { start: Cost; few: Cost; many: Cost }[] = [];
  for (let round = 0; round < 2; round += 1)
    rounds.push({
      start: await costOf(perFile),
      few: await costOf(small),
      many: await costOf(4 * small),
    });
  const cheapest = (size: 'start' | 'few' | 'many', of: keyof Cost): number =>
    Math.min(...rounds.map((round) => round[size][of]));
  const forAll = (size: 'few' | 'many', of: keyof Cost): number => cheapest(size, of) - cheapest('start', of);
  const growth = (of: keyof Cost): number =>
    forAll('many', of) / (4 * small - perFile) / (forAll('few', of) / (small - perFile));
  context.figure({ name: 'chunks in the largest commit', value: 4 * small, unit: 'chunks' });
  context.figure({
    name: 'its speed',
    value: (4 * small - perFile) / (forAll('many', 'elapsedMs') / 1000),
    unit: 'chunks a second',
  });
  context.figure({
    name: 'time for a chunk in it, compared with a commit of a quarter of its size',
    value: growth('elapsedMs'),
    unit: '×',
    // The small commit of a quick run takes a second beyond the start: a disk may wait that long.
    ...(context.quick ? {} : { goal: { atMost: 1.5 } }),
  });
  context.figure({
    name: 'the same, by wall clock or processor time, the smaller growth',
    value: Math.min(growth('elapsedMs'), growth('processorMs')),
    unit: '×',
    goal: { atMost: 1.5 },
  });
  context.figure({
    name: 'processor time for a chunk in it, by the same comparison',
    value: growth('processorMs'),
    unit: '×',
    goal: { atMost: 2 },
  });
  context.figure({
    name: 'bytes read and written for a chunk in it, by the same comparison',
    value: growth('bytes'),
    unit: '×',
    // Of a long commit the queue no longer fits into the cache of SQLite: its pages are read and written back more often.
    goal: { atMost: context.quick ? 1.25 : 1.5 },
  });
}

async function costOfCommit(repository: string, folder: string, chunks: number): Promise<Cost> {
  const [notes, root] = [join(folder, 'notes'), join(folder, 'root')];
  mkdirSync(notes, { recursive: true });
  const files = chunks / perFile;
  for (let file = 0; file < files; file += 1) {
    const sections = Array.from(
      { length: perFile },
      (_, at) =>
        `## Section ${file} ${at}\n\n${targets[at % targets.length]} 80 see [[note ${(file + 1) % files}]].\n`,
    );
    writeFileSync(join(notes, `note ${file}.md`), sections.join('\n'));
  }
  await runMigration(repository, ['scan', '--source', notes, '--sections', '--root', root]);
  const before = readCost();
  const end = await runMigration(repository, ['approve', '--approve-all', '--json', '--root', root]);
  const after = readCost();
  const { total } = JSON.parse(end.stdout) as { readonly total: number };
  if (total !== chunks) throw new Error(`${total} of ${chunks} chunks were committed: ${end.stderr}`);
  rmSync(folder, { recursive: true });
  return {
    elapsedMs: after.elapsedMs - before.elapsedMs,
    processorMs: after.processorMs - before.processorMs,
    bytes: after.bytes - before.bytes,
  };
}

/** Until now, by this process and those it started and saw end, as Linux counts it: processor time in steps of 10 ms. */
function readCost(): Cost {
  const afterName = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ').map(Number) ?? [];
  const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = afterName.slice(11, 15);
  const io = readFileSync('/proc/self/io', 'utf8');
  const bytesOf = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(io)?.[1]);
  return {
    elapsedMs: performance.now(),
    processorMs: (user + system + userOfEnded + systemOfEnded) * 10,
    bytes: bytesOf('rchar') + bytesOf('wchar'),
  };
}
