import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { sql } from 'kysely';

import { readConfig } from '../../../apps/server/src/config/config.ts';
import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { addMs, parseIsoInstant } from '../../../apps/server/src/foundation/instant.ts';
import type { Mailing } from '../../../apps/server/src/mailing/index.ts';
import type { editions } from '../../../apps/server/src/record/index.ts';
import { openMailing } from '../../../apps/server/src/wiring/mailing.ts';
import { createRecordFactory, valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import { startMailServer } from '../../../apps/server/test/mail-server.ts';
import { fileClock, setFileClock } from '../editions/file-clock.ts';
import { setEngineStage } from '../engine/engine-stage.ts';
import type { WorkerSupervisor } from '../engine/worker-supervisor.ts';
import { startWorkerSupervisor } from '../engine/worker-supervisor.ts';
import type { RecordFactory } from '../news/news-stage.ts';
import type { MailingWorkerSettings } from '../processes/mailing-worker.ts';

/** One mail as the server took it. */
export interface ArrivedMail {
  readonly to: string;
  /** `daily 2026-11-15`; null for other mail. */
  readonly edition: string | null;
  readonly token: string;
}

export interface MailingStage {
  readonly database: Database;
  readonly mailing: Mailing;
  readonly arrived: readonly ArrivedMail[];
  readonly workers: WorkerSupervisor;
  /** Called for each mail when it has arrived whole and before the worker gets the response. */
  onArrival: (mail: ArrivedMail) => void;
  /** The mail server's response to a recipient. */
  refusalOf: (recipient: string) => number | null;
  readonly issue: (kind: editions.EditionKind, period: string) => Promise<void>;
  readonly setTime: (time: string) => void;
  /** Until no mail is queued or in transit. Time advances, so that delayed mail is retried. */
  readonly untilSettled: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

const program = fileURLToPath(new URL('../processes/mailing-worker.ts', import.meta.url));

/** Two workers that send mail to a real SMTP server, by a clock of the suite. */
export async function setMailingStage(): Promise<MailingStage> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-mailing-'));
  const [engine, clockFile] = [await setEngineStage(), join(folder, 'clock')];
  const clock = fileClock(clockFile);
  const { applicationUrl } = engine;
  const connection = connectDatabase({
    url: applicationUrl,
    name: 'prove mailing',
    connectionsMax: 8,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 5_000,
  });
  const { database } = connection;
  const arrived: ArrivedMail[] = [];
  const server = await startMailServer(
    (source, recipients) => {
      const mail = arrivedMail(source, recipients[0] ?? '');
      arrived.push(mail);
      stage.onArrival(mail);
    },
    (recipient) => stage.refusalOf(recipient),
  );
  const mailing = openMailing(
    readConfig({ DATABASE_URL: applicationUrl, DAYBOOK_SMTP_URL: server.url }),
    database,
    clock,
  );
  if (mailing === null) throw new Error('no mail server is configured');
  const setTime = (time: string): void => setFileClock(clockFile, valueOf(parseIsoInstant(time)));
  setTime('2026-11-15T00:30:00.000Z');
  const settings: MailingWorkerSettings = { databaseUrl: applicationUrl, clockFile, smtpUrl: server.url };
  const logFile = join(folder, 'workers.log');
  const workers = startWorkerSupervisor({ program, slots: 2, settings, logFile });
  const factory = createRecordFactory({ database, clock });
  const stage: MailingStage = {
    onArrival: () => {},
    refusalOf: () => null,
    database,
    mailing,
    arrived,
    workers,
    setTime,
    issue: (kind, period) => issueEdition(factory, { kind, period }),
    untilSettled: async () => {
      while ((await openWork(database)) > 0) {
        await delay(250);
        setFileClock(clockFile, addMs(clock.now(), 15_000));
      }
    },
    remove: async () => {
      await workers.stop();
      await server.stop();
      await connection.close();
      await engine.remove();
      await rm(folder, { recursive: true });
    },
  };
  return stage;
}

async function issueEdition(
  { publisher, publishSelected }: RecordFactory,
  { kind, period }: editions.EditionKey,
): Promise<void> {
  const item = await publishSelected({ title: `What happened by ${period}` });
  const contents = {
    headline: `All of ${period}`,
    overview: 'It was a long one.',
    headlineCites: [item],
    overviewCites: [item],
    sections: [{ key: 'ai-models', label: 'Models', itemIds: [item] }],
    flashes: [],
  };
  valueOf(await publisher.issueEdition({ kind, period, contents }));
}

function arrivedMail(source: string, to: string): ArrivedMail {
  const text = source.replaceAll('=\r\n', '');
  return {
    to,
    edition: /^Subject: Daybook ((?:daily|weekly) \S+):/m.exec(source)?.[1] ?? null,
    token: /token=(?:3D)?([0-9a-f]{64})/.exec(text)?.[1] ?? '',
  };
}

/** Mails to be sent, and editions whose mails are still to be made. */
async function openWork(database: Database): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    SELECT (SELECT count(*)::int FROM mailing.delivery WHERE state IN ('waiting', 'sending'))
      + (SELECT count(*)::int FROM record.edition e LEFT JOIN mailing.mailed_edition m USING (kind, period)
         WHERE e.kind IN ('daily', 'weekly') AND m.completed_at IS NULL) AS open`.execute(database);
  return rows[0]?.open ?? 0;
}
