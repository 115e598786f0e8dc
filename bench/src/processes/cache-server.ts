import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants } from 'node:zlib';

import Fastify, { LogController } from 'fastify';
import { Registry } from 'prom-client';
import { Type } from 'typebox';

import type { Api } from '../../../apps/server/src/api.ts';
import { buildApi } from '../../../apps/server/src/api.ts';
import { readConfig } from '../../../apps/server/src/config/config.ts';
import { sendResource } from '../../../apps/server/src/foundation/cache/representation-reply.ts';
import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { readMigrations } from '../../../apps/server/src/foundation/database/migration-files.ts';
import { weakEntityTag } from '../../../apps/server/src/foundation/http/entity-tag.ts';
import { createHttpMetrics } from '../../../apps/server/src/foundation/http/http-metrics.ts';
import { createLoadShedder } from '../../../apps/server/src/foundation/http/load-shedder.ts';
import { createRequestId } from '../../../apps/server/src/foundation/http/request-id.ts';
import { defineRoute } from '../../../apps/server/src/foundation/http/route.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';

// One server of the comparison, named by the first argument; tells its port to whoever started it.
const [kind = '', bodyText = ''] = process.argv.slice(2);
const logger = createLogger('info', 'bench');
const body = Buffer.from(JSON.stringify({ items: bodyText }));
const br = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
const contentType = 'application/json; charset=utf-8';
const cacheControl = 'public, max-age=60, s-maxage=60, stale-while-revalidate=60, stale-if-error=3600';

/** What our own route sends beside the body, so that the others send it too. */
const sameHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, X-Request-Id',
  etag: weakEntityTag(body),
  'cache-control': cacheControl,
  vary: 'accept-encoding',
};
const bodyHeaders = { ...sameHeaders, 'content-type': contentType };
const brHeaders = { ...bodyHeaders, 'content-encoding': 'br' };

async function startDaybook(): Promise<Api> {
  const config = readConfig({
    ...process.env,
    DAYBOOK_RATE_PER_MINUTE: '1000000000',
    DAYBOOK_RATE_BURST: '1000000',
  });
  const connect = (url: string, name: string) =>
    connectDatabase({ url, name, connectionsMax: 2, statementTimeoutMs: 10_000, connectTimeoutMs: 3_000 });
  return buildApi({
    config,
    logger,
    clock: systemClock,
    migrations: await readMigrations(),
    application: connect(config.database.applicationUrl, 'bench'),
    newsReader: connect(config.database.newsReaderUrl, 'bench news'),
    onContractViolation: null,
    routes: ({ anonymous, cache }) => [
      defineRoute({
        method: 'GET',
        path: '/resource',
        surface: anonymous,
        operationId: 'getResource',
        tag: 'bench',
        summary: 'A body of 20 KB.',
        responses: {
          200: { description: 'The body.', schema: Type.Object({ items: Type.String() }) },
          304: { description: 'As you have it.' },
        },
        problems: [],
        handle: ({ request, reply }) => sendResource(request, reply, cache, resource, cacheControl),
      }),
    ],
  });
}

const resource = {
  key: 'resource',
  topics: ['items', 'stories'],
  build: async () => ({ status: 200, contentType, body: body.toString() }),
};

async function listenFastify(): Promise<number> {
  const server = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // As ours does: without it every request would get a logger of its own.
    childLoggerFactory: (parent) => parent,
    genReqId: createRequestId,
  });
  const shedder = createLoadShedder({
    inFlightMax: Infinity,
    loopDelayMaxMs: Infinity,
    nowMs: () => performance.now(),
  });
  const metrics = createHttpMetrics(new Registry(), shedder);
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? '';
    metrics.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  server.get('/identity', (request, reply) =>
    reply.header('x-request-id', request.id).headers(bodyHeaders).send(body),
  );
  server.get('/br', (request, reply) => reply.header('x-request-id', request.id).headers(brHeaders).send(br));
  server.get('/not-modified', (request, reply) =>
    reply.code(304).header('x-request-id', request.id).headers(sameHeaders).send(),
  );
  await server.listen({ host: '127.0.0.1', port: 0 });
  return (server.server.address() as AddressInfo).port;
}

async function listenNode(): Promise<number> {
  const server = createServer((request, response) => {
    const id = { 'x-request-id': createRequestId() };
    if (request.url === '/identity')
      response.writeHead(200, { ...bodyHeaders, ...id, 'content-length': body.length }).end(body);
    else if (request.url === '/br')
      response.writeHead(200, { ...brHeaders, ...id, 'content-length': br.length }).end(br);
    else response.writeHead(304, { ...sameHeaders, ...id }).end();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return (server.address() as AddressInfo).port;
}

async function listenDaybook(): Promise<number> {
  const { server } = await startDaybook();
  await server.listen({ host: '127.0.0.1', port: 0 });
  return (server.server.address() as AddressInfo).port;
}

const listen = { daybook: listenDaybook, fastify: listenFastify, node: listenNode }[kind];
if (listen === undefined) throw new Error('usage: cache-server.ts daybook|fastify|node <text>');
process.send?.({ port: await listen(), etag: sameHeaders.etag });
process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => process.exit(0));
