import { setTimeout as delay } from 'node:timers/promises';

import type { BucketServer } from '@daybook/local-bucket';

import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import type { WorkerSupervisor } from '../engine/worker-supervisor.ts';
import type { BucketForwarder } from './bucket-forwarder.ts';

/** A bucket on S3 that can fail. */
export interface FaultyBucket {
  readonly server: Pick<BucketServer, 'kill' | 'start'>;
  readonly forwarder: Pick<BucketForwarder, 'cut'>;
}

export interface StorageFault {
  readonly kind: string;
  readonly cause: () => Promise<void> | void;
}

const gatewayAwayMs = 200;

/** One after the other; the first of them are one of each kind. */
export function storageFaults(
  stage: StorageStage,
  workers: Pick<WorkerSupervisor, 'signal'>,
  bucket: FaultyBucket | null,
): readonly StorageFault[] {
  const killApi = (slot: number): StorageFault => ({
    kind: 'api killed',
    cause: async () => {
      requireAllAlive(stage);
      stage.processes[slot]?.child.kill('SIGKILL');
      stage.processes[slot] = await stage.startApi();
    },
  });
  const killWorker = (slot: number): StorageFault => ({
    kind: 'worker killed',
    cause: () => workers.signal(slot, 'SIGKILL'),
  });
  const cutSessions = async (): Promise<void> => {
    await stage.superuser.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'daybook%' AND pid <> pg_backend_pid()",
    );
  };
  const killGateway = async ({ server }: FaultyBucket): Promise<void> => {
    await server.kill();
    await delay(gatewayAwayMs);
    await server.start();
  };
  return [
    killApi(0),
    { kind: 'database sessions ended', cause: cutSessions },
    killWorker(0),
    ...(bucket === null ? [] : [{ kind: 'gateway killed', cause: () => killGateway(bucket) }]),
    { kind: 'database restarted', cause: stage.restartDatabase },
    ...(bucket === null ? [] : [{ kind: 'bucket connections cut', cause: bucket.forwarder.cut }]),
    killApi(1),
    killWorker(1),
  ];
}

/** No fault but `kill -9` ends an api process. */
export function requireAllAlive({ processes }: StorageStage): void {
  for (const { child, log } of processes)
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`an api process ended by itself: ${log()}`);
}

/** The number of each kind. */
export async function causeFaults(
  faults: readonly StorageFault[],
  { count, pauseMs }: { readonly count: number; readonly pauseMs: () => number },
  onFault: (number: number) => void,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let number = 0; number < count; number += 1) {
    await delay(pauseMs());
    const fault = faults[number % faults.length];
    if (fault === undefined) break;
    await fault.cause();
    counts.set(fault.kind, (counts.get(fault.kind) ?? 0) + 1);
    onFault(number + 1);
  }
  return counts;
}
