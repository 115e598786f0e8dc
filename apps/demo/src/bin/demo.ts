import { setTimeout as delay } from 'node:timers/promises';

import { createWorld } from '@daybook/newswire';

import { readConfig } from '../../../server/src/config/config.ts';
import { systemClock } from '../../../server/src/foundation/clock.ts';
import { openDemo } from '../open-demo.ts';

// Fills the record with a month and more of the simulated world, then goes on as time passes. With --once it ends when
// it has caught up.
const { database } = readConfig(process.env);
const once = process.argv.includes('--once');
const demo = await openDemo(database.applicationUrl, systemClock.now(), createWorld);
const report = (told: number): void => {
  if (told % 500 === 0) console.log(`  the demonstration has published ${told} items`);
};
await demo.replay.playUntil(systemClock.now(), report);
console.log('  The demonstration has caught up with the present.');
process.once('SIGTERM', () => process.exit(0)).once('SIGINT', () => process.exit(0));
if (once) {
  await demo.close();
  process.exit(0);
}
for (;;) {
  await delay(10_000);
  await demo.replay.playUntil(systemClock.now());
}
