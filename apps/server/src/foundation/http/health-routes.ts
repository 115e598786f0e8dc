import type { BlockList } from 'node:net';

import { Type } from 'typebox';

import { closedObject } from '../closed-object.ts';
import { ProblemError } from '../problem.ts';
import { contains } from './client-address.ts';
import { notFound, temporarilyUnavailable } from './http-problems.ts';
import { defineRoute } from './route.ts';
import type { RouteDeclaration } from './route.ts';
import type { Surface } from './surface.ts';

/** For internal probes and scrapers: never limited, never shed, or a busy server would be killed for being busy. */
export const operationsSurface: Surface = { name: 'operations', cors: null, admit: null, problems: [] };

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string };

export interface HealthDependencies {
  readonly readiness: () => Promise<Readiness>;
  readonly renderMetrics: () => Promise<string>;
  readonly metricsContentType: string;
  /** Networks that may read metrics; a request through a proxy may not, whatever its address. */
  readonly metricsReaders: BlockList;
}

/** Any of these headers shows that the request came through a proxy. */
const proxyHeaders = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'];

const StatusSchema = closedObject({ status: Type.String() });

export function healthRoutes(dependencies: HealthDependencies): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/livez',
      surface: operationsSurface,
      operationId: 'getLiveness',
      tag: 'operations',
      summary: 'Whether the process runs and its event loop responds. Does not check the database.',
      responses: { 200: { description: 'Alive.', schema: StatusSchema } },
      problems: [],
      handle: ({ reply }) => reply.header('cache-control', 'no-store').send({ status: 'alive' }),
    }),
    defineRoute({
      method: 'GET',
      path: '/readyz',
      surface: operationsSurface,
      operationId: 'getReadiness',
      tag: 'operations',
      summary: 'Whether this process should receive requests.',
      responses: { 200: { description: 'The process can receive requests.', schema: StatusSchema } },
      problems: [temporarilyUnavailable],
      handle: async ({ reply }) => {
        const readiness = await dependencies.readiness();
        if (!readiness.ready)
          throw new ProblemError(temporarilyUnavailable, readiness.reason, { retryAfterSeconds: 5 });
        return reply.header('cache-control', 'no-store').send({ status: 'ready' });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/metrics',
      surface: operationsSurface,
      operationId: 'getMetrics',
      tag: 'operations',
      summary: 'Prometheus metrics of this process.',
      responses: {
        200: {
          description: 'Prometheus text format.',
          schema: Type.String(),
          contentType: dependencies.metricsContentType,
        },
      },
      problems: [notFound],
      handle: async ({ request, reply }) => {
        const { headers, socket } = request.raw;
        if (
          proxyHeaders.some((name) => headers[name] !== undefined) ||
          !contains(dependencies.metricsReaders, socket.remoteAddress ?? '')
        ) {
          throw new ProblemError(notFound, 'Not found.');
        }
        reply.header('cache-control', 'no-store').header('content-type', dependencies.metricsContentType);
        return reply.send(await dependencies.renderMetrics());
      },
    }),
  ];
}
