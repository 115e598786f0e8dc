import { readFile } from 'node:fs/promises';

import type { Config } from '../../config/config.ts';
import { readArchiving, readNewestBackups } from '../../foundation/backups/backup-store.ts';
import { hourMs, systemClock } from '../../foundation/clock.ts';
import { readEngineNumbers } from '../../foundation/engine/engine-numbers.ts';
import { instantToMs } from '../../foundation/instant.ts';
import { logKeyFile } from '../../record/wiring.ts';
import { withDatabase } from '../connections.ts';
import type { Check, Outcome } from './check.ts';
import { failed, messageOf, passed, skipped, warning } from './check.ts';

export function workerChecks(config: Config): readonly Check[] {
  return [
    { name: 'workers', run: () => checkWorkers(config) },
    { name: 'log key', run: () => checkLogKey(config) },
    { name: 'backups', run: () => checkBackups(config) },
  ];
}

async function checkWorkers(config: Config): Promise<Outcome> {
  const numbers = await withDatabase(config, { name: 'daybook doctor' }, readEngineNumbers).catch(() => null);
  if (numbers === null) return skipped('the database is unreachable or has no tables');
  const { executorsAlive: alive, failed: failures } = numbers;
  if (alive === 0)
    return failed(
      'no worker is running',
      'Start a worker: systemctl start daybook-worker@8081. If it stops, see its log: journalctl -u daybook-worker@8081.',
    );
  const failing = failures.map(({ workflow, count }) => `${workflow} (${count})`);
  if (failing.length > 0)
    return warning(
      `failed runs: ${failing.join(', ')}`,
      'Review the runs at /desk/operations, or the logs of the workers.',
    );
  return passed(`${alive} ${alive === 1 ? 'worker is' : 'workers are'} alive`);
}

async function checkLogKey({ newsroom: { publicLog } }: Config): Promise<Outcome> {
  if (publicLog === null)
    return warning(
      'DAYBOOK_LOG_KEY_FILE is not set: the public log is not signed',
      'Create a key with `daybook log keygen`: docs/verifiability.md describes it.',
    );
  try {
    const { origin } = await logKeyFile.parseLogKeys(await readFile(publicLog.keyFile, 'utf8'));
    return passed(`signs the log ${origin}`);
  } catch (error) {
    return failed(
      messageOf(error),
      'Make the file readable for the account of the workers, or create it with `daybook log keygen`.',
    );
  }
}

const backupWarningMs = 26 * hourMs;
const backupsAdvice = 'Set up backups: see docs/guides/operating.md.';

async function checkBackups(config: Config): Promise<Outcome> {
  const read = await withDatabase(config, { name: 'daybook doctor' }, async (database) => ({
    newest: (await readNewestBackups(database)).get('database'),
    archiving: await readArchiving(database),
  })).catch(() => null);
  if (read === null) return skipped('the database is unreachable or has no tables');
  const { newest, archiving } = read;
  if (archiving.isOn && archiving.isFailing)
    return failed(
      'PostgreSQL cannot archive its write-ahead log',
      'See the log of PostgreSQL: the repository may be full or unreachable. Until archiving works, the disk of the database fills up.',
    );
  if (newest === undefined) return warning('no backup was recorded', backupsAdvice);
  const ageMs = systemClock.nowMs() - instantToMs(newest.finishedAt);
  const detail = `the last backup is ${Math.round(ageMs / hourMs)} hours old`;
  if (ageMs > backupWarningMs)
    return warning(detail, 'See the log of the last backup: journalctl -u "daybook-backup@*".');
  return archiving.isOn
    ? passed(`${detail}, and the write-ahead log is archived`)
    : warning(`${detail}, and the write-ahead log is not archived`, backupsAdvice);
}
