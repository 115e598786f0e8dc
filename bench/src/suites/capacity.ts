import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { median, readBenchmarks } from '@daybook/evidence';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { freePorts } from '../../../prove/src/http/api-child.ts';
import { isNginxInstalled, startNginx } from '../../../prove/src/http/nginx.ts';
import { constantSources, predictionPrefix, readConstants } from '../capacity/constants.ts';
import { listPath, measurePolls, pollingScript } from '../capacity/mixed-polls.ts';
import { pollSeconds } from '../capacity/model.ts';
import { applyLoad, isInstalled } from '../load-generator.ts';
import type { NewsChild } from '../news/news-child.ts';
import { startNewsChild } from '../news/news-child.ts';
import type { NewsSet } from '../news/news-load.ts';
import { folderOf, openCluster } from '../news/saved-cluster.ts';
import { loadMissingSets } from '../news/saved-sets.ts';
import { cpuSecondsWithChildren } from '../postgres-usage.ts';

const set: NewsSet = { inWindow: 10_000, older: 0, olderSelected: 0 };

export const suite: Suite = {
  name: 'capacity',
  nightly: true,
  summary: 'measured configurations beside the predictions of `npm run capacity`; nginx in front',
  promise:
    'The constants of the model come from other suites, each measured with one kind of request and one process, on an earlier day. Here mixtures of conditional and unconditional polls of one and of two api processes are measured; the processor time for a thousand polls is within 25 % of the prediction. nginx, configured as shipped, answers conditional polls from its cache; its processor time is that of all its processes.',
  run: async (context) => {
    if (!isInstalled('wrk')) return context.didNotRun('wrk is not installed (Debian package wrk)');
    if (!isNginxInstalled()) return context.didNotRun('nginx is not installed (Debian package nginx)');
    await loadMissingSets(context, [set]);
    const { cluster, urls } = await openCluster(folderOf(context.root, set));
    try {
      await measureEdge(context, urls);
      await comparePredictions(context, urls);
    } finally {
      await cluster.stop();
    }
  },
};

async function measureEdge(context: SuiteContext, urls: DatabaseUrls): Promise<void> {
  const api = await startNewsChild(urls);
  const [port = 0] = await freePorts(1);
  const apiPort = Number(new URL(api.address).port);
  const nginx = await startNginx(context.root, port, [apiPort, apiPort]);
  try {
    const address = `http://127.0.0.1:${port}`;
    const load = {
      url: address + listPath,
      headers: {},
      seconds: context.quick ? 1 : 3,
      script: await pollingScript(address, 1),
    };
    const rates: number[] = [];
    for (let round = 0; round < (context.quick ? 3 : 9); round += 1) {
      const before = cpuSecondsWithChildren(nginx.pid);
      const { requests } = await applyLoad(load);
      rates.push(requests / (cpuSecondsWithChildren(nginx.pid) - before));
    }
    const { name, unit } = constantSources.edgePerCpuSecond;
    context.figure({ name, value: median(rates.slice(1)), unit, isRecorded: true });
  } finally {
    await nginx.stop();
    await api.stop();
  }
}

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
