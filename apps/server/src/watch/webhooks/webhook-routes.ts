import { Type } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import { conflict, forbidden, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { idForm } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { credentials } from '../../identity/index.ts';
import { requireSearch } from '../searches/save-search.ts';
import type { SearchRoutesDeps } from '../searches/search-routes.ts';
import { ownAccount, SearchParams, searchPath } from '../searches/search-routes.ts';
import type { WebhookDeps } from './change-webhooks.ts';
import { createWebhook, deleteWebhook } from './change-webhooks.ts';
import { selectWebhooks } from './webhook-store.ts';
import type { Webhook } from './webhook.ts';
import { webhookFormats } from './webhook.ts';

const tag = 'webhooks';
const path = `${searchPath}/webhooks`;
const instant = Type.String({ format: 'date-time' });
const instantOrNull = Type.Union([instant, Type.Null()]);
const Format = Type.Enum([...webhookFormats], {
  description:
    'generic: JSON, signed according to Standard Webhooks. slack, discord: a message for an incoming webhook of these services.',
});

const WebhookSchema = titledObject('Webhook', {
  id: Type.String({ format: 'uuid' }),
  format: Format,
  host: Type.String({ description: 'Host of the address. The address itself is not returned.' }),
  createdAt: instant,
  lastDeliveredAt: instantOrNull,
  failingSince: instantOrNull,
  disabledAt: Type.Union([instant, Type.Null()], {
    description: 'Time when the webhook was disabled, after five days without a delivery.',
  }),
});

const orNull = (at: EpochMicroseconds | null): string | null => (at === null ? null : isoMicroseconds(at));

export function presentWebhook({ id, format, host, ...times }: Webhook) {
  return {
    id,
    format,
    host,
    createdAt: isoMicroseconds(times.createdAt),
    lastDeliveredAt: orNull(times.lastDeliveredAt),
    failingSince: orNull(times.failingSince),
    disabledAt: orNull(times.disabledAt),
  };
}

export function webhookRoutes(deps: SearchRoutesDeps & WebhookDeps): readonly RouteDeclaration[] {
  return [...listAndCreateRoutes(deps), deleteRoute(deps)];
}

function listAndCreateRoutes(deps: SearchRoutesDeps & WebhookDeps): readonly RouteDeclaration[] {
  const all = { path, surface: deps.surface, tag, params: SearchParams };
  return [
    defineRoute({
      ...all,
      method: 'GET',
      operationId: 'listWebhooks',
      summary: 'List the webhooks of a saved search, newest first.',
      responses: { 200: { description: 'All webhooks.', schema: Type.Array(WebhookSchema) } },
      problems: [notFound, forbidden],
      handle: async ({ params, request, reply }) => {
        const accountId = ownAccount(request, 'read');
        const search = await requireSearch(deps, accountId, params.id);
        const found = await selectWebhooks(deps.database, accountId, search.id);
        return reply.header('cache-control', 'no-store').send(found.map(presentWebhook));
      },
    }),
    defineRoute({
      ...all,
      method: 'POST',
      operationId: 'createWebhook',
      summary: 'Create a webhook. The secret is returned only once.',
      description:
        'Each new match is sent at least once, with the same `webhook-id` in every attempt. The address must be a public https address; redirects are not followed.',
      body: titledObject('NewWebhook', {
        format: Format,
        address: Type.String({ minLength: 1, maxLength: 2_000 }),
      }),
      responses: {
        201: {
          description: 'Created.',
          schema: titledObject('CreatedWebhook', {
            ...WebhookSchema.properties,
            secret: Type.Union([Type.String(), Type.Null()], {
              description: 'Verifies the signatures of a generic webhook; null for others.',
            }),
          }),
        },
      },
      problems: [notFound, forbidden, conflict],
      handle: async ({ params, body, request, reply }) => {
        const made = await createWebhook(
          deps,
          {
            accountId: ownAccount(request, 'change'),
            credential: credentials.principalOf(request).credential,
            searchId: params.id,
            client: credentials.clientOf(request),
          },
          body,
        );
        return reply
          .code(201)
          .header('cache-control', 'no-store')
          .send({ ...presentWebhook(made.webhook), secret: made.secret });
      },
    }),
  ];
}

function deleteRoute(deps: SearchRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'DELETE',
    path: `${path}/{webhook}`,
    surface: deps.surface,
    operationId: 'deleteWebhook',
    tag,
    summary: 'Delete a webhook.',
    params: Type.Object({ ...SearchParams.properties, webhook: Type.String({ pattern: idForm.source }) }),
    responses: { 204: { description: 'Deleted.' } },
    problems: [notFound, forbidden],
    handle: async ({ params, request, reply }) => {
      const accountId = ownAccount(request, 'change');
      await requireSearch(deps, accountId, params.id);
      const client = credentials.clientOf(request);
      const isDeleted = await deleteWebhook(deps, { accountId, client, id: params.webhook });
      if (!isDeleted) throw new ProblemError(notFound, 'Webhook not found.');
      return reply.code(204).header('cache-control', 'no-store').send();
    },
  });
}
