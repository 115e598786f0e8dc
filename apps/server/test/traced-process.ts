import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { Type } from 'typebox';

import type { RouteTools } from '../src/api.ts';
import { buildApi } from '../src/api.ts';
import { readConfig } from '../src/config/config.ts';
import { systemClock } from '../src/foundation/clock.ts';
import { readSchemaState } from '../src/foundation/database/migrate.ts';
import { readMigrations } from '../src/foundation/database/migration-files.ts';
import { startNotificationListener } from '../src/foundation/database/notification-listener.ts';
import { createEngineClient } from '../src/foundation/engine/engine-client.ts';
import type { WorkflowDeclaration } from '../src/foundation/engine/engine-declarations.ts';
import type { RouteDeclaration } from '../src/foundation/http/route.ts';
import { defineRoute } from '../src/foundation/http/route.ts';
import { createLogger } from '../src/foundation/logger.ts';
import { startTracing } from '../src/foundation/tracing/start-tracing.ts';
import { connect } from '../src/wiring/connections.ts';
import { buildWorker } from '../src/worker.ts';

// An api process with a route that starts a workflow, or a worker process that runs it; named by the first argument.
const kind = process.argv[2] === 'worker' ? 'worker' : 'api';
const config = readConfig(process.env);
const logger = createLogger(config.log.level, kind);
const tracer = await startTracing(config.tracing, kind, logger);
const application = connect(config, config.database.applicationUrl, `traced ${kind}`, { tracer });
const { database } = application;
const databaseUrl = config.database.applicationUrl;
const migrations = await readMigrations();

interface Note {
  readonly id: string;
  readonly text: string;
}

const keepNote: WorkflowDeclaration<Note, void> = {
  name: 'keep-note',
  queue: { name: 'notes', pollIntervalMs: 50 },
  run: async (context, { text }) => {
    await context.step('measure', async () => {
      await sql`SELECT length(${text}::text) FROM foundation.executor`.execute(database);
    });
    await context.transaction('store', async (transaction) => {
      await sql`SELECT upper(${text}::text)`.execute(transaction);
    });
  },
};

function routes({ anonymous }: RouteTools): readonly RouteDeclaration[] {
  const client = createEngineClient({ databaseUrl, logger, tracer });
  return [
    defineRoute({
      method: 'POST',
      path: '/notes/{id}',
      surface: anonymous,
      operationId: 'keepNote',
      tag: 'notes',
      summary: 'Starts a workflow.',
      params: Type.Object({ id: Type.String() }),
      query: Type.Object({ about: Type.Optional(Type.String()) }),
      body: Type.Object({ text: Type.String() }),
      responses: { 202: { description: 'It is stored soon.' } },
      problems: [],
      handle: async ({ params: { id }, body: { text }, reply }) => {
        await database.transaction().execute(async (transaction) => {
          await sql`SELECT epoch FROM foundation.executor WHERE host = ${text}`.execute(transaction);
          await client.enqueue(transaction, keepNote, { id, input: { id, text } });
        });
        return reply.code(202).send();
      },
    }),
  ];
}

async function startApi(): Promise<AddressInfo> {
  const notifications = startNotificationListener({ url: databaseUrl });
  const newsReader = connect(config, config.database.newsReaderUrl, 'traced news', { tracer });
  const { server } = await buildApi({
    config,
    logger,
    tracer,
    migrations,
    application,
    newsReader,
    notifications,
    onContractViolation: null,
    clock: systemClock,
    routes,
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  return server.server.address() as AddressInfo;
}

async function startWorker(): Promise<AddressInfo> {
  const { server } = await buildWorker({
    config,
    logger,
    tracer,
    application,
    clock: systemClock,
    registry: new Registry(),
    readSchemaState: () => readSchemaState(application.pool, migrations),
    declarations: [{ workflows: [keepNote] }],
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  return server.server.address() as AddressInfo;
}

const { port } = kind === 'api' ? await startApi() : await startWorker();
process.send?.(port);
await once(process, 'disconnect');
process.exit(0);
