import { once } from 'node:events';

import { Type } from 'typebox';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

import { startTestApp } from '../../../test/app.ts';
import type { TestApp, TestAppOptions } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { ask, expectProblem, openSocket, parseAnswer } from '../../../test/http-client.ts';
import { defineRoute } from './route.ts';

let database: TestDatabase;
let gate = Promise.withResolvers<void>();

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function start(options: Pick<TestAppOptions, 'bounds' | 'settings'>): Promise<TestApp> {
  gate = Promise.withResolvers<void>();
  const declared = {
    method: 'GET',
    tag: 'sample',
    summary: 'A sample.',
    responses: { 204: { description: 'Done.' } },
    problems: [],
  } as const;
  return startTestApp({
    database,
    ...options,
    routes: ({ anonymous: surface }) => [
      defineRoute({
        ...declared,
        path: '/slow',
        surface,
        operationId: 'slow',
        handle: async ({ reply }) => {
          await gate.promise;
          return reply.code(204).send();
        },
      }),
      defineRoute({
        ...declared,
        path: '/block/{ms}',
        surface,
        operationId: 'block',
        params: Type.Object({ ms: Type.Integer() }),
        handle: ({ params, reply }) => {
          const until = performance.now() + params.ms;
          while (performance.now() < until);
          return reply.code(204).send();
        },
      }),
    ],
  });
}

const inFlight = async (app: TestApp): Promise<number> =>
  Number(/^daybook_http_requests_in_flight (\d+)/m.exec((await ask(app.port, '/metrics')).text)?.[1]);

test('admits no more than the configured number at once; others get 503 with Retry-After, probes are answered', async () => {
  const app = await start({ bounds: { inFlightMax: 3 } });
  onTestFinished(app.stop);
  const admitted = [1, 2, 3].map(() => ask(app.port, '/slow'));
  await vi.waitFor(async () => expect(await inFlight(app)).toBe(3));
  const shed = await ask(app.port, '/slow');
  expectProblem(shed, 503, 'temporarily_unavailable');
  expect(Number(shed.headers['retry-after'])).toBeGreaterThan(0);
  expectProblem(await ask(app.port, '/nowhere'), 503, 'temporarily_unavailable');
  for (const probe of ['/livez', '/readyz', '/metrics'])
    expect((await ask(app.port, probe)).status).toBe(200);
  gate.resolve();
  expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual([204, 204, 204]);
  expect((await ask(app.port, '/slow')).status).toBe(204);
  expect(await inFlight(app)).toBe(0);
});

test('releases the slot of a client that disconnects', async () => {
  const app = await start({ bounds: { inFlightMax: 1 } });
  onTestFinished(app.stop);
  const socket = openSocket(app.port, () => {});
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await vi.waitFor(async () => expect(await inFlight(app)).toBe(1));
  socket.destroy();
  await vi.waitFor(async () => expect(await inFlight(app)).toBe(0));
  gate.resolve();
  expect((await ask(app.port, '/metrics')).text).toContain('route="/slow",status="499"} 1');
});

test('refuses requests queued behind a blocked event loop at once, and serves the next one', async () => {
  const app = await start({ settings: { DAYBOOK_LOOP_DELAY_MAX_MS: '100' } });
  onTestFinished(app.stop);
  await vi.waitFor(async () => expect((await ask(app.port, '/block/0')).status).toBe(204));
  // Connected first and sent in one turn, so that all of them wait while the first is answered.
  const sockets = Array.from({ length: 20 }, () => openSocket(app.port, () => {}));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const answers = await Promise.all(
    sockets.map(async (socket) => {
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.write('GET /block/2000 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      await once(socket, 'close');
      return parseAnswer(Buffer.concat(chunks).toString('latin1'));
    }),
  );
  const shed = answers.filter(({ status }) => status === 503);
  expect(shed).toHaveLength(19);
  for (const answer of shed) expectProblem(answer, 503, 'temporarily_unavailable');
  await vi.waitFor(async () => expect((await ask(app.port, '/block/0')).status).toBe(204));
});

test('does not log a line per refused request', async () => {
  const app = await start({ bounds: { inFlightMax: 1 } });
  onTestFinished(app.stop);
  const admitted = ask(app.port, '/slow');
  await vi.waitFor(async () => expect(await inFlight(app)).toBe(1));
  await Promise.all(Array.from({ length: 20 }, () => ask(app.port, '/slow')));
  expect(app.log.filter(({ level }) => level !== 'debug' && level !== 'info')).toEqual([]);
  gate.resolve();
  await admitted;
});
