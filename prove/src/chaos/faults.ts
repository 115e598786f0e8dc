import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { ChaosInstallation } from './installation.ts';
import type { Supervised } from './supervised.ts';

/** What a fault takes away while it lasts. */
type Affects = 'database' | 'edge' | 'api' | 'other';

export interface ChaosFault {
  readonly kind: string;
  /** Two faults at once have different targets. */
  readonly target: string;
  readonly affects: Affects;
  /** Returns what ends it. */
  readonly begin: () => Promise<() => Promise<void> | void>;
}

const slowByMs = 150;
const clockJumpsMs = [-300_000, -20_000, 20_000, 300_000] as const;

/** One of each kind, at a target that `random` chooses. */
export function drawFaults(installation: ChaosInstallation, random: () => number): readonly ChaosFault[] {
  const { apis, workers } = installation;
  const oneOf = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  return [
    ...[oneOf(apis), oneOf(workers)].flatMap((one) => processFaults(one, oneOf(clockJumpsMs))),
    ...postgresFaults(installation),
    ...poolerFaults(installation),
    ...routeFaults(installation),
    {
      kind: 'S3 gateway killed',
      target: 'bucket',
      affects: 'other',
      begin: async () => {
        await installation.bucket.kill();
        return installation.bucket.start;
      },
    },
    {
      kind: 'nginx worker killed',
      target: 'nginx',
      affects: 'edge',
      begin: async () => {
        for (const pid of childrenOf(installation.nginx.pid)) kill(pid, 'SIGKILL');
        return () => {};
      },
    },
    ...logDiskFault(installation),
  ];
}

function processFaults(one: Supervised, jumpMs: number): readonly ChaosFault[] {
  const { command, name: target } = one;
  const affects = command === 'api' ? 'api' : 'other';
  return [
    {
      kind: `${command} killed`,
      target,
      affects,
      begin: async () => {
        one.signal('SIGKILL');
        return () => {};
      },
    },
    {
      kind: `${command} frozen`,
      target,
      affects,
      begin: async () => {
        one.signal('SIGSTOP');
        return () => void one.signal('SIGCONT');
      },
    },
    {
      kind: `clock of ${command} moved`,
      target,
      affects,
      begin: async () => {
        await one.moveClock(jumpMs);
        return () => one.moveClock(0);
      },
    },
  ];
}

function postgresFaults({ cluster, databaseFolder, disks }: ChaosInstallation): readonly ChaosFault[] {
  const postmaster = (): number =>
    Number(readFileSync(join(databaseFolder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const shared = { target: 'postgres', affects: 'database' } as const;
  return [
    {
      ...shared,
      kind: 'PostgreSQL killed',
      begin: async () => {
        await cluster.stop('immediate');
        return cluster.start;
      },
    },
    {
      ...shared,
      kind: 'PostgreSQL frozen',
      begin: async () => {
        const pids = [postmaster(), ...childrenOf(postmaster())];
        for (const pid of pids) kill(pid, 'SIGSTOP');
        return () => {
          for (const pid of pids) kill(pid, 'SIGCONT');
        };
      },
    },
    ...(disks === null
      ? []
      : [
          {
            ...shared,
            kind: 'disk of PostgreSQL full',
            begin: async () => {
              const pid = postmaster();
              disks.database.fill();
              return async () => {
                disks.database.free();
                // Without room for its log it may have ended itself, which an operator’s unit starts again.
                await delay(1_000);
                if (!isAlive(pid)) await cluster.restart('immediate');
              };
            },
          },
        ]),
  ];
}

function poolerFaults({ pooler }: ChaosInstallation): readonly ChaosFault[] {
  const shared = { target: 'pooler', affects: 'database' } as const;
  return [
    {
      ...shared,
      kind: 'PgBouncer killed',
      begin: async () => {
        await pooler.kill();
        return pooler.start;
      },
    },
    {
      ...shared,
      kind: 'PgBouncer frozen',
      begin: async () => {
        kill(pooler.pid(), 'SIGSTOP');
        return () => void kill(pooler.pid(), 'SIGCONT');
      },
    },
  ];
}

function routeFaults({ routes }: ChaosInstallation): readonly ChaosFault[] {
  const ofDatabase = [routes.pooled, routes.direct];
  const both =
    (begin: (route: (typeof ofDatabase)[number]) => () => void) => async (): Promise<() => void> => {
      const ends = ofDatabase.map(begin);
      return () => ends.forEach((end) => end());
    };
  const database = { target: 'route to the database', affects: 'database' } as const;
  const bucket = { target: 'bucket', affects: 'other' } as const;
  return [
    { ...database, kind: 'connections to the database cut', begin: both((route) => route.cut()) },
    { ...database, kind: 'connections to the database slow', begin: both((route) => route.slow(slowByMs)) },
    { ...database, kind: 'connections to the database hang', begin: both((route) => route.hold()) },
    { ...bucket, kind: 'connections to S3 cut', begin: async () => routes.bucket.cut() },
    { ...bucket, kind: 'connections to S3 slow', begin: async () => routes.bucket.slow(slowByMs) },
    { ...bucket, kind: 'connections to S3 hang', begin: async () => routes.bucket.hold() },
  ];
}

function logDiskFault({ disks }: ChaosInstallation): readonly ChaosFault[] {
  if (disks === null) return [];
  const begin = async (): Promise<() => void> => {
    disks.log.fill();
    return disks.log.free;
  };
  return [{ kind: 'disk of the workers full', target: 'log disk', affects: 'other', begin }];
}

function childrenOf(pid: number): readonly number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(Number);
}

function isAlive(pid: number): boolean {
  return kill(pid, 0);
}

/** False if it does not run. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
