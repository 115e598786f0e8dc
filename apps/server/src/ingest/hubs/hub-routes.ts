import { Type } from 'typebox';

import {
  internal,
  methodNotAllowed,
  notFound,
  rateLimited,
  temporarilyUnavailable,
} from '../../foundation/http/http-problems.ts';
import { streamOf } from '../../foundation/http/open-stream.ts';
import { rateLimitProblem } from '../../foundation/http/rate-limit.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { createLocalLimiter } from '../../foundation/limits/local-limiter.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { HubAnswerDeps } from './answer-hub.ts';
import { receivePush, verifyIntent } from './answer-hub.ts';
import { callbackPath } from './subscription-secret.ts';

const path = `${callbackPath}/{callback}`;
const params = Type.Object({ callback: Type.String({ pattern: '^[0-9a-f]{64}$' }) });
const tag = 'hubs';

/** One hub sends pushes for thousands of feeds from a few addresses. */
const limit = { requestsPerMinute: 6_000, burst: 1_000 };
/** The size limit of a feed. */
const pushBytesMax = 8 * 1024 * 1024;
const pushStream = { bodyBytesMax: pushBytesMax, progress: { bytes: 1_024, withinMs: 30_000 } };
/** For hubs that send no `hub.lease_seconds`. */
const leaseSecondsDefault = 86_400;

/** The callbacks of hubs: verification of intent and content distribution (WebSub sections 5.3 and 7). */
export function hubRoutes(deps: HubAnswerDeps): readonly RouteDeclaration[] {
  const surface = createHubSurface();
  return [verifyRoute(deps, surface), pushRoute(deps, surface)];
}

function createHubSurface(): Surface {
  const limiter = createLocalLimiter(limit);
  const policy = { name: 'address', admittedMax: limit.requestsPerMinute, windowSeconds: 60 };
  return {
    name: 'hubs',
    cors: null,
    problems: [methodNotAllowed, rateLimited, temporarilyUnavailable],
    admit: ({ key }) => {
      const retryAfterSeconds = limiter.take(key, performance.now());
      if (retryAfterSeconds > 0)
        throw rateLimitProblem(policy, 'Too many requests from this IP address.', retryAfterSeconds);
    },
  };
}

function verifyRoute(deps: HubAnswerDeps, surface: Surface): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path,
    surface,
    operationId: 'verifyHubIntent',
    tag,
    summary: 'Confirm to a hub that Daybook requested a subscription or its end.',
    params,
    query: Type.Object(
      {
        'hub.mode': Type.Enum(['subscribe', 'unsubscribe', 'denied']),
        'hub.topic': Type.String({ maxLength: 2_000 }),
        'hub.challenge': Type.Optional(Type.String({ maxLength: 1_000 })),
        'hub.lease_seconds': Type.Optional(Type.Integer({ minimum: 0 })),
        'hub.reason': Type.Optional(Type.String({ maxLength: 2_000 })),
      },
      // Hubs may send parameters beyond those of WebSub.
      { additionalProperties: true },
    ),
    responses: {
      200: {
        description: 'The challenge, unchanged.',
        contentType: 'text/plain; charset=utf-8',
        schema: Type.String(),
      },
    },
    problems: [notFound, internal],
    handle: async ({ params: { callback }, query, reply }) => {
      const isIntended = await verifyIntent(deps, callback, {
        mode: query['hub.mode'],
        topic: query['hub.topic'],
        leaseSeconds: query['hub.lease_seconds'] ?? leaseSecondsDefault,
        reason: query['hub.reason'] ?? '',
      });
      if (!isIntended) throw new ProblemError(notFound, 'No pending request matches.');
      return reply
        .header('cache-control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send(query['hub.challenge'] ?? '');
    },
  });
}

function pushRoute(deps: HubAnswerDeps, surface: Surface): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path,
    surface,
    operationId: 'receivePush',
    tag,
    summary: 'Receive a notification that a feed has changed.',
    description:
      'A notification without a valid signature gets the same response and is ignored, as the WebSub Recommendation requires.',
    params,
    stream: pushStream,
    responses: { 202: { description: 'Received.' } },
    problems: [notFound, internal],
    handle: async ({ params: { callback }, request, reply }) => {
      const signature = request.headers['x-hub-signature'];
      const received = await receivePush(deps, callback, {
        signature: typeof signature === 'string' ? signature : undefined,
        body: () => streamOf(request).body() as AsyncIterable<Uint8Array>,
      });
      if (received === 'unknown') throw new ProblemError(notFound, 'Subscription not found.');
      return reply.code(202).header('cache-control', 'no-store').send();
    },
  });
}
