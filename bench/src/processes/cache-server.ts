import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants } from 'node:zlib';

import { Type } from 'typebox';

import { sendResource } from '../../../apps/server/src/foundation/cache/representation-reply.ts';
import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { weakEntityTag } from '../../../apps/server/src/foundation/http/entity-tag.ts';
import { createRequestId } from '../../../apps/server/src/foundation/http/request-id.ts';
import { defineRoute } from '../../../apps/server/src/foundation/http/route.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { listenBareFastify } from '../bare-fastify.ts';
import { listenMeasuredApi } from '../measured-api.ts';
import { announceReady } from '../server-usage.ts';

// One server of the comparison, named by the first argument; sends its port to the parent process.
const [kind = '', bodyText = ''] = process.argv.slice(2);
const logger = createLogger('info', 'bench');
const body = Buffer.from(JSON.stringify({ items: bodyText }));
const br = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
const contentType = 'application/json; charset=utf-8';
const cacheControl = 'public, max-age=60, s-maxage=60, stale-while-revalidate=60, stale-if-error=3600';

/** The headers of our own route, so that the others send them too. */
const sameHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, X-Request-Id',
  etag: weakEntityTag(body),
  'cache-control': cacheControl,
  vary: 'accept-encoding',
};
const bodyHeaders = { ...sameHeaders, 'content-type': contentType };
const brHeaders = { ...bodyHeaders, 'content-encoding': 'br' };

const listenDaybook = (): Promise<number> =>
  listenMeasuredApi({ logger, clock: systemClock }, ({ anonymous, cache }) => [
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
  ]);

const resource = {
  key: 'resource',
  byTarget: true,
  cacheTags: ['items', 'stories'],
  build: async () => ({ status: 200, contentType, body: body.toString() }),
};

const listenFastify = (): Promise<number> =>
  listenBareFastify(logger, [
    { path: '/identity', status: 200, headers: bodyHeaders, body },
    { path: '/br', status: 200, headers: brHeaders, body: br },
    { path: '/not-modified', status: 304, headers: sameHeaders },
  ]);

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

const listen = { daybook: listenDaybook, fastify: listenFastify, node: listenNode }[kind];
if (listen === undefined) throw new Error('usage: cache-server.ts daybook|fastify|node <text>');
announceReady({ port: await listen(), etag: sameHeaders.etag });
