import { readConfig } from '../config/config.ts';
import { systemClock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import { connectDatabase } from '../foundation/database/database.ts';
import { rollWindow, startNewEpoch, verifyRecord } from '../record/index.ts';
import type { Command } from './command.ts';

const usage = 'record verify|roll-window|new-epoch';

export const recordCommand: Command = {
  name: 'record',
  usage,
  summary:
    'checks every promise of the record (reads only); makes and drops the window’s partitions; after a restore: new-epoch',
  run: async ([action]) => {
    const { applicationUrl, newsReaderUrl } = readConfig(process.env).database;
    if (action === 'verify') await withDatabase(newsReaderUrl, verify);
    else if (action === 'roll-window') await withDatabase(applicationUrl, roll);
    else if (action === 'new-epoch') {
      await withDatabase(applicationUrl, async (database) => {
        console.log(
          `the ledger’s epoch is now ${await startNewEpoch(database)}; mirrors will read a snapshot`,
        );
      });
    } else throw new Error(`usage: daybook ${usage}`);
  },
};

async function verify(database: Database): Promise<void> {
  const findings = await verifyRecord(database, systemClock.now());
  for (const { name, promise, offenders } of findings) {
    console.log(`${offenders.length === 0 ? '✓' : '✗'} ${name}: ${promise}`);
    for (const offender of offenders) console.log(`    ${offender}`);
  }
  if (findings.some(({ offenders }) => offenders.length > 0)) process.exitCode = 1;
}

async function roll(database: Database): Promise<void> {
  const changes = await rollWindow(database, systemClock.now());
  for (const { action, partition } of changes) console.log(`${action} ${partition}`);
  if (changes.length === 0) console.log('the window’s partitions are as they should be');
}

async function withDatabase(url: string, work: (database: Database) => Promise<void>): Promise<void> {
  const { database, close } = connectDatabase({
    url,
    name: 'daybook record',
    connectionsMax: 1,
    // Reading the whole archive takes as long as it takes.
    statementTimeoutMs: 3_600_000,
    connectTimeoutMs: 5_000,
  });
  try {
    await work(database);
  } finally {
    await close();
  }
}
