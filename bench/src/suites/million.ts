import type { Suite, SuiteContext } from '@daybook/evidence';

import { isNginxInstalled } from '../../../prove/src/http/nginx.ts';
import type { NewsStage } from '../../../prove/src/news/news-stage.ts';
import { setNewsStage } from '../../../prove/src/news/news-stage.ts';
import { fillRecord } from '../../../prove/src/news/news-world.ts';
import { isInstalled } from '../load-generator.ts';
import { compareWithFiles, listFile } from '../million/beside-files.ts';
import { extrapolate } from '../million/extrapolate.ts';
import type { MeasuredEdge } from '../million/measured-edge.ts';
import { startMeasuredEdge } from '../million/measured-edge.ts';
import type { MeasuredPolls } from '../million/poll-stage.ts';
import { forwardedShare, measurePolls, polledPaths } from '../million/poll-stage.ts';

const aMillion = 1_000_000;
const largest = 'largest number of clients';

export const suite: Suite = {
  name: 'million',
  nightly: true,
  summary: 'a million clients that poll once a minute, as far as this machine can simulate them',
  promise:
    'Answers how the load of nginx and of the api grows with the number of clients. Each simulated client polls one of four public lists in one encoding (60 % gzip, 30 % br, 10 % identity) once a minute in real time, at a moment of its own, with the ETag of its last response; 64 connections carry all polls. nginx, configured as shipped, answers from its cache, with two api processes behind it; four items are published during each measurement. The largest number is a million, or what is answered without delay. Requests to the api are counted by nginx for each address and encoding. The processor time of nginx for a million clients is extrapolated from the smaller numbers and compared with the largest; it contains neither TLS nor, except where a figure says so, new connections. Responses from the cache are compared with those of the same nginx from a file of the same size, by processor time, by turns.',
  run: async (context) => {
    if (!isInstalled('wrk')) return context.didNotRun('wrk is not installed (Debian package wrk)');
    if (!isNginxInstalled()) return context.didNotRun('nginx is not installed (Debian package nginx)');
    const stage = await setNewsStage(context.root);
    try {
      await fillRecord(stage.factory, 200);
      const edge = await startEdge(context, stage);
      try {
        await measureGrowth(context, stage, edge);
        await compareWithFiles(context, edge);
      } finally {
        await edge.stop();
      }
    } finally {
      await stage.remove();
    }
  },
};

async function startEdge({ root }: SuiteContext, stage: NewsStage): Promise<MeasuredEdge> {
  const settings = {
    DAYBOOK_RATE_PER_MINUTE: '1000000000',
    DAYBOOK_TRUSTED_PROXIES: '127.0.0.1',
    DAYBOOK_LOG_LEVEL: 'warn',
  };
  const apis = [await stage.startApi(settings), await stage.startApi(settings)];
  const list = await fetch(`http://127.0.0.1:${apis[0] ?? 0}${polledPaths[0]}`);
  return startMeasuredEdge(root, apis, { [listFile]: Buffer.from(await list.arrayBuffer()) });
}

async function measureGrowth(context: SuiteContext, stage: NewsStage, edge: MeasuredEdge): Promise<void> {
  const measuredMs = context.quick ? 5_000 : 60_000;
  const smaller: MeasuredPolls[] = [];
  for (const clients of context.quick ? [1_000] : [1_000, 10_000, 100_000]) {
    const measured = await measurePolls({ stage, edge }, clients, measuredMs);
    reportPolls(context, `${clients.toLocaleString('en-US')} clients`, measured);
    smaller.push(measured);
  }
  const most = await measureLargest(context, { stage, edge }, measuredMs);
  reportPolls(context, `${most.clients.toLocaleString('en-US')} clients`, most);
  reportLargest(context, most, smaller);
  if (!context.quick) reportExtrapolation(context, smaller, most);
}

