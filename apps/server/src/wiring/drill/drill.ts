import type { Config } from '../../config/config.ts';
import { recordBackups } from '../../foundation/backups/backup-store.ts';
import { systemClock } from '../../foundation/clock.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { withDatabase } from '../connections.ts';
import type { RestoreOptions, Step } from '../restore/restore-check.ts';
import { checkRestoredDatabase } from '../restore/restore-check.ts';
import type { DrillOptions } from './restored-server.ts';
import { startRestoredServer } from './restored-server.ts';

/**
 * Restores the last backup beside the running installation, makes it fit to be served as after a real restore, verifies
 * it and deletes it. The result is recorded in the running database.
 */
export async function* drill(
  config: Config,
  options: DrillOptions,
  revocations: RestoreOptions['revocations'],
): AsyncGenerator<Step> {
  const started = systemClock.now();
  const startedMs = performance.now();
  const faults: string[] = [];
  let bytes = 0;
  try {
    const server = await startRestoredServer(options);
    try {
      bytes = server.bytes;
      yield {
        name: 'restore',
        ok: true,
        lines: [
          `${(bytes / 1e6).toFixed(0)} MB in ${server.restoreSeconds.toFixed(1)} s, then ${server.recoverySeconds.toFixed(1)} s of recovery`,
          server.lastTransaction === null
            ? 'the log ended where the backup ended'
            : `the last transaction is of ${server.lastTransaction}`,
        ],
      };
      for await (const step of checkRestoredDatabase(withUrls(config, server.urlOf), {
        revocations,
        keepsKeys: false,
        isDrill: true,
      })) {
        if (!step.ok) faults.push(`${step.name}: ${step.lines.join('; ')}`);
        yield step;
      }
    } finally {
      await server.stop();
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    faults.push(message);
    yield { name: 'restore', ok: false, lines: [message] };
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const result = {
    kind: 'drill' as const,
    label: isoMilliseconds(started),
    finishedAt: systemClock.now(),
    seconds,
    bytes,
    fault: faults.length === 0 ? null : faults.join('\n').slice(0, faultCharsMax),
  };
  await withDatabase(config, { name: 'daybook drill' }, (database) =>
    recordBackups(database, [result], systemClock.now()),
  );
}

const faultCharsMax = 2_000;

function withUrls(config: Config, urlOf: (url: string) => string): Config {
  const { database } = config;
  return {
    ...config,
    database: {
      ...database,
      applicationUrl: urlOf(database.applicationUrl),
      newsReaderUrl: urlOf(database.newsReaderUrl),
      replicaUrl: null,
      ownerUrl: urlOf(database.ownerUrl),
      directUrl: urlOf(database.directUrl),
      throughPooler: false,
    },
  };
}
