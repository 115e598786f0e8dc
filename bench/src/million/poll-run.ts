import { setTimeout as delay } from 'node:timers/promises';

import { quantile } from '@daybook/evidence';

import type { PollAnswer, PollConnection } from './poll-connection.ts';
import { openPollConnection } from './poll-connection.ts';
import type { RequestTags } from './request-tags.ts';
import { createRequestTags } from './request-tags.ts';
import type { SimulatedClients } from './simulated-clients.ts';
import { createClients } from './simulated-clients.ts';

export interface PollDemand {
  readonly port: number;
  readonly paths: readonly string[];
  readonly clients: number;
  readonly connections: number;
  /** Not counted. */
  readonly warmUpMs: number;
  readonly measuredMs: number;
}

export interface PollReport {
  readonly polls: number;
  /** Of these, answered with 304. */
  readonly unchanged: number;
  /** Of bodies. */
  readonly bytes: number;
  /** How long after they were due 99 % of the polls were sent at the latest, and how long 99 % of the responses took. */
  readonly lateMs: number;
  readonly responseMs: number;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** Polls as these clients would, for the demanded time. `onMeasuring` is called when the warm-up ends. */
export async function runPolls(demand: PollDemand, onMeasuring: () => void): Promise<PollReport> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const connections = await Promise.all(
    Array.from({ length: demand.connections }, () => openPollConnection(demand.port, failed.reject)),
  );
  const tags = createRequestTags(demand.paths, demand.port);
  const firstTags = await readFirstTags(connections[0] as PollConnection, tags);
  const clients = createClients(
    demand.clients,
    performance.now(),
    { firstTags, shares: tags.shares },
    demand.clients,
  );
  const polling = startPolling(connections, clients, tags);
  try {
    await Promise.race([delay(demand.warmUpMs), failed.promise]);
    const tally = startTally();
    const cpu = process.cpuUsage();
    polling.countIn(tally);
    onMeasuring();
    await Promise.race([delay(demand.measuredMs), failed.promise]);
    polling.countIn(null);
    const { user, system } = process.cpuUsage(cpu);
    return {
      ...tally.counts,
      lateMs: tally.late.length === 0 ? 0 : quantile(tally.late, 0.99),
      responseMs: tally.responses.length === 0 ? 0 : quantile(tally.responses, 0.99),
      cpuSeconds: (user + system) / 1e6,
      residentBytes: process.memoryUsage.rss(),
    };
  } finally {
    polling.stop();
    for (const connection of connections) connection.close();
  }
}

async function readFirstTags(connection: PollConnection, tags: RequestTags): Promise<readonly number[]> {
  const found: number[] = [];
  for (let variant = 0; variant < tags.shares.length; variant += 1) {
    const { promise, resolve } = Promise.withResolvers<PollAnswer>();
    connection.poll(tags.firstRequest(variant), resolve);
    found.push(tags.tagOf(variant, (await promise).etag));
  }
  return found;
}

interface Tally {
  readonly counts: { polls: number; unchanged: number; bytes: number };
  /** Of every 16th poll. */
  readonly late: number[];
  readonly responses: number[];
}

function startTally(): Tally {
  return { counts: { polls: 0, unchanged: 0, bytes: 0 }, late: [], responses: [] };
}

const sampledEvery = 16;

/** Sends each poll when it is due and a connection is free. */
function startPolling(
  connections: readonly PollConnection[],
  clients: SimulatedClients,
  tags: RequestTags,
): { readonly countIn: (tally: Tally | null) => void; readonly stop: () => void } {
  const free = [...connections];
  let tally: Tally | null = null;
  const send = (connection: PollConnection, client: number, nowMs: number): void => {
    const lateMs = nowMs - clients.dueAtMs();
    connection.poll(tags.request(clients.tagOf(client)), (answer) => {
      free.push(connection);
      if (answer.status === 200) clients.setTag(client, tags.tagOf(clients.variantOf(client), answer.etag));
      if (tally !== null) count(tally, answer, lateMs, nowMs);
      sendDue();
    });
  };
  const sendDue = (): void => {
    const nowMs = performance.now();
    while (free.length > 0) {
      const client = clients.nextDue(nowMs);
      if (client === null) return;
      send(free.pop() as PollConnection, client, nowMs);
    }
  };
  const timer = setInterval(sendDue, 1);
  return {
    countIn: (next) => {
      tally = next;
    },
    stop: () => {
      clearInterval(timer);
    },
  };
}

function count({ counts, late, responses }: Tally, answer: PollAnswer, lateMs: number, sentMs: number): void {
  counts.polls += 1;
  counts.bytes += answer.bytes;
  if (answer.status === 304) counts.unchanged += 1;
  if (counts.polls % sampledEvery !== 0) return;
  late.push(lateMs);
  responses.push(performance.now() - sentMs);
}
