import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { TestApp, TestAppOptions } from '../../../test/app.ts';
import { startTestApp } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { ask, openSocket } from '../../../test/http-client.ts';
import { defineRoute } from './route.ts';

let database: TestDatabase;
let gate = Promise.withResolvers<void>();
let waiting = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function start(
  settings: Readonly<Record<string, string>>,
  bounds: TestAppOptions['bounds'] = {},
): Promise<TestApp> {
  gate = Promise.withResolvers<void>();
  waiting = 0;
  const TextSchema = Type.Object({ text: Type.String() });
  return startTestApp({
    database,
    settings,
    bounds,
    routes: ({ anonymous }) => [
      defineRoute({
        method: 'POST',
        path: '/slow',
        surface: anonymous,
        operationId: 'slow',
        tag: 'sample',
        summary: 'Answers when the test says so.',
        body: TextSchema,
        responses: { 200: { description: 'The same.', schema: TextSchema } },
        problems: [],
        handle: async ({ body, reply }) => {
          waiting += 1;
          await gate.promise;
          return reply.send(body);
        },
      }),
    ],
  });
}

test('completes a request in flight although the listener has closed', async () => {
  const app = await start({});
  const answer = ask(app.port, '/slow', { method: 'POST', json: { text: 'kept' } });
  await vi.waitFor(() => expect(waiting).toBe(1));
  const stopped = app.stop();
  await vi.waitFor(() => expect(ask(app.port, '/livez')).rejects.toThrow('ECONNREFUSED'));
  gate.resolve();
  expect((await answer).json()).toEqual({ text: 'kept' });
  await stopped;
});

test('closes the connection of a request that began before the notice and ends during it', async () => {
  const app = await start({ DAYBOOK_DRAIN_NOTICE_MS: '500' });
  const answer = ask(app.port, '/slow', {
    method: 'POST',
    json: { text: 'kept' },
    headers: { connection: 'keep-alive' },
  });
  await vi.waitFor(() => expect(waiting).toBe(1));
  const stopped = app.stop();
  gate.resolve();
  expect((await answer).headers.connection).toBe('close');
  await stopped;
});

test('serves requests during the notice and asks every connection to close', async () => {
  const app = await start({ DAYBOOK_DRAIN_NOTICE_MS: '300' });
  const before = await ask(app.port, '/livez', { headers: { connection: 'keep-alive' } });
  expect(before.headers.connection).toBe('keep-alive');
  const stopped = app.stop();
  const during = await ask(app.port, '/livez', { headers: { connection: 'keep-alive' } });
  expect([during.status, during.headers.connection]).toEqual([200, 'close']);
  await stopped;
});

test('does not wait for idle connections', async () => {
  const app = await start({});
  const socket = openSocket(app.port, () => {});
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  socket.on('data', () => resolve());
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
  await answered;
  await app.stop();
  expect(app.log.filter(({ level }) => level === 'error')).toEqual([]);
});

test('aborts a request that does not end by the deadline, and logs it', async () => {
  const app = await start({}, { drainFinishMs: 200 });
  const answer = ask(app.port, '/slow', { method: 'POST', json: { text: 'lost' } });
  await vi.waitFor(() => expect(waiting).toBe(1));
  await Promise.all([expect(answer).rejects.toThrow('socket hang up'), app.stop()]);
  expect(app.log.filter(({ level }) => level === 'error')).toHaveLength(1);
});
