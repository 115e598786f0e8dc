import type { IncomingMessage, RequestListener, Server } from 'node:http';

import type { FastifyBaseLogger, FastifyInstance, FastifyReply } from 'fastify';
import Fastify, { LogController } from 'fastify';

import { ProblemError } from '../problem.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { createAddressResolver, parseCidrList } from './client-address.ts';
import { enforceContract } from './contract.ts';
import type { ContractViolation } from './contract.ts';
import { corsHeadersOf } from './cross-origin.ts';
import type { FastPathOptions, CachedAnswers } from './fast-path.ts';
import { createFastPath } from './fast-path.ts';
import { registerFormParser } from './form-body.ts';
import type { HttpMetrics } from './http-metrics.ts';
import { invalidRequest } from './http-problems.ts';
import { leavingResponse } from './leaving-response.ts';
import type { LoadShedder } from './load-shedder.ts';
import type { OpenStreams } from './open-stream.ts';
import { createOpenStreams } from './open-stream.ts';
import type { PostedFastPathOptions } from './posted-fast-path.ts';
import { createPostedFastPath } from './posted-fast-path.ts';
import { problemResponse, toProblemError } from './problem-response.ts';
import { parseQueryString } from './query-string.ts';
import { createClientLookup, hasOneHost, registerRequestHooks } from './request-hooks.ts';
import { createRequestId } from './request-id.ts';
import type { UnknownAddresses } from './route-registration.ts';
import { registerRoutes, registerUnknownAddresses } from './route-registration.ts';
import type { RouteDeclaration } from './route.ts';
import { answerParserError, answerRuntimeEvents } from './runtime-errors.ts';
import { routeUnusualMethod } from './sent-method.ts';
import type { Surface } from './surface.ts';
import { nameTracedRoutes, traceRequests } from './trace-requests.ts';

export interface HttpServerOptions {
  readonly logger: FastifyBaseLogger;
  readonly routes: readonly RouteDeclaration[];
  /** Cached responses, sent before the router. */
  readonly cached?: CachedAnswers;
  /** At other paths an unknown address is 404 without a surface. */
  readonly unknownAddresses?: readonly UnknownAddresses[];
  /** CIDRs whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  readonly shedder: LoadShedder;
  readonly metrics: HttpMetrics;
  /** True once the process drains: responses then ask clients to reconnect. */
  readonly draining: () => boolean;
  /** How long a client may take to send its headers, and its whole request. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Whose format a 404 has at any other address; null: problem+json. */
  readonly unknownPages?: ((path: string) => Surface | null) | undefined;
  /** Null or absent: no traces. */
  readonly tracer?: Tracer | null;
  /** For the drain, which ends them. */
  readonly streams?: OpenStreams;
  /** Set in tests and development; null in production. */
  readonly onContractViolation: ((violation: ContractViolation) => void) | null;
}

const headerBytesMax = 16 * 1024;
const bodyBytesMax = 64 * 1024;

