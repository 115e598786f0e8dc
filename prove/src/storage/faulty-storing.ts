import { setTimeout as delay } from 'node:timers/promises';

import type { SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';
import type { BucketServer } from '@daybook/local-bucket';

import { isDatabaseUnreachable } from '../../../apps/server/src/foundation/database/database.ts';
import { appendedPartBytes } from '../../../apps/server/src/storage/bucket/bucket.ts';
import { removeGarbage } from '../../../apps/server/src/storage/files/empty-trash.ts';
import { verifyStorage } from '../../../apps/server/src/storage/files/verify-storage.ts';
import { discardLeftovers, finishUploads } from '../../../apps/server/src/storage/uploads/finish-uploads.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { sendBytes } from '../../../apps/server/test/storage-stage.ts';
import { FaultyClient, hashOf } from './faulty-client.ts';

type Gateway = Pick<BucketServer, 'kill' | 'start'>;

/** With a gateway it is killed too, and clients also send parts to it themselves. */
export async function storeUnderFaults(
  context: SuiteContext,
  stage: StorageStage,
  gateway: Gateway | null,
): Promise<void> {
  const id = await stage.newProject('faults');
  const sizes = context.quick
    ? [0, 1, 65_535, 65_537, 300_000]
    : [0, 1, 5 * 1024 * 1024 - 1, 5 * 1024 * 1024 + 1, 300_000, appendedPartBytes + 1];
  const clients = Array.from(
    { length: context.quick ? 6 : 20 },
    (_, index) => new FaultyClient(stage, { id, sizes }, `c${index}`, seededRandom(500 + index)),
  );
  const end = new AbortController();
  const { signal } = end;
  const work = [
    ...clients.map((client) => repeat(signal, () => client.act())),
    repeat(signal, async () => {
      await sweep(stage);
      await delay(100);
    }),
  ];
  const faults = await causeFaults(stage, context.quick ? 4 : 60, gateway);
  end.abort();
  await Promise.all(work);
  // Who was never answered may have left an upload open: its time is over now.
  await stage.superuser.pool.query(
    "UPDATE storage.upload SET expires_at = now() - interval '1 s' WHERE state = 'open'",
  );
  await sweep(stage);
  await judge(context, stage, clients, faults);
}

async function repeat(signal: AbortSignal, act: () => Promise<void>): Promise<void> {
  while (!signal.aborted) await act();
}

/** The database or the bucket may be gone in the middle of it, as they may for a worker. */
async function sweep({ upkeep }: StorageStage): Promise<void> {
  for (const step of [finishUploads, discardLeftovers, removeGarbage])
    await step(upkeep).catch((error: unknown) => {
      if (!isDatabaseUnreachable(error) && !isBucketAway(error)) throw error;
    });
}

/** A connection that ended or was refused, or an answer of 500 and more. */
function isBucketAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, $metadata } = error as { code?: string; $metadata?: { httpStatusCode?: number } };
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code ?? '') ||
    ($metadata?.httpStatusCode ?? 0) >= 500 ||
    isBucketAway(error.cause)
  );
}

async function causeFaults(stage: StorageStage, count: number, gateway: Gateway | null): Promise<number> {
  const random = seededRandom(7);
  const killApi = async (slot: number): Promise<void> => {
    stage.processes[slot]?.child.kill('SIGKILL');
    stage.processes[slot] = await stage.startApi();
  };
  const cutConnections = async (): Promise<void> => {
    await stage.superuser.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'daybook%' AND pid <> pg_backend_pid()",
    );
  };
  const killGateway = async (): Promise<void> => {
    await gateway?.kill();
    await delay(200);
    await gateway?.start();
  };
  const kinds = [
    () => killApi(0),
    () => killApi(1),
    cutConnections,
    ...(gateway === null ? [] : [killGateway]),
  ];
  for (let fault = 0; fault < count; fault += 1) {
    await delay(150 + random() * 400);
    await kinds[fault % kinds.length]?.();
  }
  return count;
}

async function judge(
  context: SuiteContext,
  stage: StorageStage,
  clients: readonly FaultyClient[],
  faults: number,
): Promise<void> {
  const sum = (count: (client: FaultyClient) => number): number =>
    clients.reduce((total, client) => total + count(client), 0);
  context.figure({ name: 'faults', value: faults, unit: 'faults', goal: { atLeast: 4 } });
  const answered = sum((client) => client.answered);
  context.figure({ name: 'requests answered', value: answered, unit: 'requests', goal: { atLeast: 100 } });
  const unanswered = sum((client) => client.unanswered);
  context.figure({
    name: 'requests without an answer',
    value: unanswered,
    unit: 'requests',
    goal: { atLeast: 1 },
  });
  const none = (name: string, value: number, unit: string): void =>
    context.figure({ name, value, unit, goal: { exactly: 0 } });
  none(
    'answered otherwise than expected',
    sum((client) => client.unexpected),
    'requests',
  );
  let [read, wrong] = [0, 0];
  for (const file of clients.flatMap(({ files }) => files)) {
    if (file.trashed === null || file.sha256 === null) continue;
    const path = `/api/v1/files/${file.id}/content`;
    const { port = 0 } = stage.processes[0] ?? {};
    const answer = await sendBytes(port, { method: 'GET', path, headers: stage.headers }, Buffer.alloc(0));
    read += 1;
    const isRight = file.trashed
      ? answer?.status === 404
      : answer?.status === 200 && hashOf(answer.body) === file.sha256;
    if (!isRight) wrong += 1;
    if (!isRight) context.note(`${file.name} ${file.id}: ${answer?.status}, trashed ${file.trashed}`);
  }
  context.figure({ name: 'files compared', value: read, unit: 'files', goal: { atLeast: 30 } });
  none('of these lost, or not byte for byte', wrong, 'files');
  for (const { promise, offenders } of await verifyStorage(stage.upkeep)) {
    for (const offender of offenders.slice(0, 3)) context.note(offender);
    none(`found against: ${promise}`, offenders.length, 'things');
  }
}
