import { readConfig } from '../config/config.ts';
import { createCalendarClock } from '../foundation/clock.ts';
import { createSecretBox } from '../foundation/secret-box.ts';
import { withDatabase } from '../wiring/connections.ts';
import { exportRevocations } from '../wiring/restore/revocation-file.ts';
import type { Command } from './command-line.ts';
import { UsageError } from './command-line.ts';

export const run: Command['run'] = async ([action, path, ...rest]) => {
  if (action !== 'export' || path === undefined || rest.length > 0) throw new UsageError();
  const config = readConfig(process.env);
  const { secretKeys } = config.identity;
  const secretBox = secretKeys.length === 0 ? null : createSecretBox(secretKeys);
  const clock = createCalendarClock(config.simulatedTime);
  const { added, total } = await withDatabase(config, { name: 'daybook revocations' }, (database) =>
    exportRevocations({ database, secretBox, clock }, path),
  );
  console.log(`${added} revocations added to ${path}; it contains ${total}.`);
};
