import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readConfig } from '../../../apps/server/src/config/config.ts';
import type { CalendarClock } from '../../../apps/server/src/foundation/clock.ts';
import { dayMs, systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import type { EngineTimings } from '../../../apps/server/src/foundation/engine/engine.ts';
import { requestSubscription, saveSubscription } from '../../../apps/server/src/mailing/index.ts';
import { openMailing } from '../../../apps/server/src/wiring/mailing.ts';
import { startMailServer } from '../../../apps/server/test/mail-server.ts';
import { moveClock, movedClock } from '../editions/file-clock.ts';
import type { EngineStage } from '../engine/engine-stage.ts';
import { setEngineStage } from '../engine/engine-stage.ts';
import type { WorkerSupervisor } from '../engine/worker-supervisor.ts';
import { startWorkerSupervisor } from '../engine/worker-supervisor.ts';
import { freePorts } from '../http/api-child.ts';
import type { DaybookChild } from '../http/daybook-child.ts';
import { startDaybook } from '../http/daybook-child.ts';
import { untilRight } from '../news/watch-withdrawal.ts';
import type { WireSettings } from '../wire/wire-stage.ts';
import { addSourcesTo, wireWorker } from '../wire/wire-stage.ts';
import type { ScriptedOutlets } from './scripted-outlets.ts';
import { startScriptedOutlets } from './scripted-outlets.ts';

/** Scripted publishers, two workers with a clock that can be moved, and api processes. */
export interface LivingStage {
  readonly root: string;
  readonly engine: EngineStage;
  readonly outlets: ScriptedOutlets;
  readonly ports: readonly number[];
  readonly workers: WorkerSupervisor;
  /** Subscribes a reader to dailies and confirms it. */
  readonly subscribe: (email: string) => Promise<void>;
  /** As the mail server took them. */
  readonly mails: readonly { readonly to: string; readonly source: string }[];
  /** The next 08:00 in Shanghai. */
  readonly dailyDueMs: number;
  /** What the workers' clock shows. */
  readonly nowMs: () => number;
  /** Forward only, and not beyond the next daily. */
  readonly moveTo: (ms: number) => void;
  readonly remove: () => Promise<void>;
}

export async function setLivingStage(
  root: string,
  size: {
    readonly apis: number;
    readonly outlets: number;
    readonly intervalMs: number;
    readonly leaseMs: number;
    readonly timings: Partial<EngineTimings>;
  },
): Promise<LivingStage> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-living-'));
  const clockFile = join(folder, 'clock');
  // Behind the time of the api processes wherever it is moved: what has not happened yet is not shown.
  const dueMs = Math.floor(systemClock.nowMs() / dayMs) * dayMs;
  let aheadMs = dueMs - dayMs / 2 - systemClock.nowMs();
  moveClock(clockFile, aheadMs);
  const engine = await setEngineStage();
  const outlets = await startScriptedOutlets(size.outlets);
  await addSourcesTo(engine.applicationUrl, outlets.sources(), movedClock(clockFile));
  const mails: { readonly to: string; readonly source: string }[] = [];
  const mailServer = await startMailServer((source, [to = '']) => mails.push({ to, source }));
  const settings: WireSettings = {
    databaseUrl: engine.applicationUrl,
    examplePort: outlets.port,
    pace: { intervalMinMs: size.intervalMs, intervalMaxMs: size.intervalMs, spacingMs: 20 },
    leaseMs: size.leaseMs,
    timings: size.timings,
    clockFile,
    smtpUrl: mailServer.url,
  };
  const workers = startWorkerSupervisor({
    program: wireWorker,
    slots: 2,
    settings,
    logFile: join(folder, 'workers.log'),
  });
  const apis = await startApis(root, engine, size.apis);
  return {
    root,
    engine,
    outlets,
    ports: apis.map(({ port }) => port),
    workers,
    mails,
    subscribe: (email) => subscribe(engine, movedClock(clockFile), mails, email),
    dailyDueMs: dueMs,
    nowMs: () => systemClock.nowMs() + aheadMs,
    moveTo: (ms) => {
      aheadMs = Math.max(aheadMs, ms - systemClock.nowMs());
      moveClock(clockFile, aheadMs);
    },
    remove: async () => {
      await workers.stop();
      await Promise.all(apis.map((api) => api.stop()));
      await outlets.close();
      await mailServer.stop();
      await engine.remove();
      await rm(folder, { recursive: true });
    },
  };
}

async function startApis(root: string, engine: EngineStage, count: number): Promise<readonly DaybookChild[]> {
  const settings = {
    DATABASE_URL: engine.applicationUrl,
    DATABASE_READER_URL: engine.newsReaderUrl,
    DAYBOOK_DRAIN_NOTICE_MS: '0',
    DAYBOOK_RATE_PER_MINUTE: '1000000',
  };
  const ports = await freePorts(count);
  return Promise.all(ports.map((port) => startDaybook(root, 'api', port, settings)));
}

/** By the workers' clock: a subscriber who joins after an edition was made does not get it. */
async function subscribe(
  { applicationUrl: url }: EngineStage,
  clock: CalendarClock,
  mails: LivingStage['mails'],
  email: string,
): Promise<void> {
  const { database, close } = connectDatabase({
    url,
    name: 'prove living',
    connectionsMax: 1,
    connectTimeoutMs: 5_000,
  });
  const mailing = openMailing(
    readConfig({ DATABASE_URL: url, DAYBOOK_SMTP_URL: 'smtp://mail.example' }),
    database,
    clock,
  );
  if (mailing === null) throw new Error('no mail server is configured');
  const choices = { daily: true, weekly: false };
  await requestSubscription(mailing, { email, choices, language: 'en' });
  await untilRight(async () => mails.length > 0);
  const token = /token=(?:3D)?([0-9a-f]{64})/.exec(mails[0]?.source.replaceAll('=\r\n', '') ?? '')?.[1];
  const saved = await saveSubscription(mailing, token ?? '', choices);
  if (saved === null) throw new Error('the link of the mail does not confirm');
  await close();
}
