import { randomBytes } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';

import { readConfig } from '../../../apps/server/src/config/config.ts';
import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { isDatabaseUnreachable } from '../../../apps/server/src/foundation/database/database.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import { openStorage } from '../../../apps/server/src/wiring/accounts.ts';
import { connect } from '../../../apps/server/src/wiring/connections.ts';
import { createTextReading, runInspection, runUpkeep } from '../storage/run-upkeep.ts';

export interface StorageWorkerSettings {
  readonly environment: Readonly<Record<string, string>>;
  /** Reads texts and draws pictures, instead of the upkeep. */
  readonly readsTexts?: true;
}

// What a worker does for the storage, almost without a pause. Killed by the suite. It writes nothing but errors that
// neither an unreachable database nor an unreachable bucket explains.
const { environment, readsTexts } = JSON.parse(process.argv[2] ?? '') as StorageWorkerSettings;
const pauseMs = 150;
process.on('disconnect', () => process.exit(0));
const config = readConfig(environment);
const { database } = connect(config, config.database.applicationUrl, 'storage-worker');
const storage = await openStorage(config);
if (storage === null) throw new Error('there is no storage to look after');
const deps = {
  ...storage,
  database,
  clock: systemClock,
  ids: createIdSource({ clock: systemClock, randomBytes }),
};

const brokenConnections = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** A connection that ended or was refused, or an answer of 500 and more. */
function isBucketUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, $metadata } = error as { code?: string; $metadata?: { httpStatusCode?: number } };
  return (
    brokenConnections.has(code ?? '') ||
    ($metadata?.httpStatusCode ?? 0) >= 500 ||
    isBucketUnreachable(error.cause)
  );
}

/** Without a grace period, content may be removed during its inspection. The final check finds wrong removals. */
function isRemoved(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, name, cause } = error as Error & { code?: string };
  return code === 'ENOENT' || name === 'NoSuchKey' || isRemoved(cause);
}

function report(error: unknown): void {
  if (error instanceof AggregateError) error.errors.forEach(report);
  else if (!isDatabaseUnreachable(error) && !isBucketUnreachable(error)) console.error(error);
}

async function keepUp(): Promise<never> {
  for (;;) {
    await runUpkeep(deps).catch(report);
    await delay(pauseMs);
  }
}

async function inspect(): Promise<never> {
  for (;;) {
    await runInspection(deps).catch((error: unknown) => {
      for (const one of error instanceof AggregateError ? error.errors : [error])
        if (!isRemoved(one)) report(one);
    });
    await delay(pauseMs);
  }
}

async function readTexts(): Promise<never> {
  const readDue = createTextReading(deps);
  for (;;) {
    await readDue().catch(report);
    await delay(pauseMs);
  }
}

flushCompileCache();
await Promise.all([readsTexts === true ? readTexts() : keepUp(), inspect()]);
