import { parseArgs } from 'node:util';

import { scheduleMails } from '../agents/schedules/index.ts';
import { readConfig } from '../config/config.ts';
import { readUndelivered } from '../mailing/index.ts';
import { readUndeliveredWatchMail } from '../watch/wiring.ts';
import { withDatabase } from '../wiring/connections.ts';
import type { Command } from './command-line.ts';
import { UsageError, printResult } from './command-line.ts';

const listedMax = 10_000;

const reasons = {
  in_doubt: 'possibly delivered: the worker or the connection failed while sending',
  address_refused: 'the mail server permanently rejected the address; the mail was ended',
  message_refused: 'the mail server permanently rejected the message',
  attempts_exhausted: 'the mail server rejected five attempts with a temporary error',
  too_late: 'not sent within 24 hours',
};

export const run: Command['run'] = async ([action, ...rest]) => {
  if (action !== 'undelivered') throw new UsageError();
  const { values } = parseArgs({ args: [...rest], options: { json: { type: 'boolean', default: false } } });
  const config = readConfig(process.env);
  const mails = await withDatabase(config, { name: 'daybook mailing' }, async (database) => {
    const editions = await readUndelivered(database, listedMax);
    const searches = await readUndeliveredWatchMail(database, listedMax);
    const schedules = await scheduleMails.readUndeliveredScheduleMail(database, listedMax);
    return [
      ...editions,
      ...searches.map((mail) => ({ ...mail, purpose: `searches, ${mail.frequency}` })),
      ...schedules.map((mail) => ({ ...mail, purpose: `schedule, ${mail.name}` })),
    ]
      .toSorted((one, other) => (one.settledAt < other.settledAt ? 1 : -1))
      .slice(0, listedMax);
  });
  const lines = mails.map(
    ({ settledAt, purpose, period, email, reason }) =>
      `${settledAt}  ${purpose} ${period ?? ''}  ${email ?? '(ended)'}: ${reasons[reason]}`,
  );
  printResult(values.json, mails, lines.length === 0 ? ['No undelivered mail.'] : lines);
};
