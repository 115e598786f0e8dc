import { readConfig } from '../config/config.ts';
import { createLogins } from '../foundation/database/logins.ts';
import { createLogger } from '../foundation/logger.ts';
import { migrateDatabase } from '../wiring.ts';
import type { Command } from './command.ts';

export const databaseCommand: Command = {
  name: 'database',
  usage: 'database migrate|logins',
  summary:
    'brings the database up to date; makes its three logins (needs a superuser in DATABASE_SUPERUSER_URL)',
  run: async ([action]) => {
    if (action === 'migrate') {
      const config = readConfig(process.env);
      const applied = await migrateDatabase(config.database.ownerUrl, createLogger('warn', 'database'));
      for (const { number, name } of applied)
        console.log(`applied ${String(number).padStart(4, '0')} ${name}`);
      if (applied.length === 0) console.log('the database is up to date');
      return;
    }
    if (action !== 'logins') throw new Error('usage: daybook database migrate|logins');
    const { DATABASE_SUPERUSER_URL: superuserUrl, DATABASE_LOGIN_PASSWORD: password } = process.env;
    if (superuserUrl === undefined || password === undefined) {
      throw new Error('set DATABASE_SUPERUSER_URL, and DATABASE_LOGIN_PASSWORD for the three logins');
    }
    await createLogins({ superuserUrl, password, database: process.env['DATABASE_NAME'] ?? 'daybook' });
    console.log(
      'made the database and the logins daybook_owner, daybook_app and daybook_reader where they were missing',
    );
  },
};
