import { parseArgs } from 'node:util';

import { readConfig } from '../config/config.ts';
import { readUndelivered } from '../mailing/index.ts';
import { connect } from '../wiring/connections.ts';
import type { Command } from './command.ts';
import { UsageError } from './command.ts';

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
  const { database, close } = connect(config, config.database.applicationUrl, 'daybook mailing', {
    connectionsMax: 1,
  });
  try {
    const mails = await readUndelivered(database, listedMax);
    if (values.json) console.log(JSON.stringify(mails));
    else if (mails.length === 0) console.log('every mail was delivered');
    else
      for (const { settledAt, purpose, period, email, reason } of mails)
        console.log(`${settledAt}  ${purpose} ${period ?? ''}  ${email ?? '(ended)'}: ${reasons[reason]}`);
  } finally {
    await close();
  }
};
