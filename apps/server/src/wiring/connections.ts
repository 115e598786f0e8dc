import type { Config } from '../config/config.ts';
import type { Database, DatabaseConnection, DatabaseOptions } from '../foundation/database/database.ts';
import { connectDatabase } from '../foundation/database/database.ts';
import type { Logger } from '../foundation/logger.ts';

export interface RunningProcess {
  readonly logger: Logger;
  readonly stop: () => Promise<void>;
}

const connectTimeoutMs = 3_000;

/** Opens a pool with the settings shared by a process; `special` overrides them. */
export function connect(
  { database }: Config,
  url: string,
  name: string,
  special: Partial<DatabaseOptions> = {},
): DatabaseConnection {
  return connectDatabase({
    url,
    name,
    connectionsMax: database.connectionsMax,
    connectTimeoutMs,
    throughPooler: database.throughPooler,
    ...special,
  });
}

/** For a command that runs one database operation and exits; as the application unless `url` says otherwise. */
export async function withDatabase<Value>(
  config: Config,
  options: { readonly name: string } & Partial<Pick<DatabaseOptions, 'url' | 'statementTimeoutMs'>>,
  work: (database: Database) => Promise<Value>,
): Promise<Value> {
  const { name, url = config.database.applicationUrl, ...special } = options;
  const { database, close } = connect(config, url, name, { connectionsMax: 1, ...special });
  try {
    return await work(database);
  } finally {
    await close();
  }
}