export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { unknownAddresses = [], streams = createOpenStreams(), tracer = null } = options;
  const server = Fastify({
    loggerInstance: options.logger,
    // A child logger and two lines per request cost a tenth to a third of the throughput; metrics count requests,
    // and errors are logged with their request id.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: createRequestId,
    requestIdHeader: false,
    bodyLimit: bodyBytesMax,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // A request on a connection that was open before the drain is answered, not refused.
    return503OnClosing: false,
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: options.headersTimeoutMs,
      // Node checks every 30 s by default, which would stretch a limit of 10 s to 40.
      connectionsCheckingInterval: Math.min(1_000, options.headersTimeoutMs),
      requireHostHeader: false,
      ServerResponse: leavingResponse(options.draining),
    },
    rewriteUrl: routeUnusualMethod,
    routerOptions: {
      querystringParser: parseQueryString,
      maxParamLength: headerBytesMax,
      ignoreTrailingSlash: false,
    },
    frameworkErrors: (error, request, reply) => {
      const problem = problemResponse(toProblemError(error), request.id);
      const { cors } = surfaceBelow(unknownAddresses, request.url) ?? { cors: null };
      if (cors !== null) reply.headers(corsHeadersOf(cors, request.headers.origin));
      void (reply as FastifyReply).code(problem.status).headers(problem.headers).send(problem.body);
    },
    clientErrorHandler: (error, socket) => answerParserError(error, socket, streams.carries),
  });
  // Text bodies are not parsed; JSON is, and forms where a route declares it.
  server.removeContentTypeParser('text/plain');
  registerFormParser(server);
  answerRuntimeEvents(server.server);
  const addresses = createAddressResolver(parseCidrList(options.trustedProxies), (socketAddress) =>
    options.logger.warn(
      { socketAddress },
      'X-Forwarded-For came from an address that is not a trusted proxy and is ignored; set DAYBOOK_TRUSTED_PROXIES if it is yours',
    ),
  );
  const clientOf = createClientLookup(addresses);
  if (tracer !== null) nameTracedRoutes(server, tracer);
  registerRequestHooks(server, { ...options, streams, clientOf });
  if (options.cached !== undefined)
    putInFront(server.server, { ...options, cached: options.cached, clientOf, hasOneHost });
  if (tracer !== null) traceRequests(server.server, { ...options, tracer });
  if (options.onContractViolation !== null) enforceContract(server, options.onContractViolation);
  answerProblems(server, options);
  registerRoutes(server, options.routes);
  for (const unknown of unknownAddresses) registerUnknownAddresses(server, unknown, options.routes);
  await server.ready();
  return server;
}

/** Fastify has created the server with its router as the only listener. */
function putInFront(server: Server, options: FastPathOptions & PostedFastPathOptions): void {
  const answers = createFastPath(options);
  const answersPosted = createPostedFastPath(options);
  const routers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (answers(request, response)) return;
    const proceed = (): void => {
      for (const router of routers) router(request, response);
    };
    if (!answersPosted(request, response, proceed)) proceed();
  });
}

/** For a request that was refused before it had a route. */
function surfaceBelow(unknown: readonly UnknownAddresses[], url: string): Surface | undefined {
  return unknown.find(({ below }) => url.startsWith(`${below}/`))?.surface;
}

function answerProblems(
  server: FastifyInstance,
  { logger, unknownPages }: Pick<HttpServerOptions, 'logger' | 'unknownPages'>,
): void {
  server.setErrorHandler((error, request, reply) => {
    const surface = request.routeOptions.config.surface ?? unknownPages?.(pathOf(request.url)) ?? undefined;
    const problemError = bodyProblem(toProblemError(error), surface);
    const plain = problemResponse(problemError, request.id);
    const problem = surface?.presentProblem?.(problemError, plain, request) ?? plain;
    if (problem.status >= 500) {
      // Metrics count 503s and their cause is logged at its origin; a line for each would flood the log.
      logger[problem.status === 503 ? 'debug' : 'error'](
        { requestId: request.id, err: problemError.cause ?? problemError, route: request.routeOptions.url },
        problemError.message,
      );
    }
    if (leavesMuchUnread(request.raw) || request.stream?.signal.aborted === true)
      reply.header('connection', 'close');
    return reply.code(problem.status).headers(problem.headers).send(problem.body);
  });
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

function bodyProblem(error: ProblemError, surface: Surface | undefined): ProblemError {
  const { kind } = error.definition;
  if (surface?.unreadableBodyIsInvalid !== true) return error;
  if (kind !== 'too-large' && kind !== 'unsupported-media-type') return error;
  return new ProblemError(invalidRequest, error.detail, { cause: error });
}

/** A refused body in transit: a small one is read and discarded, a large one ends the connection. */
function leavesMuchUnread({ complete, headers }: IncomingMessage): boolean {
  return (
    !complete &&
    (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bodyBytesMax)
  );
}