/** Fewer than a million, if the machine cannot send and answer their polls in time. */
async function measureLargest(
  context: SuiteContext,
  stage: Parameters<typeof measurePolls>[0],
  measuredMs: number,
): Promise<MeasuredPolls> {
  let clients = context.quick ? 20_000 : aMillion;
  for (let attempt = 1; ; attempt += 1) {
    const measured = await measurePolls(stage, clients, measuredMs);
    const { doneShare, report } = measured;
    const isInTime = doneShare > 0.98 && report.lateMs < 1_000;
    if (isInTime || attempt === 3 || context.quick) return measured;
    context.note(`${clients} clients: ${Math.round(100 * doneShare)} % of the polls in time`);
    clients = Math.floor((clients * Math.min(0.8, 0.9 * doneShare)) / 10_000) * 10_000;
  }
}

function reportPolls(context: SuiteContext, name: string, measured: MeasuredPolls): void {
  const { report, originOfVariants } = measured;
  const { mean, least, most } = originOfVariants;
  context.note(
    `${name}: ${least.toFixed(0)} to ${most.toFixed(0)} requests to the api per address, encoding and minute; ${((100 * report.unchanged) / report.polls).toFixed(0)} % of the polls unchanged; 99 % sent within ${report.lateMs.toFixed(1)} ms of their time and answered in ${report.responseMs.toFixed(1)} ms; ${((1e6 * report.cpuSeconds) / report.polls).toFixed(1)} µs of CPU to simulate a poll`,
  );
  context.figure({
    name: `requests to the api per address, encoding and minute, ${name}`,
    value: mean,
    unit: 'requests',
    isRecorded: true,
  });
  context.figure({
    name: `polls by nginx, ${name}`,
    value: pollsPerCpuSecond(measured),
    unit: 'polls per second of CPU',
    isRecorded: true,
  });
}

function pollsPerCpuSecond({ clients, doneShare, cpuSecondsAMinute }: MeasuredPolls): number {
  return (clients * doneShare) / cpuSecondsAMinute;
}

function reportLargest(context: SuiteContext, most: MeasuredPolls, [least]: readonly MeasuredPolls[]): void {
  const { originRequestsAMinute, clients, doneShare } = most;
  context.figure({ name: 'simulated clients', value: clients, unit: 'clients', isRecorded: true });
  context.figure({
    name: `requests to the api per address, encoding and minute, ${largest}`,
    value: most.originOfVariants.mean,
    unit: 'requests',
    isRecorded: true,
  });
  context.figure({
    name: `polls by nginx, ${largest}`,
    value: pollsPerCpuSecond(most),
    unit: 'polls per second of CPU',
    isRecorded: true,
  });
  if (!context.quick)
    context.figure({
      name: `growth of the requests to the api, from 1,000 clients to the ${largest}`,
      value: originRequestsAMinute / (least?.originRequestsAMinute ?? NaN),
      unit: '×',
      goal: { atMost: 1.1 },
      // nginx passes on what arrives during a renewal, and at 1,000 clients some copies expire before their next poll.
      reached: 10,
    });
  context.figure({
    name: `polls that reach the api, ${largest}`,
    value: (100 * originRequestsAMinute) / (clients * doneShare),
    unit: '%',
    // At 20,000 clients the renewals alone are two of a hundred polls.
    goal: { atMost: context.quick ? 20 : 1 },
    // The renewals are a larger part of the polls of fewer clients, as on a busy machine.
    ...(context.quick ? {} : { reached: 5 }),
  });
  context.figure({
    name: `polls during a renewal, which reach the api too, ${largest}`,
    value: 100 * forwardedShare(most),
    unit: '%',
    isRecorded: true,
  });
  context.figure({
    name: `polls sent and answered in their minute, ${largest}`,
    value: 100 * doneShare,
    unit: '%',
    goal: { atLeast: context.quick ? 80 : 98 },
  });
}

function reportExtrapolation(
  context: SuiteContext,
  smaller: readonly MeasuredPolls[],
  most: MeasuredPolls,
): void {
  const points = smaller.map((measured) => ({ size: measured.clients, value: measured.cpuSecondsAMinute }));
  context.figure({
    name: 'nginx for 1,000,000 clients, extrapolated from 100,000 and fewer',
    value: extrapolate(points, aMillion) / 60,
    unit: 'processors',
    isRecorded: true,
  });
  const predicted = extrapolate(points, most.clients);
  context.figure({
    name: `error of this extrapolation, ${largest}`,
    value: 100 * Math.abs(predicted / most.cpuSecondsAMinute - 1),
    unit: '%',
    isRecorded: true,
  });
}
