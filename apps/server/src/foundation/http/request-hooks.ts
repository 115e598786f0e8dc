import type { Socket } from 'node:net';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { ProblemError } from '../problem.ts';
import type { AddressResolver } from './client-address.ts';
import { addressKey } from './client-address.ts';
import type { HttpMetrics } from './http-metrics.ts';
import { invalidRequest, notFound } from './http-problems.ts';
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
}

/** For metrics alone: nobody was there any more to be told. */
const clientClosedStatus = 499;

/** One hook for everything, because each further one costs each request something. */
export function registerRequestHooks(server: FastifyInstance, options: RequestHookOptions): void {
  const { shedder, metrics, addresses } = options;
  const clientOf = createClientLookup(addresses);
  server.decorateRequest('caller', null);
  server.decorateRequest('entered', false);

  server.addHook('onRequest', (request, reply, done) => {
    const { config } = request.routeOptions;
    reply.header('x-request-id', request.id);
    // Not Fastify's onResponse, which stays silent when the client hangs up first: places would never be given back.
    reply.raw.once('close', () => {
      if (request.entered) shedder.leave();
      const status = reply.raw.writableFinished ? reply.statusCode : clientClosedStatus;
      const route = request.routeOptions.url ?? 'unmatched';
      metrics.observe(request.method, route, status, reply.elapsedTime / 1000);
    });
    if (config.corsHeaders !== undefined) reply.headers(config.corsHeaders);
    try {
      const { surface } = config;
      // Probes must be heard most of all when the server is busy.
      if (surface?.admit !== null) {
        shedder.enter();
        request.entered = true;
      }
      // Said before the body is read, which Fastify would do for an address that does not exist.
      if (surface === undefined) throw new ProblemError(notFound, 'there is nothing at this address');
      const { headers } = request.raw;
      if (headers.host === undefined && request.raw.httpVersion === '1.1') {
        throw new ProblemError(invalidRequest, 'an HTTP/1.1 request names its host', {
          errors: [{ in: 'header', name: 'Host', message: 'is required' }],
        });
      }
      if (surface.admit !== null) {
        const forwarded = headers['x-forwarded-for'] as string | undefined;
        const { address, key } = clientOf(request.raw.socket, forwarded);
        request.caller = { address, key, userAgent: headers['user-agent'] };
        const admitted = surface.admit(request.caller);
        const authenticate = config.declaration === undefined ? undefined : surface.authenticate;
        if (admitted !== undefined || authenticate !== undefined) {
          void finishAdmission(admitted, authenticate, request, done);
          return;
        }
      }
      done();
    } catch (error) {
      done(error as Error);
    }
  });
}

type Client = Pick<Caller, 'address' | 'key'>;

/** A direct client is the same for all requests of its connection, so it is worked out with the first. */
function createClientLookup(
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

async function finishAdmission(
  admitted: void | Promise<void>,
  authenticate: Surface['authenticate'],
  request: FastifyRequest,
  done: (error?: Error) => void,
): Promise<void> {
  try {
    if (admitted !== undefined) await admitted;
    await authenticate?.(request);
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}
