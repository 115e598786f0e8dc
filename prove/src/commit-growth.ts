import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { SuiteContext } from '@daybook/evidence';

import { runMigration } from './migration-process.ts';

const perFile = 100;
const targets = ['GOALS', 'WISDOM', 'BELIEFS', 'Ideas'];

/** Time for each chunk of a commit four times as large, of that of the smaller one; the start and the first chunks left out. */
export async function growthOfCommits(context: SuiteContext, folder: string): Promise<void> {
  const small = context.quick ? 400 : 5000;
  const timeFor = (chunks: number): Promise<number> =>
    commitTime(context.root, join(folder, 'growth'), chunks);
  // The fastest of the rounds: what another process takes away only ever makes a commit slower.
  const rounds: { start: number; few: number; many: number }[] = [];
  for (let round = 0; round < 2; round += 1)
    rounds.push({
      start: await timeFor(perFile),
      few: await timeFor(small),
      many: await timeFor(4 * small),
    });
  const fastest = (of: 'start' | 'few' | 'many'): number => Math.min(...rounds.map((round) => round[of]));
  const started = fastest('start');
  const few = fastest('few') - started;
  const many = fastest('many') - started;
  const rate = (4 * small) / (many / 1000);
  context.figure({ name: 'chunks in the largest commit', value: 4 * small, unit: 'chunks' });
  context.figure({ name: 'its speed', value: rate, unit: 'chunks a second' });
  context.figure({
    name: 'time for a chunk in it, of that in a commit of a quarter of its size',
    value: many / (4 * small - perFile) / (few / (small - perFile)),
    unit: '×',
    goal: { atMost: 1.5 },
  });
}

async function commitTime(repository: string, folder: string, chunks: number): Promise<number> {
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
  const started = performance.now();
  const end = await runMigration(repository, ['approve', '--approve-all', '--json', '--root', root]);
  const elapsed = performance.now() - started;
  const { total } = JSON.parse(end.stdout) as { readonly total: number };
  if (total !== chunks) throw new Error(`${total} of ${chunks} chunks were committed: ${end.stderr}`);
  rmSync(folder, { recursive: true });
  return elapsed;
}
