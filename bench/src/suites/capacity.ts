import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { readBenchmarks } from '@daybook/evidence';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { predictionPrefix, readConstants } from '../capacity/constants.ts';
import { measurePolls } from '../capacity/mixed-polls.ts';
import { pollSeconds } from '../capacity/model.ts';
import { isInstalled } from '../load-generator.ts';
import type { NewsChild } from '../news/news-child.ts';
import { startNewsChild } from '../news/news-child.ts';
import type { NewsSet } from '../news/news-load.ts';
import { folderOf, openCluster } from '../news/saved-cluster.ts';
import { loadMissingSets } from '../news/saved-sets.ts';

const set: NewsSet = { inWindow: 10_000, older: 0, olderSelected: 0 };

export const suite: Suite = {
  name: 'capacity',
  nightly: true,
  summary: 'measured configurations beside the predictions of `npm run capacity`',
  promise:
    'The constants of the model come from other suites, each measured with one kind of request and one process, on an earlier day. Here mixtures of conditional and unconditional polls of one and of two api processes are measured; the processor time for a thousand polls is within 25 % of the prediction.',
  run: async (context) => {
    if (!isInstalled('wrk')) return context.didNotRun('wrk is not installed (Debian package wrk)');
    await loadMissingSets(context, [set]);
    const { cluster, urls } = await openCluster(folderOf(context.root, set));
    try {
      await comparePredictions(context, urls);
    } finally {
      await cluster.stop();
    }
  },
};

const configurations = [
  { name: 'one api process, 95 % of the polls unchanged', processes: 1, unchangedShare: 0.95 },
  { name: 'one api process, half of the polls unchanged', processes: 1, unchangedShare: 0.5 },
  { name: 'two api processes, 80 % of the polls unchanged', processes: 2, unchangedShare: 0.8 },
];

async function comparePredictions(context: SuiteContext, urls: DatabaseUrls): Promise<void> {
  const recorded = readBenchmarks(await readFile(join(context.root, 'docs/benchmarks.md'), 'utf8'));
  const constants = readConstants(recorded);
  const rounds = context.quick ? { rounds: 3, seconds: 1 } : { rounds: 9, seconds: 2 };
  for (const { name, processes, unchangedShare } of configurations) {
    const servers: NewsChild[] = [];
    try {
      while (servers.length < processes) servers.push(await startNewsChild(urls));
      const measured = 1e6 * (await measurePolls(servers, { unchangedShare, ...rounds }));
      const predicted = 1_000 * pollSeconds(1_000, constants, unchangedShare);
      context.ratio({
        name: `${predictionPrefix}${name}, a thousand polls`,
        unit: 'ms of CPU',
        ours: [measured],
        bare: [predicted],
      });
      context.figure({
        name: `distance from the prediction, ${name}`,
        value: 100 * Math.abs(measured / predicted - 1),
        unit: '%',
        goal: { atMost: 25 },
      });
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  }
}
