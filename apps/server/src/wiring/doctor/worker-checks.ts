import { readFile } from 'node:fs/promises';

import type { Config } from '../../config/config.ts';
import { readEngineNumbers } from '../../foundation/engine/engine-numbers.ts';
import { logSigner } from '../../record/wiring.ts';
import { withDatabase } from '../connections.ts';
import type { Check, Outcome } from './check.ts';
import { failed, messageOf, passed, skipped, warning } from './check.ts';

export function workerChecks(config: Config): readonly Check[] {
  return [
    { name: 'workers', run: () => checkWorkers(config) },
    { name: 'log key', run: () => checkLogKey(config) },
  ];
}

async function checkWorkers(config: Config): Promise<Outcome> {
  const numbers = await withDatabase(config, { name: 'daybook doctor' }, readEngineNumbers).catch(() => null);
  if (numbers === null) return skipped('the database is unreachable or has no tables');
  const { executorsAlive: alive, failed: failures } = numbers;
  if (alive === 0)
    return failed(
      'no worker is alive',
      'Start a worker: systemctl start daybook-worker@8081. Its log says why it ended: journalctl -u daybook-worker@8081.',
    );
  const failing = failures.map(({ workflow, count }) => `${workflow} (${count})`);
  if (failing.length > 0)
    return warning(
      `failed runs: ${failing.join(', ')}`,
      'Look at the runs at /desk/operations, or at the log of the workers.',
    );
  return passed(`${alive} ${alive === 1 ? 'worker is' : 'workers are'} alive`);
}

async function checkLogKey({ newsroom: { logKeyFile } }: Config): Promise<Outcome> {
  if (logKeyFile === '')
    return warning(
      'DAYBOOK_LOG_KEY_FILE is not set: the public log is not signed',
      'Create a key with `daybook log keygen`: docs/verifiability.md describes it.',
    );
  try {
    const { origin } = await logSigner.parseLogKeys(await readFile(logKeyFile, 'utf8'));
    return passed(`signs the log ${origin}`);
  } catch (error) {
    return failed(
      messageOf(error),
      'Let the account of the workers read the file, or create one with `daybook log keygen`.',
    );
  }
}
