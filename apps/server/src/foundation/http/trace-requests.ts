import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

import type { FastifyInstance } from 'fastify';

import type { Span } from '../tracing/span.ts';
import { parseTraceParent } from '../tracing/trace-parent.ts';
import type { Tracer } from '../tracing/tracer.ts';
import type { CachedAnswers } from './fast-path.ts';
import type { RouteDeclaration } from './route.ts';
import { sentMethod } from './sent-method.ts';

export interface RequestTracing {
  readonly tracer: Tracer;
  readonly routes: readonly RouteDeclaration[];
  readonly cached?: CachedAnswers | undefined;
}

/** The client had disconnected. */
const clientClosedStatus = 499;

/**
 * A span for each sampled request, around all listeners of the server: also for requests that are answered before the
 * router or refused by it. A `traceparent` of the client becomes a link at most: continuing it would let anyone decide
 * what is traced here, and mix their spans into our traces.
 */
export function traceRequests(server: Server, { tracer, routes, cached }: RequestTracing): void {
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const proceed = (request: IncomingMessage, response: ServerResponse): void => {
    for (const listener of listeners) listener(request, response);
  };
  // Answered before the router, which names the route of all others.
  const posted = new Map(
    routes.filter((route) => route.cachedPosts !== undefined).map(({ path }) => [path, path]),
  );
  server.on('request', (request, response) => {
    const span = tracer.startRoot('server', '');
    if (span === null) {
      proceed(request, response);
      return;
    }
    const { url = '' } = request;
    const route = request.method === 'POST' ? posted.get(url) : cached?.find(url)?.route;
    if (route !== undefined) span.attributes['http.route'] = route;
    span.link = parseTraceParent(request.headers['traceparent']);
    response.once('close', () => endSpan(tracer, span, request, response));
    const { headers } = request;
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
      emitWithin(tracer, span, request);
    tracer.run(span, () => proceed(request, response));
  });
}

/** The events of a body belong to the connection otherwise, and its handler would run outside of the span. */
function emitWithin(tracer: Tracer, span: Span, request: IncomingMessage): void {
  const emit = request.emit.bind(request) as (...parts: unknown[]) => boolean;
  Object.assign(request, { emit: (...parts: unknown[]) => tracer.run(span, () => emit(...parts)) });
}

function endSpan(tracer: Tracer, span: Span, request: IncomingMessage, response: ServerResponse): void {
  const status = response.writableFinished ? response.statusCode : clientClosedStatus;
  const method = sentMethod(request);
  const route = span.attributes['http.route'];
  span.name = route === undefined ? method : `${method} ${route}`;
  span.attributes['http.request.method'] = method;
  span.attributes['http.response.status_code'] = status;
  span.failed = status >= 500;
  tracer.end(span);
}

/** Names the route of each request that reaches the router; registered before the hooks that may refuse it. */
export function nameTracedRoutes(server: FastifyInstance, tracer: Tracer): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const span = tracer.current();
    const { url } = request.routeOptions;
    if (span !== undefined) {
      if (url !== undefined) span.attributes['http.route'] = url;
      // As in `X-Request-Id` and in the log.
      span.attributes['daybook.request.id'] = request.id;
    }
    done();
  });
}
