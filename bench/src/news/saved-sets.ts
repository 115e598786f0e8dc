import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { SuiteContext } from '@daybook/evidence';

import type { NewsSet } from './news-load.ts';
import { folderOf, isLoaded } from './saved-cluster.ts';

const program = fileURLToPath(new URL('../processes/news-loader.ts', import.meta.url));

/** Loads the sets that are not stored from an earlier run, in parallel, each in its own process. */
export async function loadMissingSets(
  { root, note }: Pick<SuiteContext, 'root' | 'note'>,
  sets: readonly NewsSet[],
): Promise<void> {
  const missing = sets.filter((set) => !isLoaded(folderOf(root, set)));
  const startedAt = performance.now();
  await Promise.all(missing.map((set) => load(root, set)));
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  if (missing.length > 0) note(`loaded ${missing.length} sets in ${seconds} s`);
}

async function load(root: string, set: NewsSet): Promise<void> {
  // A batch lives as long as its COPY: with room for a few among the young, little of it is ever copied around.
  const args = ['--max-semi-space-size=128', program, folderOf(root, set), JSON.stringify(set)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`a loader ended with ${String(code)}`);
}
