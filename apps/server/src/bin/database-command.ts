import { readConfig } from '../config/config.ts';
import { createLogins } from '../foundation/database/logins.ts';
import { createLogger } from '../foundation/logger.ts';
import { migrateDatabase } from '../wiring/migrate-database.ts';
import type { Command } from './command-line.ts';
import { UsageError } from './command-line.ts';

export const run: Command['run'] = async ([action]) => {
  if (action === 'migrate') {
    const config = readConfig(process.env);
    const applied = await migrateDatabase(config.database.ownerUrl, createLogger('warn', 'database'));
    for (const { number, name } of applied) console.log(`applied ${String(number).padStart(4, '0')} ${name}`);
    if (applied.length === 0) console.log('The database is up to date.');
    return;
  }
  if (action !== 'logins') throw new UsageError();
  const {
    DATABASE_SUPERUSER_URL: superuserUrl,
    DATABASE_LOGIN_PASSWORD: password,
    DATABASE_OWNER_PASSWORD: ownerPassword = password,
    DATABASE_NAME: database = 'daybook',
  } = process.env;
  if (superuserUrl === undefined || password === undefined || ownerPassword === undefined) {
    throw new Error(
      'Set DATABASE_SUPERUSER_URL, DATABASE_LOGIN_PASSWORD and, if the owner has a different password, DATABASE_OWNER_PASSWORD.',
    );
  }
  await createLogins({ superuserUrl, password, ownerPassword, database });
  console.log('The database and the logins daybook_owner, daybook_app and daybook_reader are ready.');
};
