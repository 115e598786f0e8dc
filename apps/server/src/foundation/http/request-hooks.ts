import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import { ProblemError } from '../problem.ts';
import type { AddressResolver } from './client-address.ts';
import { addressKey } from './client-address.ts';
import { corsHeadersOf } from './cross-origin.ts';
import type { HttpMetrics } from './http-metrics.ts';
import { invalidRequest, notFound } from './http-problems.ts';
import type { LoadShedder } from './load-shedder.ts';
import type { OpenStreams } from './open-stream.ts';
import { noRouteDetail } from './route-registration.ts';
import type { RouteDeclaration } from './route.ts';
import { sentMethod } from './sent-method.ts';
import type { ClientInfo, Surface } from './surface.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    surface?: Surface;
    /** Absent on OPTIONS and on methods that are not allowed. */
    declaration?: RouteDeclaration;
    /** `surface.cors` as headers, built once; for every origin. */
    corsHeaders?: Readonly<Record<string, string>>;
  }
  interface FastifyRequest {
    client: ClientInfo | null;
    /** How it counts while in flight. */
    entered: 'request' | 'stream' | null;
  }
}

export interface RequestHookOptions {
  readonly shedder: LoadShedder;
  readonly metrics: HttpMetrics;
  readonly streams: OpenStreams;
  readonly clientOf: ReturnType<typeof createClientLookup>;
}

/** For metrics only: the client had disconnected. */
const clientClosedStatus = 499;

/** One hook for everything, because each additional hook costs time per request. */
export function registerRequestHooks(server: FastifyInstance, options: RequestHookOptions): void {
  const { shedder, metrics, streams, clientOf } = options;
  server.decorateRequest('client', null);
  server.decorateRequest('entered', null);
  server.decorateRequest('stream', null);

  server.addHook('onRequest', (request, reply, done) => {
    const { config } = request.routeOptions;
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    // Not Fastify's onResponse, which does not run when the client disconnects first: slots would never be released.
    reply.raw.once('close', () => {
      if (request.entered === 'request') shedder.leave();
      else if (request.entered === 'stream') shedder.leaveStream();
      const isWhole = reply.raw.writableFinished || isInjected(reply.raw);
      const status = isWhole ? reply.statusCode : clientClosedStatus;
      const route = request.routeOptions.url ?? 'unmatched';
      metrics.observe(sentMethod(request.raw), route, status, reply.elapsedTime / 1000);
    });
    if (config.corsHeaders !== undefined) reply.headers(config.corsHeaders);
    else if (config.surface?.cors) reply.headers(corsHeadersOf(config.surface.cors, request.headers.origin));
    try {
      const { surface } = config;
      // Probes matter most when the server is busy.
      const bounds = config.declaration?.stream;
      if (bounds !== undefined) {
        shedder.enterStream();
        request.entered = 'stream';
        streams.open(request, reply, bounds);
      } else if (surface?.admit !== null) {
        shedder.enter();
        request.entered = 'request';
      }
      requireOneHost(request.raw);
      // Refused before the body is read, which Fastify would do for an unknown address.
      if (surface === undefined) throw new ProblemError(notFound, noRouteDetail);
      const { headers } = request.raw;
      if (surface.admit !== null) {
        const forwarded = headers['x-forwarded-for'] as string | undefined;
        const { address, key } = clientOf(request.raw.socket, forwarded);
        request.client = { address, key, userAgent: headers['user-agent'] };
        const admitted = surface.admit(request.client);
        const authenticate = config.declaration === undefined ? undefined : surface.authenticate;
        const pending =
          admitted === undefined
            ? authenticate?.(request, reply)
            : admitted.then(() => authenticate?.(request, reply));
        if (pending !== undefined) {
          void whenAdmitted(pending, done);
          return;
        }
      }
      done();
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Internal requests have no client that could disconnect, and Node never reports such a response as finished. */
function isInjected(response: ServerResponse): boolean {
  return 'isLightMyRequest' in response;
}

/** RFC 9112, 3.2: of two `Host` headers a proxy may have followed the one that Node ignores. */
function requireOneHost(request: IncomingMessage): void {
  const hosts = countHosts(request);
  if (hosts === 1 || (hosts === 0 && request.httpVersion !== '1.1')) return;
  const [detail, message] =
    hosts === 0
      ? ['An HTTP/1.1 request requires a Host header.', 'is required']
      : ['The Host header must be sent only once.', 'must be sent only once'];
  throw new ProblemError(invalidRequest, detail, { errors: [{ in: 'header', name: 'Host', message }] });
}

function countHosts({ rawHeaders }: IncomingMessage): number {
  let hosts = 0;
  // Names and values alternate. Longer names are distinguished by their length alone.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

export function hasOneHost(request: IncomingMessage): boolean {
  return countHosts(request) === 1;
}

async function whenAdmitted(pending: Promise<void>, done: (error?: Error) => void): Promise<void> {
  try {
    await pending;
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}

type Client = Pick<ClientInfo, 'address' | 'key'>;

/** A direct client is the same for all requests of its connection, so it is computed with the first. */
export function createClientLookup(
  addresses: AddressResolver,
): (socket: Socket, forwarded: string | undefined) => Client {
  const direct = new WeakMap<Socket, Client>();
  return (socket, forwarded) => {
    const known = forwarded === undefined ? direct.get(socket) : undefined;
    if (known !== undefined) return known;
    const address = addresses.resolve(socket.remoteAddress, forwarded);
    const client = { address, key: addressKey(address) };
    if (forwarded === undefined) direct.set(socket, client);
    return client;
  };
}
