import { setTimeout as delay } from 'node:timers/promises';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { NewsStage } from '../../../prove/src/news/news-stage.ts';
import { simulateClients } from './generator.ts';
import type { MeasuredEdge } from './measured-edge.ts';
import type { PollReport } from './poll-run.ts';
import { encodings } from './simulated-clients.ts';

/** What programs and feed readers poll. */
export const polledPaths = [
  '/api/v1/items',
  '/api/v1/items?mode=all',
  '/api/v1/hot-topics',
  '/feeds/selected.atom',
] as const;
const variants = polledPaths.length * encodings.length;

const connections = 64;
const minuteMs = 60_000;
/** nginx writes its record of requests to the api once a second. */
const logDelayMs = 1_500;

export interface MeasuredPolls {
  readonly clients: number;
  readonly report: PollReport;
  /** Of nginx, for the polls of a minute. */
  readonly cpuSecondsAMinute: number;
  readonly originRequestsAMinute: number;
  /** For each address in each encoding: the mean, the least and the most. */
  readonly originOfVariants: { readonly mean: number; readonly least: number; readonly most: number };
  /** Of the polls that were due, those that were sent and answered. */
  readonly doneShare: number;
}

/** Polls of so many clients, while items are published. */
export async function measurePolls(
  { stage, edge }: { readonly stage: NewsStage; readonly edge: MeasuredEdge },
  clients: number,
  measuredMs: number,
): Promise<MeasuredPolls> {
  let [fromMs, cpuBefore, published] = [0, 0, Promise.resolve()];
  const warmUpMs = measuredMs / 20;
  const demand = { port: edge.port, paths: polledPaths, clients, connections, warmUpMs, measuredMs };
  const report = await simulateClients(demand, () => {
    fromMs = systemClock.nowMs();
    cpuBefore = edge.cpuSeconds();
    published = publishItems(stage, measuredMs);
    published.catch(() => {});
  });
  const untilMs = systemClock.nowMs();
  const cpuSeconds = edge.cpuSeconds() - cpuBefore;
  await published;
  await delay(logDelayMs);
  const minutes = (untilMs - fromMs) / minuteMs;
  const asked = edge.originRequests().filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
  const ofVariants = new Map<string, number>();
  for (const { variant } of asked) ofVariants.set(variant, (ofVariants.get(variant) ?? 0) + 1 / minutes);
  // A variant that no client polled has no entry.
  const counts = [...ofVariants.values(), ...Array<number>(variants - ofVariants.size).fill(0)];
  return {
    clients,
    report,
    cpuSecondsAMinute: cpuSeconds / minutes,
    originRequestsAMinute: asked.length / minutes,
    originOfVariants: {
      mean: asked.length / minutes / variants,
      least: Math.min(...counts),
      most: Math.max(...counts),
    },
    doneShare: report.polls / (clients * (measuredMs / minuteMs)),
  };
}

/** Four items, one of them selected: the lists change at different times. */
async function publishItems({ factory }: NewsStage, withinMs: number): Promise<void> {
  for (let number = 0; number < 4; number += 1) {
    await delay(withinMs / 5);
    const publish = number === 2 ? factory.publishSelected : factory.publish;
    await publish({ title: `A release of ${systemClock.nowMs()}` });
  }
}

/** Requests to the api beyond the renewal of each variant every two seconds: polls during a renewal. */
export function forwardedShare({ originRequestsAMinute, report, doneShare, clients }: MeasuredPolls): number {
  const renewals = (variants * minuteMs) / renewedEveryMs;
  return report.polls === 0 ? 0 : Math.max(0, originRequestsAMinute - renewals) / (clients * doneShare);
}

/** nginx counts whole seconds: a copy that is valid for one is renewed in the second after the next. */
const renewedEveryMs = 2_000;
