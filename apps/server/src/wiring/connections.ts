import type { Config } from '../config/config.ts';
import type { DatabaseConnection, DatabaseOptions } from '../foundation/database/database.ts';
import { connectDatabase } from '../foundation/database/database.ts';
import type { Logger } from '../foundation/logger.ts';

export interface RunningProcess {
  readonly logger: Logger;
  readonly stop: () => Promise<void>;
}

const connectTimeoutMs = 3_000;

/** As every pool of a process is made; `special` says what is different about this one. */
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
