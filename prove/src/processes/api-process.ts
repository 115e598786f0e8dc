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
import { temporarilyUnavailable } from '../../../apps/server/src/foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../apps/server/src/foundation/http/route.ts';
import { defineRoute } from '../../../apps/server/src/foundation/http/route.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { stopOnSignal } from '../../../apps/server/src/foundation/process-end.ts';

// The api as it is shipped, with three routes of the kinds that domains have: a held copy, a read, a write.
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
          { key: id, topics: ['items'], build },
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

const config = readConfig(process.env);
const logger = createLogger(config.log.level, 'api');
const connect = (url: string, name: string): DatabaseConnection =>
  connectDatabase({ url, name, connectionsMax: 10, statementTimeoutMs: 10_000, connectTimeoutMs: 3_000 });
const application = connect(config.database.applicationUrl, 'api');
const newsReader = connect(config.database.newsReaderUrl, 'news');
const api = await buildApi({
  config,
  logger,
  clock: systemClock,
  migrations: await readMigrations(),
  application,
  newsReader,
  onContractViolation: null,
  routes: (tools) => sampleRoutes(tools, application),
});
stopOnSignal(logger, async () => {
  await api.stop();
  await Promise.all([application.close(), newsReader.close()]);
});
await api.server.listen({ host: '127.0.0.1', port: config.http.port });
process.send?.('listening');
