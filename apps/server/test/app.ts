import type { AddressInfo } from 'node:net';

import type { Api, ApiParts, RouteTools } from '../src/api.ts';
import { buildApi } from '../src/api.ts';
import { readConfig } from '../src/config/config.ts';
import type { Clock } from '../src/foundation/clock.ts';
import { connectDatabase } from '../src/foundation/database/database.ts';
import { readMigrations } from '../src/foundation/database/migration-files.ts';
import type { Migration } from '../src/foundation/database/migration-files.ts';
import { startNotificationListener } from '../src/foundation/database/notification-listener.ts';
import type { ContractViolation } from '../src/foundation/http/contract.ts';
import type { RouteDeclaration } from '../src/foundation/http/route.ts';
import { createLogger } from '../src/foundation/logger.ts';
import { createTestClock } from './clock.ts';
import type { TestDatabase } from './database.ts';

export interface TestAppOptions {
  readonly database: Pick<TestDatabase, 'urls'>;
  readonly routes?: (tools: RouteTools) => readonly RouteDeclaration[];
  readonly unknownPages?: ApiParts['unknownPages'];
  /** Environment variables of a process, over defaults suitable for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly bounds?: ApiParts['bounds'];
  /** The burst of an anonymous client, instead of the share of its rate. */
  readonly burst?: number;
  readonly clock?: Clock;
  readonly migrations?: readonly Migration[];
}

export interface TestApp {
  readonly api: Api;
  readonly port: number;
  /** Lines of the log so far. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** Removes and returns the violations so far, for the tests of the contract itself. */
  readonly takeViolations: () => readonly ContractViolation[];
  /** Fails when any response violated the contract of its route. */
  readonly stop: () => Promise<void>;
}

const quietSettings = {
  DAYBOOK_RATE_PER_MINUTE: '1000000000',
  DAYBOOK_DRAIN_NOTICE_MS: '0',
  DAYBOOK_LOOP_DELAY_MAX_MS: '60000',
};

/** The api as wiring builds it, listening on a free port, with the contract check on every response. */
export async function startTestApp(options: TestAppOptions): Promise<TestApp> {
  const { urls } = options.database;
  const read = readConfig({
    DATABASE_URL: urls.application,
    DATABASE_OWNER_URL: urls.owner,
    DATABASE_READER_URL: urls.newsReader,
    ...quietSettings,
    ...options.settings,
  });
  const { burst = read.anonymous.burst } = options;
  const config = { ...read, anonymous: { ...read.anonymous, burst } };
  const log: Record<string, unknown>[] = [];
  const violations: ContractViolation[] = [];
  const connect = (url: string, name: string) =>
    connectDatabase({ url, name, connectionsMax: 5, statementTimeoutMs: 10_000, connectTimeoutMs: 3_000 });
  const [application, newsReader] = [connect(urls.application, 'api'), connect(urls.newsReader, 'news')];
  const notifications = startNotificationListener({ url: config.database.directUrl });
  const api = await buildApi({
    config,
    logger: createLogger('debug', 'test', {
      write: (line) => log.push(JSON.parse(line) as Record<string, unknown>),
    }),
    clock: options.clock ?? createTestClock('2026-11-15T00:00:00.000Z'),
    migrations: options.migrations ?? (await readMigrations()),
    application,
    newsReader,
    notifications,
    ...(options.unknownPages === undefined ? {} : { unknownPages: options.unknownPages }),
    // So that a busy machine does not answer with stale responses.
    staleWaitMs: 10_000,
    ...(options.bounds === undefined ? {} : { bounds: options.bounds }),
    onContractViolation: (violation) => violations.push(violation),
    routes: options.routes ?? (() => []),
  });
  await api.server.listen({ host: '127.0.0.1', port: 0 });
  const stop = async (): Promise<void> => {
    await api.stop();
    await Promise.all([notifications.stop(), application.close(), newsReader.close()]);
    if (violations.length > 0)
      throw new AggregateError(violations, violations.map(({ message }) => message).join('\n'));
  };
  return {
    api,
    port: (api.server.server.address() as AddressInfo).port,
    log,
    takeViolations: () => violations.splice(0),
    stop,
  };
}
