import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { startTestApp } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import { readMigrations } from '../database/migration-files.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** An address where no database listens. */
function nowhere(): { urls: TestDatabase['urls'] } {
  const url = 'postgres://nobody@127.0.0.1:1/none';
  return { urls: { owner: url, application: url, newsReader: url } };
}

describe('/readyz', () => {
  test('is ready when the database answers and is migrated', async () => {
    const app = await startTestApp({ database });
    onTestFinished(app.stop);
    const answer = await ask(app.port, '/readyz');
    expect([answer.status, answer.json()]).toEqual([200, { status: 'ready' }]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('is not ready while the database has never answered; /livez is ok', async () => {
    const app = await startTestApp({ database: nowhere() });
    onTestFinished(app.stop);
    const answer = await ask(app.port, '/readyz');
    expectProblem(answer, 503, 'temporarily_unavailable');
    expect(answer.headers['retry-after']).toBe('5');
    expect((await ask(app.port, '/livez')).status).toBe(200);
  });

  test('is not ready while migrations are missing, and ready once they are applied', async () => {
    const migrations = await readMigrations();
    const [first] = migrations;
    await database.asSuperuser('CREATE TABLE public.held AS SELECT * FROM foundation.schema_migration');
    await database.asSuperuser('DELETE FROM foundation.schema_migration WHERE number = $1', [first!.number]);
    const app = await startTestApp({ database, migrations });
    onTestFinished(app.stop);
    expect(expectProblem(await ask(app.port, '/readyz'), 503, 'temporarily_unavailable')['detail']).toBe(
      '1 migrations are not applied.',
    );
    await database.asSuperuser(
      'INSERT INTO foundation.schema_migration SELECT * FROM public.held WHERE number = $1',
      [first!.number],
    );
    expect((await ask(app.port, '/readyz')).status).toBe(200);
  });

  test('is not ready on a database that a newer, incompatible version has migrated', async () => {
    await database.asSuperuser(
      `INSERT INTO foundation.schema_migration (number, name, sha256, breaking) VALUES (9999, 'later', 'x', true)`,
    );
    const app = await startTestApp({ database });
    onTestFinished(app.stop);
    expectProblem(await ask(app.port, '/readyz'), 503, 'temporarily_unavailable');
  });

  test('stays ready when the database becomes unreachable later', async () => {
    const app = await startTestApp({ database });
    onTestFinished(app.stop);
    expect((await ask(app.port, '/readyz')).status).toBe(200);
    await database.onServer(`ALTER DATABASE ${database.name} CONNECTION LIMIT 0`);
    await database.onServer(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database.name}'`,
    );
    await vi.waitFor(async () => {
      expect((await ask(app.port, '/metrics')).text).toContain('daybook_database_away 1');
    });
    expect((await ask(app.port, '/readyz')).status).toBe(200);
    await database.onServer(`ALTER DATABASE ${database.name} CONNECTION LIMIT -1`);
  });

  test('is not ready as soon as the process drains, while the listener still accepts connections', async () => {
    const app = await startTestApp({ database, settings: { DAYBOOK_DRAIN_NOTICE_MS: '400' } });
    const stopped = app.stop();
    const answer = await ask(app.port, '/readyz');
    expect(expectProblem(answer, 503, 'temporarily_unavailable')['detail']).toBe(
      'The server is shutting down.',
    );
    expect(answer.headers.connection).toBe('close');
    await stopped;
    await expect(ask(app.port, '/readyz')).rejects.toThrow('ECONNREFUSED');
  });
});

describe('/metrics', () => {
  test('include requests by route and status, the cache, the database and the event loop', async () => {
    const app = await startTestApp({ database });
    onTestFinished(app.stop);
    await ask(app.port, '/livez');
    await ask(app.port, '/nowhere');
    const { text } = await ask(app.port, '/metrics');
    for (const line of [
      'daybook_http_request_duration_seconds_count{method="GET",route="/livez",status="200"} 1',
      'daybook_http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 1',
      'daybook_database_away 0',
      'daybook_cache_entries 0',
      'daybook_database_application_connections',
      'daybook_event_loop_delay_seconds',
      'process_cpu_seconds_total',
    ])
      expect(text).toContain(line);
  });

  test.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
    'return 404 to requests that came through a proxy: %s',
    async (header) => {
      const app = await startTestApp({ database, settings: { DAYBOOK_TRUSTED_PROXIES: '127.0.0.1' } });
      onTestFinished(app.stop);
      expectProblem(
        await ask(app.port, '/metrics', { headers: { [header]: '127.0.0.1' } }),
        404,
        'not_found',
      );
    },
  );
});
