import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { SuiteContext } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createRecordFactory } from '../../../apps/server/test/factories/record-factory.ts';
import { ask } from '../news/http-question.ts';
import { startArchivedCluster } from './archived-cluster.ts';
import type { Credentials, Installation } from './installation.ts';
import { createProject, install, obtainCredentials, readContent, uploadFile } from './installation.ts';
import type { ReceiverProgram } from './wal-receiver.ts';

/** A write whose success a client or a worker has learned. */
interface AnsweredWrite {
  readonly kind: 'item' | 'file';
  readonly id: string;
  readonly text: string;
  readonly began: number;
  readonly answered: number;
}

const writersOfEach = 2;
const archiveTimeoutSeconds = 2;

/** Null: the restore has only what was archived. */
export async function proveLoss(context: SuiteContext, receiver: ReceiverProgram | null): Promise<void> {
  const label = receiver === null ? 'with archived log' : 'with pg_receivewal';
  const server = await startArchivedCluster(archiveTimeoutSeconds);
  const folder = await mkdtemp(join(tmpdir(), 'daybook-loss-'));
  try {
    const here = await install(context, server, folder);
    const seconds = (context.quick ? 3 : 20) * (0.5 + Math.random());
    const writes = await here.withApi(async (port) => {
      const held = await obtainCredentials(port);
      const projectId = await createProject(port, held);
      await server.backUp();
      if (receiver !== null) await server.waitForReceiver(receiver);
      const load = startLoad(here, held, projectId);
      await delay(seconds * 1_000);
      await server.destroy();
      return load.end();
    });
    context.note(`${label}: the disk was destroyed after ${seconds.toFixed(2)} s of load`);
    const started = performance.now();
    await server.restore();
    for (const line of (await here.run('restore-check', '--no-revocations')).trim().split('\n'))
      if (/verification|broken|expected/.test(line)) context.note(`${label}: ${line}`);
    await here.withApi(async (port) => {
      context.figure({
        name: `${label}: from the empty disk to an api process that is ready`,
        value: (performance.now() - started) / 60_000,
        unit: 'minutes',
      });
      await reportLoss(context, port, { label, writes, mayLose: receiver === null });
    });
    context.figure({
      name: `${label}: backup and log`,
      value: (await server.backupBytes()) / 1e6,
      unit: 'MB',
    });
  } finally {
    await server.remove();
    await rm(folder, { recursive: true });
  }
}

interface Load {
  readonly end: () => Promise<readonly AnsweredWrite[]>;
}

/** Each writer ends with its first write that fails. */
function startLoad({ urls, port }: Installation, held: Credentials, projectId: string): Load {
  const connection = connectDatabase({
    url: urls.application,
    name: 'prove load',
    connectionsMax: writersOfEach,
    connectTimeoutMs: 5_000,
  });
  const factory = createRecordFactory({ database: connection.database, clock: systemClock });
  const answered: AnsweredWrite[] = [];
  const writeUntilFailure = async (
    kind: AnsweredWrite['kind'],
    write: (text: string) => Promise<string | null>,
    writer: number,
  ): Promise<void> => {
    for (let turn = 0; ; turn += 1) {
      const text = `${kind}-${writer}-${turn}`;
      const began = performance.now();
      const id = await write(text).catch(() => null);
      if (id === null) return;
      answered.push({ kind, id, text, began, answered: performance.now() });
    }
  };
  const writers = Array.from({ length: writersOfEach }, (_, writer) => [
    writeUntilFailure('item', (text) => factory.publishSelected({ title: text }), writer),
    writeUntilFailure('file', (text) => uploadFile(port, held, { projectId, name: text, text }), writer),
  ]).flat();
  return {
    end: async () => {
      await Promise.all(writers);
      await connection.close();
      return answered;
    },
  };
}

async function reportLoss(
  { figure, note }: SuiteContext,
  port: number,
  { label, writes, mayLose }: Readonly<{ label: string; writes: readonly AnsweredWrite[]; mayLose: boolean }>,
): Promise<void> {
  const reader = await obtainCredentials(port);
  const isThere = async ({ kind, id, text }: AnsweredWrite): Promise<boolean> =>
    kind === 'file'
      ? (await readContent(port, reader, id)) === text
      : (await ask(port, { path: `/api/v1/items/${id}` })).text.includes(text);
  const missing: AnsweredWrite[] = [];
  const present: AnsweredWrite[] = [];
  for (const write of writes) ((await isThere(write)) ? present : missing).push(write);
  for (const kind of ['item', 'file'] as const)
    figure({
      name: `${label}: answered writes of ${kind}s`,
      value: writes.filter((write) => write.kind === kind).length,
      unit: 'writes',
      goal: { atLeast: 1 },
    });
  figure({
    name: `${label}: answered writes that are missing`,
    value: missing.length,
    unit: 'writes',
    ...(!mayLose && { goal: { exactly: 0 } }),
  });
  if (!mayLose) return;
  const last = Math.max(...writes.map(({ answered }) => answered));
  const firstMissing = Math.min(last, ...missing.map(({ answered }) => answered));
  figure({ name: `${label}: lost time`, value: (last - firstMissing) / 1_000, unit: 's' });
  note(`${label}: archive_timeout is ${archiveTimeoutSeconds} s`);
  // What is lost is the end: a write is not missing if a later one is there.
  const lastPresent = Math.max(0, ...present.map(({ began }) => began));
  figure({
    name: `${label}: missing writes that were answered before a present one began`,
    value: missing.filter(({ answered }) => answered < lastPresent).length,
    unit: 'writes',
    goal: { exactly: 0 },
  });
}
