import { randomBytes } from 'node:crypto';

import type { Config } from '../config/config.ts';
import { readConfig } from '../config/config.ts';
import type { Clock } from '../foundation/clock.ts';
import { createCalendarClock, hourMs } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import { createIdSource } from '../foundation/ids.ts';
import { recomposeItems, rollWindow, startNewEpoch, verifyRecord } from '../record/wiring.ts';
import { connect } from '../wiring/connections.ts';
import type { Command } from './command.ts';
import { UsageError } from './command.ts';
import { reportFindings } from './report-findings.ts';

export const run: Command['run'] = async ([action]) => {
  const config = readConfig(process.env);
  const { applicationUrl, newsReaderUrl } = config.database;
  const clock = createCalendarClock(config.simulatedTime);
  if (action === 'verify') await withDatabase(config, newsReaderUrl, (database) => verify(database, clock));
  else if (action === 'roll-window')
    await withDatabase(config, applicationUrl, (database) => roll(database, clock));
  else if (action === 'recompose')
    await withDatabase(config, applicationUrl, (database) => recompose(database, clock));
  else if (action === 'new-epoch') {
    await withDatabase(config, applicationUrl, async (database) => {
      console.log(`the ledger’s epoch is now ${await startNewEpoch(database)}; mirrors will read a snapshot`);
    });
  } else throw new UsageError();
};

async function verify(database: Database, clock: Clock): Promise<void> {
  reportFindings(await verifyRecord(database, clock.now()));
}

async function roll(database: Database, clock: Clock): Promise<void> {
  const changes = await rollWindow(database, clock.now());
  for (const { action, partition } of changes) console.log(`${action} ${partition}`);
  if (changes.length === 0) console.log('the window’s partitions are as they should be');
}

async function recompose(database: Database, clock: Clock): Promise<void> {
  const ids = createIdSource({ clock, randomBytes });
  const count = await recomposeItems({ database, clock, ids }, (recomposed) => {
    if (recomposed % 10_000 === 0) console.log(`${recomposed} bodies recomposed`);
  });
  console.log(count === 0 ? 'every body has the newest form' : `done: ${count} bodies recomposed`);
}

async function withDatabase(
  config: Config,
  url: string,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const { database, close } = connect(config, url, 'daybook record', {
    connectionsMax: 1,
    // Reading the whole archive takes as long as it takes.
    statementTimeoutMs: hourMs,
  });
  try {
    await work(database);
  } finally {
    await close();
  }
}
