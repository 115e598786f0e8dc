import type { AddressInfo } from 'node:net';

import Fastify, { LogController } from 'fastify';
import { Registry } from 'prom-client';

import { createHttpMetrics } from '../../apps/server/src/foundation/http/http-metrics.ts';
import { createLoadShedder, processCpuMs } from '../../apps/server/src/foundation/http/load-shedder.ts';
import { createRequestId } from '../../apps/server/src/foundation/http/request-id.ts';
import type { Logger } from '../../apps/server/src/foundation/logger.ts';

export interface BareAnswer {
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** Fastify with our logger, metrics and request ids, and nothing else; returns its port. */
export async function listenBareFastify(logger: Logger, answers: readonly BareAnswer[]): Promise<number> {
  const server = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // As ours does: without it every request would get a logger of its own.
    childLoggerFactory: (parent) => parent,
    genReqId: createRequestId,
  });
  const shedder = createLoadShedder({
    streamsMax: 1,
    inFlightMax: Infinity,
    loopDelayMaxMs: Infinity,
    nowMs: () => performance.now(),
    cpuMs: processCpuMs,
  });
  const metrics = createHttpMetrics(new Registry(), shedder);
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? '';
    metrics.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  for (const { path, status, headers, body } of answers) {
    server.get(path, (request, reply) =>
      reply.code(status).header('x-request-id', request.id).headers(headers).send(body),
    );
  }
  await server.listen({ host: '127.0.0.1', port: 0 });
  return (server.server.address() as AddressInfo).port;
}
