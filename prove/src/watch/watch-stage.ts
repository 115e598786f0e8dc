import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { sql } from 'kysely';

import type { Database, DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { addMs, parseIsoInstant } from '../../../apps/server/src/foundation/instant.ts';
import { createSecretBox } from '../../../apps/server/src/foundation/secret-box.ts';
import { createRecordFactory, valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import { startMailServer } from '../../../apps/server/test/mail-server.ts';
import { fileClock, setFileClock } from '../editions/file-clock.ts';
import { setEngineStage } from '../engine/engine-stage.ts';
import { startWorkerSupervisor } from '../engine/worker-supervisor.ts';
import type { WatchWorkerSettings } from '../processes/watch-worker.ts';
import type { ArrivedWatchMail } from './watch-mails.ts';
import { readWatchMail } from './watch-mails.ts';
import { startCanary, startReceivers } from './watch-receivers.ts';

const program = fileURLToPath(new URL('../processes/watch-worker.ts', import.meta.url));

export type WatchStage = Awaited<ReturnType<typeof setWatchStage>>;

/** Two workers with a real mail server and receivers of webhooks, by a clock of the suite. */
export async function setWatchStage(startsAt: string) {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-watch-'));
  const [engine, clockFile] = [await setEngineStage(), join(folder, 'clock')];
  const clock = fileClock(clockFile);
  const setTime = (time: string): void => setFileClock(clockFile, valueOf(parseIsoInstant(time)));
  setTime(startsAt);
  const { applicationUrl: databaseUrl } = engine;
  const connection = connect(databaseUrl);
  const { database } = connection;
  const { mails, hooks, mailServer, canary, receivers } = await startOutside();
  const secretKey = randomBytes(32).toString('hex');
  const settings: WatchWorkerSettings = {
    databaseUrl,
    clockFile,
    smtpUrl: mailServer.url,
    secretKey,
    receiverPort: receivers.port,
    privateAddresses: ['127.0.0.1'],
  };
  const logFile = join(folder, 'workers.log');
  const workers = startWorkerSupervisor({ program, slots: 2, settings, logFile });
  const factory = createRecordFactory({ database, clock });
  return {
    database,
    query: engine.query,
    clock,
    factory,
    deps: { database, clock, ids: factory.ids, secretBox: createSecretBox([secretKey]) },
    mails,
    hooks,
    canary,
    receivers,
    /** Both: one of them is at work, whichever it is. */
    killWorkers: (): void => {
      for (const slot of [0, 1]) workers.signal(slot, 'SIGKILL');
    },
    setTime,
    advance: (milliseconds: number): void => setFileClock(clockFile, addMs(clock.now(), milliseconds)),
    remove: async (): Promise<void> => {
      await workers.stop();
      await mailServer.stop();
      receivers.stop();
      canary.stop();
      await connection.close();
      await engine.remove();
      await rm(folder, { recursive: true });
    },
  };
}

function connect(url: string): DatabaseConnection {
  return connectDatabase({
    url,
    name: 'prove watch',
    connectionsMax: 8,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 5_000,
  });
}

/** The mail server, the receivers of webhooks, and what nothing may connect to. */
async function startOutside() {
  const mails: ArrivedWatchMail[] = [];
  const hooks = { onMail: (): void => {} };
  const mailServer = await startMailServer((source, [to = '']) => {
    mails.push(readWatchMail(source, to));
    hooks.onMail();
  });
  const canary = await startCanary();
  const receivers = await startReceivers(`http://127.0.0.1:${canary.port}/`);
  return { mails, hooks, mailServer, canary, receivers };
}

/** Entries of the public log that were not compared yet, also those without a place. */
export async function entriesWaiting(database: Database): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    SELECT (SELECT count(*) FROM record.log_entry WHERE leaf_index IS NULL OR leaf_index >= progress.next_leaf)::int
      AS waiting FROM watch.progress`.execute(database);
  return rows[0]?.waiting ?? 0;
}

/** Whether a worker is inside the transaction that compares, and how far the last one came. */
export async function comparing(
  database: Database,
): Promise<{ readonly isLocked: boolean; readonly nextLeaf: number }> {
  const { rows } = await sql<{ next_leaf: number; locked: boolean }>`
    WITH free AS (SELECT FROM watch.progress FOR UPDATE SKIP LOCKED)
    SELECT next_leaf::int, NOT EXISTS (SELECT FROM free) AS locked FROM watch.progress`.execute(database);
  return { isLocked: rows[0]?.locked ?? false, nextLeaf: rows[0]?.next_leaf ?? 0 };
}

/** Until everything published was compared. */
export async function untilCompared({ database }: WatchStage): Promise<void> {
  while ((await entriesWaiting(database)) > 0) await delay(50);
}

/** Until every delivery to these webhooks has arrived; time advances, so that failed ones are repeated. */
export async function untilDelivered(stage: WatchStage, webhookIds: readonly string[]): Promise<void> {
  const isOpen = async (): Promise<boolean> => {
    const { rows } = await sql<{ open: boolean }>`
      SELECT EXISTS (SELECT FROM watch.delivery JOIN watch.webhook ON webhook.id = webhook_id
        WHERE state IN ('waiting', 'sending') AND disabled_at IS NULL
          AND webhook_id = ANY (${[...webhookIds]}::uuid[])) AS open`.execute(stage.database);
    return rows[0]?.open === true;
  };
  while (await isOpen()) {
    await delay(100);
    stage.advance(30_000);
  }
}

/** Until the mail of the hour that has begun was sent, or listed. */
export async function untilMailed({ database, clock }: WatchStage): Promise<void> {
  const hour = new Date(clock.nowMs()).toISOString().slice(0, 13);
  const isOpen = async (): Promise<boolean> => {
    const { rows } = await sql<{ open: boolean }>`
      SELECT NOT EXISTS (SELECT FROM watch.mail_period WHERE period = ${hour} AND completed_at IS NOT NULL)
        OR EXISTS (SELECT FROM watch.mail_period WHERE completed_at IS NULL)
        OR EXISTS (SELECT FROM watch.mail WHERE state IN ('waiting', 'sending')) AS open`.execute(database);
    return rows[0]?.open === true;
  };
  while (await isOpen()) await delay(50);
}
