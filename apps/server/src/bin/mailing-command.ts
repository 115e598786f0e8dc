import { parseArgs } from 'node:util';

import { readConfig } from '../config/config.ts';
import { readUndelivered } from '../mailing/index.ts';
import { withDatabase } from '../wiring/connections.ts';
import type { Command } from './command-line.ts';
import { UsageError, printResult } from './command-line.ts';

const listedMax = 10_000;

const reasons = {
  in_doubt: 'it may have arrived: the worker or the connection ended while it was sent',
  address_refused: 'the mail server refused the address for good; the subscription has ended',
  message_refused: 'the mail server refused the mail for good',
  attempts_exhausted: 'the mail server refused it for now, five times',
  too_late: 'it could not be sent within a day',
};

export const run: Command['run'] = async ([action, ...rest]) => {
  if (action !== 'undelivered') throw new UsageError();
  const { values } = parseArgs({ args: [...rest], options: { json: { type: 'boolean', default: false } } });
  const config = readConfig(process.env);
  const mails = await withDatabase(config, { name: 'daybook mailing' }, (database) =>
    readUndelivered(database, listedMax),
  );
  const lines = mails.map(
    ({ settledAt, purpose, period, email, reason }) =>
      `${settledAt}  ${purpose} ${period ?? ''}  ${email ?? '(ended)'}: ${reasons[reason]}`,
  );
  printResult(values.json, mails, lines.length === 0 ? ['every mail was delivered'] : lines);
};
