import { connectDatabase } from '../src/foundation/database/database.ts';
import type { DatabaseConnection } from '../src/foundation/database/database.ts';
import { publicRoutes } from '../src/wiring.ts';
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

/** The api as it is served, over the login that may only read the record. */
export async function startNewsApp(options: {
  readonly database: Pick<TestDatabase, 'urls'>;
  readonly clock: ReturnType<typeof createTestClock>;
  readonly storyLayer?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
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
  const app = await startTestApp({
    ...options,
    routes: (tools) =>
      publicRoutes(tools, {
        baseUrl,
        storyLayer: options.storyLayer ?? true,
        database: news.database,
        pool: news.pool,
        searchDatabase: search.database,
        clock: options.clock,
      }),
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
