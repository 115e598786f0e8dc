import { connectDatabase } from '../src/foundation/database/database.ts';
import type { DatabaseConnection } from '../src/foundation/database/database.ts';
import type { Mailing } from '../src/mailing/index.ts';
import { createRecordReader } from '../src/record/wiring.ts';
import type { Accounts } from '../src/wiring/accounts.ts';
import { publicRoutes, unknownPages } from '../src/wiring/api-process.ts';
import type { TestApp } from './app.ts';
import { startTestApp } from './app.ts';
import type { createTestClock } from './clock.ts';
import type { TestDatabase } from './database.ts';
import type { Answer, Question } from './http-client.ts';
import { ask } from './http-client.ts';

export const baseUrl = 'https://daybook.example';

export interface NewsApp extends TestApp {
  readonly get: (path: string, question?: Question) => Promise<Answer>;
}

/** The api as served, with the login that may only read the record. */
export async function startNewsApp(options: {
  readonly database: Pick<TestDatabase, 'urls'>;
  readonly clock: ReturnType<typeof createTestClock>;
  readonly storyLayer?: boolean;
  readonly securityContact?: string;
  readonly accounts?: Accounts;
  readonly mailing?: Mailing;
  readonly settings?: Readonly<Record<string, string>>;
  readonly burst?: number;
}): Promise<NewsApp> {
  const connect = (name: string): DatabaseConnection =>
    connectDatabase({
      url: options.database.urls.newsReader,
      name,
      connectionsMax: 4,
      statementTimeoutMs: 5_000,
      connectTimeoutMs: 2_000,
    });
  const [news, search] = [connect('test news'), connect('test search')];
  const deps = {
    baseUrl,
    storyLayer: options.storyLayer ?? true,
    record: createRecordReader({
      database: news.database,
      pool: news.pool,
      searchDatabase: search.database,
    }),
    clock: options.clock,
    language: 'en',
    securityContact: options.securityContact ?? null,
  } as const;
  const app = await startTestApp({
    ...options,
    routes: (tools) => publicRoutes(tools, deps, options.accounts, options.mailing),
    unknownPages: (tools) => unknownPages({ ...tools, ...deps }),
  });
  return {
    ...app,
    get: (path, question) => ask(app.port, path, question),
    stop: async () => {
      await app.stop();
      await Promise.all([news.close(), search.close()]);
    },
  };
}
