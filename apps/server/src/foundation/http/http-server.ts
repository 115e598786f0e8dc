import type { IncomingMessage } from 'node:http';
import { METHODS } from 'node:http';

import type { FastifyBaseLogger, FastifyInstance, FastifyReply } from 'fastify';
import Fastify, { LogController } from 'fastify';

import { ProblemError } from '../problem.ts';
import { createAddressResolver, parseCidrList } from './client-address.ts';
import { enforceContract } from './contract.ts';
import type { ContractViolation } from './contract.ts';
import { registerFormParser } from './form-body.ts';
import type { HttpMetrics } from './http-metrics.ts';
import { invalidRequest } from './http-problems.ts';
import { leavingResponse } from './leaving-response.ts';
import type { LoadShedder } from './load-shedder.ts';
import { problemResponse, toProblemError } from './problem-response.ts';
import { parseQueryString } from './query-string.ts';
import { registerRequestHooks } from './request-hooks.ts';
import { createRequestId } from './request-id.ts';
import { registerRoutes } from './route-registration.ts';
import type { RouteDeclaration } from './route.ts';
import { answerParserError, answerRuntimeEvents } from './runtime-errors.ts';
import type { Surface } from './surface.ts';

export interface HttpServerOptions {
  readonly logger: FastifyBaseLogger;
  readonly routes: readonly RouteDeclaration[];
  /** CIDRs whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly shedder: LoadShedder;
  readonly metrics: HttpMetrics;
  /** True once the process is on its way out: answers then ask clients to come back on another connection. */
  readonly draining: () => boolean;
  /** How long a client may take to send its headers, and its whole request. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Set in tests and development; null in production. */
  readonly onContractViolation: ((violation: ContractViolation) => void) | null;
}

const headerBytesMax = 16 * 1024;
const bodyBytesMax = 64 * 1024;

export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const server = Fastify({
    loggerInstance: options.logger,
    // A child logger and two lines per request cost a tenth to a third of the throughput; metrics count requests,
    // and what goes wrong is logged with its request id.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: createRequestId,
    requestIdHeader: false,
    bodyLimit: bodyBytesMax,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // A request on a connection that was open before we began to leave is answered, not refused.
    return503OnClosing: false,
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: options.headersTimeoutMs,
      // Node looks every 30 s by default, which would stretch a limit of 10 s to 40.
      connectionsCheckingInterval: Math.min(1_000, options.headersTimeoutMs),
      requireHostHeader: false,
      ServerResponse: leavingResponse(options.draining),
    },
    routerOptions: {
      querystringParser: parseQueryString,
      maxParamLength: headerBytesMax,
      ignoreTrailingSlash: false,
    },
    frameworkErrors: (error, request, reply) => {
      const problem = problemResponse(toProblemError(error), request.id);
      void (reply as FastifyReply).code(problem.status).headers(problem.headers).send(problem.body);
    },
    clientErrorHandler: answerParserError,
  });
  for (const method of METHODS) {
    if (!server.supportedMethods.includes(method) && method !== 'CONNECT')
      server.addHttpMethod(method, { hasBody: true });
  }
  // Text is not read as a body; JSON is, and forms where a route says so.
  server.removeContentTypeParser('text/plain');
  registerFormParser(server);
  answerRuntimeEvents(server.server);
  const addresses = createAddressResolver(parseCidrList(options.trustedProxies), (socketAddress) =>
    options.logger.warn(
      { socketAddress },
      'X-Forwarded-For came from an address that is not a trusted proxy and is ignored; set DAYBOOK_TRUSTED_PROXIES if it is yours',
    ),
  );
  registerRequestHooks(server, { ...options, addresses });
  if (options.onContractViolation !== null) enforceContract(server, options.onContractViolation);
  answerProblems(server, options.logger);
  registerRoutes(server, options.routes);
  await server.ready();
  return server;
}

function answerProblems(server: FastifyInstance, logger: FastifyBaseLogger): void {
  server.setErrorHandler((error, request, reply) => {
    const { surface } = request.routeOptions.config;
    const problemError = bodyProblem(toProblemError(error), surface);
    const plain = problemResponse(problemError, request.id);
    const problem = surface?.presentProblem?.(problemError, plain) ?? plain;
    if (problem.status >= 500) {
      // A 503 is counted by metrics and its cause is logged where it begins; a line each would be a flood in a flood.
      logger[problem.status === 503 ? 'debug' : 'error'](
        { requestId: request.id, err: problemError.cause ?? problemError, route: request.routeOptions.url },
        problemError.message,
      );
    }
    if (leavesMuchUnread(request.raw)) reply.header('connection', 'close');
    return reply.code(problem.status).headers(problem.headers).send(problem.body);
  });
}

function bodyProblem(error: ProblemError, surface: Surface | undefined): ProblemError {
  const { kind } = error.definition;
  if (surface?.unreadableBodyIsInvalid !== true) return error;
  if (kind !== 'too-large' && kind !== 'unsupported-media-type') return error;
  return new ProblemError(invalidRequest, error.detail, { cause: error });
}

/** A refused body that is still on its way: a small one is read and forgotten, for a large one we hang up. */
function leavesMuchUnread({ complete, headers }: IncomingMessage): boolean {
  return (
    !complete &&
    (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bodyBytesMax)
  );
}
