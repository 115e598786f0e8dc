import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { Type } from 'typebox';

import type { RouteTools } from '../../../apps/server/src/api.ts';
import { buildApi } from '../../../apps/server/src/api.ts';
import { readConfig } from '../../../apps/server/src/config/config.ts';
import { sendResource } from '../../../apps/server/src/foundation/cache/representation-reply.ts';
import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { readMigrations } from '../../../apps/server/src/foundation/database/migration-files.ts';
import { startNotificationListener } from '../../../apps/server/src/foundation/database/notification-listener.ts';
import type { HttpBounds } from '../../../apps/server/src/foundation/http/http-bounds.ts';
import { temporarilyUnavailable } from '../../../apps/server/src/foundation/http/http-problems.ts';
import { streamOf } from '../../../apps/server/src/foundation/http/open-stream.ts';
import type { RouteDeclaration } from '../../../apps/server/src/foundation/http/route.ts';
import { defineRoute } from '../../../apps/server/src/foundation/http/route.ts';
import {
  contentResponses,
  rangeNotSatisfiable,
  sendContent,
} from '../../../apps/server/src/foundation/http/send-content.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { stopOnSignal } from '../../../apps/server/src/foundation/process-end.ts';

// The shipped api, with routes of the kinds that domains have: a cached response, a read, a write, and two streams.
const IdSchema = Type.Object({ id: Type.String() });
const declared = {
  tag: 'prove',
  summary: 'A sample.',
  responses: { 200: { description: 'The id.', schema: IdSchema } },
  problems: [temporarilyUnavailable],
} as const;

function sampleRoutes(
  { anonymous: surface, cache }: RouteTools,
  { pool }: DatabaseConnection,
): readonly RouteDeclaration[] {
  const readId = async (id: string): Promise<{ id: string } | undefined> =>
    (await pool.query<{ id: string }>('SELECT $1::text AS id', [id])).rows[0];
  return [
    defineRoute({
      ...declared,
      method: 'GET',
      path: '/held/{id}',
      surface,
      operationId: 'getHeld',
      params: IdSchema,
      handle: ({ params: { id }, request, reply }) => {
        const build = async () => ({
          status: 200,
          contentType: 'application/json; charset=utf-8',
          body: JSON.stringify(await readId(id)),
        });
        return sendResource(
          request,
          reply,
          cache,
          { key: id, cacheTags: ['items'], build },
          'public, max-age=1',
        );
      },
    }),
    defineRoute({
      ...declared,
      method: 'GET',
      path: '/read/{id}',
      surface,
      operationId: 'read',
      params: IdSchema,
      query: Type.Object({ waitMs: Type.Integer({ default: 0 }) }, { additionalProperties: false }),
      handle: async ({ params, query, reply }) => {
        await delay(query.waitMs);
        return reply.header('cache-control', 'no-store').send(await readId(params.id));
      },
    }),
    defineRoute({
      ...declared,
      method: 'POST',
      path: '/orders',
      surface,
      operationId: 'order',
      body: IdSchema,
      handle: async ({ body, reply }) => {
        await pool.query('INSERT INTO public.prove_order (id) VALUES ($1)', [body.id]);
        return reply.header('cache-control', 'no-store').send(body);
      },
    }),
  ];
}

/** Enough for slow senders, too little for stalled ones. */
const sending = { bodyBytesMax: 1e9, progress: { bytes: 500, withinMs: 4_000 } };
/** Longer: on loopback a system buffers megabytes, and reports free space only after a third of them is sent. */
const taking = { bodyBytesMax: 0, progress: { bytes: 500, withinMs: 60_000 } };

function flowingRoutes({ anonymous: surface }: RouteTools): readonly RouteDeclaration[] {
  return [
    defineRoute({
      ...declared,
      method: 'POST',
      path: '/sink',
      surface,
      operationId: 'sink',
      stream: sending,
      handle: async ({ request }) => {
        let bytes = 0;
        for await (const chunk of streamOf(request).body()) bytes += (chunk as Buffer).length;
        return { id: String(bytes) };
      },
    }),
    defineRoute({
      ...declared,
      method: 'GET',
      path: '/source/{id}',
      surface,
      operationId: 'source',
      params: IdSchema,
      stream: taking,
      responses: contentResponses,
      problems: [rangeNotSatisfiable, temporarilyUnavailable],
      handle: ({ params, request, reply }) =>
        sendContent(request, reply, {
          entityTag: '"zeros"',
          size: Number(params.id),
          contentType: 'application/octet-stream',
          open: async (range) =>
            Readable.from(zeros(range === null ? Number(params.id) : 1), { objectMode: false }),
        }),
    }),
  ];
}

function* zeros(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536));
}

const config = readConfig(process.env);
const logger = createLogger(config.log.level, 'api');
const connect = (url: string, name: string): DatabaseConnection =>
  connectDatabase({ url, name, connectionsMax: 10, statementTimeoutMs: 10_000, connectTimeoutMs: 3_000 });
const application = connect(config.database.applicationUrl, 'api');
const newsReader = connect(config.database.newsReaderUrl, 'news');
const notifications = startNotificationListener({ url: config.database.directUrl });
const api = await buildApi({
  config,
  logger,
  clock: systemClock,
  migrations: await readMigrations(),
  application,
  newsReader,
  notifications,
  onContractViolation: null,
  bounds: JSON.parse(process.argv[2] ?? '{}') as Partial<HttpBounds>,
  routes: (tools) => [...sampleRoutes(tools, application), ...flowingRoutes(tools)],
});
stopOnSignal(logger, async () => {
  await api.stop();
  await Promise.all([notifications.stop(), application.close(), newsReader.close()]);
});
await api.server.listen({ host: '127.0.0.1', port: config.http.port });
process.send?.('listening');
