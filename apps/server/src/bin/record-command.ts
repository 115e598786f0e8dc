import { randomBytes } from 'node:crypto';

import { readConfig } from '../config/config.ts';
import type { Clock } from '../foundation/clock.ts';
import { createCalendarClock, hourMs } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import { createIdSource } from '../foundation/ids.ts';
import { recomposeItems, rollWindow, startNewEpoch, verifyRecord } from '../record/wiring.ts';
import { withDatabase } from '../wiring/connections.ts';
import type { Command } from './command-line.ts';
import { UsageError, reportFindings } from './command-line.ts';

export const run: Command['run'] = async ([action]) => {
  const config = readConfig(process.env);
  // Reading the whole archive may take long.
  const application = { name: 'daybook record', statementTimeoutMs: hourMs };
  const newsReader = { ...application, url: config.database.newsReaderUrl };
  const clock = createCalendarClock(config.simulatedTime);
  if (action === 'verify') await withDatabase(config, newsReader, (database) => verify(database, clock));
  else if (action === 'roll-window')
    await withDatabase(config, application, (database) => roll(database, clock));
  else if (action === 'recompose')
    await withDatabase(config, application, (database) => recompose(database, clock));
  else if (action === 'new-epoch') {
    await withDatabase(config, application, async (database) => {
      console.log(
        `Started ledger epoch ${await startNewEpoch(database)}. Mirrors will download a new snapshot.`,
      );
    });
  } else throw new UsageError();
};

async function verify(database: Database, clock: Clock): Promise<void> {
  reportFindings(await verifyRecord(database, clock.now()));
}

async function roll(database: Database, clock: Clock): Promise<void> {
  const changes = await rollWindow(database, clock.now());
  for (const { action, partition } of changes) console.log(`${action} ${partition}`);
  if (changes.length === 0) console.log('All partitions are up to date.');
}

async function recompose(database: Database, clock: Clock): Promise<void> {
  const ids = createIdSource({ clock, randomBytes });
  const count = await recomposeItems({ database, clock, ids }, (recomposed) => {
    if (recomposed % 10_000 === 0) console.log(`${recomposed} bodies recomposed`);
  });
  console.log(count === 0 ? 'All bodies are up to date.' : `Recomposed ${count} bodies.`);
}
