import type { Constants } from './constants.ts';

export interface Demand {
  /** Programs and readers that each poll one address a minute. */
  readonly clients: number;
  readonly entriesPerDay: number;
  readonly accounts: number;
  readonly sources: number;
}

export interface Plan {
  readonly polls: { readonly perSecond: number };
  readonly edge: {
    /** null: api processes answer all polls themselves. */
    readonly processors: number | null;
    readonly gigabitsPerSecond: number;
  };
  readonly api: { readonly processes: number; readonly requestsPerSecond: number };
  readonly workers: { readonly processes: number; readonly pollsPerSecond: number };
  readonly database: {
    readonly processors: number;
    readonly gigabytesPerYear: number;
    readonly connections: number;
    readonly needsPooler: boolean;
  };
}

/** What is assumed, not measured; `npm run capacity -- --help` prints it. */
export const assumptions = {
  /** Part of a processor that is used at the peak, so that queues stay short. */
  usedAtMost: 0.6,
  /** The busiest minute of entries and sign-ins, of the average of the day. */
  peakOfAverage: 5,
  /** Polls that find nothing new. */
  unchangedShare: 0.95,
  /** Bytes of a list of 50 items, compressed, and of a 304. */
  listBytes: 12_000,
  unchangedBytes: 400,
  /** Addresses that are polled, in three encodings; nginx renews its copy of each every two seconds. */
  polledAddresses: 200,
  encodings: 3,
  renewedEverySeconds: 2,
  /** Accounts that sign in on a day, with a password. */
  signInsPerAccountAndDay: 0.2,
  /** A poll of each source every 15 minutes, and the peak of the first polls is not part of it. */
  pollsPerSourceAndDay: 96,
  /** Two of each, so that one can be replaced. */
  processesMin: 2,
  /** Two logins with 10 connections, and one that listens. */
  connectionsPerProcess: 21,
  /** PostgreSQL allows 100 by default, some of them for operators. */
  connectionsWithoutPooler: 90,
} as const;

const secondsPerDay = 86_400;

export function planCapacity(demand: Demand, constants: Constants): Plan {
  const { usedAtMost, peakOfAverage, processesMin } = assumptions;
  const polls = demand.clients / 60;
  const allByApi = pollSeconds(polls, constants);
  const hasEdge = allByApi > processesMin * usedAtMost;
  const originPolls = hasEdge ? Math.min(polls, edgeMissesPerSecond(polls, constants)) : polls;
  const signIns = (demand.accounts * assumptions.signInsPerAccountAndDay * peakOfAverage) / secondsPerDay;
  const apiSeconds = pollSeconds(originPolls, constants) + (2 * signIns) / constants.signInsPerSecond;
  const entries = (demand.entriesPerDay * peakOfAverage) / secondsPerDay;
  const sourcePolls = (demand.sources * assumptions.pollsPerSourceAndDay) / secondsPerDay;
  const workerSeconds = (entries * constants.entryWorkerMs) / 1_000 + sourcePolls / constants.pollsPerSecond;
  const processesFor = (seconds: number): number => Math.max(processesMin, Math.ceil(seconds / usedAtMost));
  const [api, workers] = [processesFor(apiSeconds), processesFor(workerSeconds)];
  const databaseSeconds = (entries * (constants.entryMs - constants.entryWorkerMs)) / 1_000;
  const connections = (api + workers) * assumptions.connectionsPerProcess;
  return {
    polls: { perSecond: polls },
    edge: {
      processors: hasEdge ? Math.ceil(polls / constants.edgePerCpuSecond / usedAtMost) : null,
      gigabitsPerSecond: (polls * 8 * bytesOfPoll()) / 1e9,
    },
    api: { processes: api, requestsPerSecond: originPolls },
    workers: { processes: workers, pollsPerSecond: sourcePolls },
    database: {
      processors: Math.max(1, Math.ceil(databaseSeconds / usedAtMost)),
      gigabytesPerYear: (demand.entriesPerDay * 365 * constants.entryBytes) / 1e9,
      connections,
      needsPooler: connections > assumptions.connectionsWithoutPooler,
    },
  };
}

/** Processor seconds of api processes in a second of such polls. */
export function pollSeconds(
  perSecond: number,
  {
    unchangedPerCpuSecond,
    listsPerCpuSecond,
  }: Pick<Constants, 'unchangedPerCpuSecond' | 'listsPerCpuSecond'>,
  unchangedShare: number = assumptions.unchangedShare,
): number {
  return (
    (perSecond * unchangedShare) / unchangedPerCpuSecond +
    (perSecond * (1 - unchangedShare)) / listsPerCpuSecond
  );
}

function edgeMissesPerSecond(polls: number, { forwardedPercent }: Constants): number {
  const { polledAddresses, encodings, renewedEverySeconds } = assumptions;
  return (polledAddresses * encodings) / renewedEverySeconds + (polls * forwardedPercent) / 100;
}

function bytesOfPoll(): number {
  const { unchangedShare, unchangedBytes, listBytes } = assumptions;
  return unchangedShare * unchangedBytes + (1 - unchangedShare) * listBytes;
}
