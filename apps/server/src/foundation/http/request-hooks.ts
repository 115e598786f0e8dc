import type { FastifyInstance } from 'fastify';

import { ProblemError } from '../problem.ts';
import type { AddressResolver } from './client-address.ts';
import { addressKey } from './client-address.ts';
import type { HttpMetrics } from './http-metrics.ts';
import { invalidRequest } from './http-problems.ts';
import type { LoadShedder } from './load-shedder.ts';
import type { RouteDeclaration } from './route.ts';
import type { Caller, Surface } from './surface.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    surface?: Surface;
    /** Absent on OPTIONS and on methods that are not allowed. */
    declaration?: RouteDeclaration;
    /** `surface.cors` as headers, made once. */
    corsHeaders?: Readonly<Record<string, string>>;
  }
  interface FastifyRequest {
    caller: Caller | null;
    entered: boolean;
  }
}

export interface RequestHookOptions {
  readonly shedder: LoadShedder;
  readonly metrics: HttpMetrics;
  readonly addresses: AddressResolver;
  readonly draining: () => boolean;
}

/** One hook before and one after each request, because every further one costs each request something. */
export function registerRequestHooks(server: FastifyInstance, options: RequestHookOptions): void {
  const { shedder, metrics, addresses, draining } = options;
  server.decorateRequest('caller', null);
  server.decorateRequest('entered', false);

  server.addHook('onRequest', (request, reply, done) => {
    const { config } = request.routeOptions;
    reply.header('x-request-id', request.id);
    if (draining()) reply.header('connection', 'close');
    if (config.corsHeaders !== undefined) reply.headers(config.corsHeaders);
    try {
      const { surface } = config;
      // Probes must be heard most of all when the server is busy.
      if (surface?.admit !== null) {
        shedder.enter();
        request.entered = true;
      }
      const { headers } = request.raw;
      if (headers.host === undefined && request.raw.httpVersion === '1.1') {
        throw new ProblemError(invalidRequest, 'an HTTP/1.1 request names its host', {
          errors: [{ in: 'header', name: 'Host', message: 'is required' }],
        });
      }
      if (surface !== undefined && surface.admit !== null) {
        const forwarded = headers['x-forwarded-for'] as string | undefined;
        const address = addresses.resolve(request.raw.socket.remoteAddress, forwarded);
        request.caller = { address, key: addressKey(address), userAgent: headers['user-agent'] };
        surface.admit(request.caller);
      }
      done();
    } catch (error) {
      done(error as Error);
    }
  });

  server.addHook('onResponse', (request, reply, done) => {
    if (request.entered) shedder.leave();
    metrics.observe(
      request.method,
      request.routeOptions.url ?? 'unmatched',
      reply.statusCode,
      reply.elapsedTime / 1000,
    );
    done();
  });
}
