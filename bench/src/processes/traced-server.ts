import { sql } from 'kysely';
import { Type } from 'typebox';

import { readConfig } from '../../../apps/server/src/config/config.ts';
import { sendResource } from '../../../apps/server/src/foundation/cache/representation-reply.ts';
import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { defineRoute } from '../../../apps/server/src/foundation/http/route.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { startTracing } from '../../../apps/server/src/foundation/tracing/start-tracing.ts';
import { listenMeasuredApi } from '../measured-api.ts';
import { announceReady } from '../server-usage.ts';

// An api with a cached resource and a route that sends three statements; traced as its settings say.
const logger = createLogger('info', 'bench');
const tracer = await startTracing(readConfig(process.env).tracing, 'bench', logger);
const bodyText = 'x'.repeat(2_000);
const cacheControl = 'public, max-age=60';
const Body = Type.Object({ items: Type.String() });

const resource = {
  key: 'resource',
  byTarget: true,
  cacheTags: ['items'],
  build: async () => ({
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ items: bodyText }),
  }),
};

const port = await listenMeasuredApi(
  { logger, clock: systemClock, tracer },
  ({ anonymous, cache, newsReader: { database } }) => [
    defineRoute({
      method: 'GET',
      path: '/cached',
      surface: anonymous,
      operationId: 'getCached',
      tag: 'bench',
      summary: 'A cached body of 2 KB.',
      responses: { 200: { description: 'The body.', schema: Body } },
      problems: [],
      handle: ({ request, reply }) => sendResource(request, reply, cache, resource, cacheControl),
    }),
    defineRoute({
      method: 'GET',
      path: '/read',
      surface: anonymous,
      operationId: 'getRead',
      tag: 'bench',
      summary: 'A body of 2 KB, after three statements.',
      responses: { 200: { description: 'The body.', schema: Body } },
      problems: [],
      handle: async ({ reply }) => {
        for (const number of [1, 2, 3]) await sql`SELECT ${number}::int AS number`.execute(database);
        return reply.send({ items: bodyText });
      },
    }),
  ],
);
announceReady({ port });
