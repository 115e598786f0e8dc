import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { bundlePrograms } from '@daybook/bundle';
import type { Suite, SuiteContext } from '@daybook/evidence';
import { median } from '@daybook/evidence';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { withMeasuredDatabase } from '../measured-database.ts';

const listenGoalMs = 700;

export const suite: Suite = {
  name: 'start',
  summary: 'how soon `daybook api` listens, from its bundle and from the sources',
  promise: `\`daybook api\` with accounts and storage, as the image runs it (one bundle, Node's compile cache filled), listens within ${listenGoalMs / 1_000} s of its start on a machine at rest, in at most half the time that the sources take. \`node -e 0\` is the time of the bare runtime. Rounds alternate.`,
  run: (context) =>
    withMeasuredDatabase({}, async (_owner, _application, urls) => {
      const folder = await mkdtemp(join(tmpdir(), 'bench-start-'));
      try {
        await measure(context, urls, folder);
      } finally {
        await rm(folder, { recursive: true });
      }
    }),
};

async function measure(context: SuiteContext, urls: DatabaseUrls, folder: string): Promise<void> {
  const source = join(context.root, 'apps/server/src/bin/daybook.ts');
  const bundled = await bundlePrograms({ root: context.root, programs: [source] });
  const environment = {
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: urls.application,
    DATABASE_READER_URL: urls.newsReader,
    DAYBOOK_SECRET_KEY: 'ab'.repeat(32),
    DAYBOOK_STORAGE_FOLDER: join(folder, 'storage'),
    DAYBOOK_DRAIN_NOTICE_MS: '0',
  };
  const timeOf = {
    bundle: () => listenMs([bundled(source), 'api'], environment),
    sources: () => listenMs([source, 'api'], environment),
    runtime: () => endMs(['-e', '0']),
  };
  const times: Record<keyof typeof timeOf, number[]> = { bundle: [], sources: [], runtime: [] };
  // Node writes the compile cache when a process ends.
  await timeOf.bundle();
  await timeOf.sources();
  for (let round = 0; round < (context.quick ? 3 : 15); round += 1)
    for (const name of ['bundle', 'sources', 'runtime'] as const) times[name].push(await timeOf[name]());
  const figure = (name: string, of: readonly number[], goal?: { readonly atMost: number }): void =>
    context.figure({ name, value: median(of), unit: 'ms', ...(goal !== undefined && { goal }) });
  figure('the bundled api listens after', times.bundle, { atMost: listenGoalMs });
  figure('the api listens from the sources after', times.sources);
  figure('`node -e 0` ends after', times.runtime);
  context.ratio({
    name: 'the bundle beside the sources, time until the api listens',
    unit: 'ms',
    ours: times.bundle,
    bare: times.sources,
    goal: { atMost: 0.5 },
  });
}

/** From the start of the process to the line in which it names its address. */
async function listenMs(words: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const closed = once(child, 'close');
  const listening = Promise.withResolvers<number>();
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes('"msg":"listening"')) listening.resolve(performance.now() - startedMs);
  });
  child.once('close', (code) => listening.reject(new Error(`daybook api ended with ${code}\n${said}`)));
  const elapsedMs = await listening.promise;
  child.kill('SIGTERM');
  await closed;
  return elapsedMs;
}

async function endMs(words: readonly string[]): Promise<number> {
  const startedMs = performance.now();
  await once(spawn(process.execPath, words, { stdio: 'ignore' }), 'close');
  return performance.now() - startedMs;
}
