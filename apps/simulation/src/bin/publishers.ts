import { startPublishers } from '@daybook/newswire';

import { readConfig } from '../../../server/src/config/config.ts';
import { createCalendarClock } from '../../../server/src/foundation/clock.ts';
import { exitWithParent } from '../../../server/src/foundation/process-end.ts';
import { connect } from '../../../server/src/wiring/connections.ts';
import { withSourceDesk } from '../../../server/src/wiring/ingest.ts';
import { openWorld, simulatedSources } from '../simulated-world.ts';

// Serves the publishers of the simulated world on loopback and adds their feeds as sources; a worker polls them.
exitWithParent();
const config = readConfig(process.env);
const port = config.newsroom.examplePort;
if (port === null) throw new Error('DAYBOOK_EXAMPLE_PORT says where the simulated publishers answer');
const clock = createCalendarClock(config.simulatedTime);
const { database, close } = connect(config, config.database.applicationUrl, 'daybook publishers');
const { world } = await openWorld(database, clock.now());
await close();
const publishers = await startPublishers({ world, nowMs: clock.nowMs, port });
await withSourceDesk(config, new AbortController().signal, async (desk) => {
  const added = await desk.add(simulatedSources(world));
  const fresh = added.filter(({ id }) => id !== null).length;
  console.log(
    `  ${added.length} simulated publishers answer at ${publishers.origin}; ${fresh} are new sources.`,
  );
});
process.once('SIGTERM', () => process.exit(0)).once('SIGINT', () => process.exit(0));
