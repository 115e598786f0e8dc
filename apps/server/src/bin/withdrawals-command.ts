import { readConfig } from '../config/config.ts';
import { withDatabase } from '../wiring/connections.ts';
import { exportWithdrawals } from '../wiring/restore/withdrawal-journal.ts';
import type { Command } from './command-line.ts';
import { UsageError } from './command-line.ts';

export const run: Command['run'] = async ([action, path, ...rest]) => {
  if (action !== 'export' || path === undefined || rest.length > 0) throw new UsageError();
  const { added, total } = await withDatabase(
    readConfig(process.env),
    { name: 'daybook withdrawals' },
    (database) => exportWithdrawals(database, path),
  );
  console.log(`${added} withdrawals added to ${path}; it contains ${total}.`);
};
