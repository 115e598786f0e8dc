import { Type } from 'typebox';

import { describeApi } from '../foundation/http/openapi.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import { defineRoute } from '../foundation/http/route.ts';
import type { Surface } from '../foundation/http/surface.ts';

type Json = Record<string, unknown>;

const description = `Accounts: sign-in, access tokens and API keys.

Send \`Authorization: Bearer <access token>\` or \`X-API-Key: <API key>\` to the data endpoints; where both are sent, the token speaks.
Errors are \`application/problem+json\`; branch on \`code\`. Wait \`Retry-After\` seconds on 429 and 503.`;

const tags = [
  { name: 'tokens', description: 'Signing in, refreshing, signing out.' },
  { name: 'api-keys', description: 'Keys for programs; managed with an access token.' },
  { name: 'account', description: 'Who you are.' },
  { name: 'description', description: 'This document.' },
];

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token, one hour.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: '64 hex digits.' },
};

const securityOf: Readonly<Record<string, readonly Json[]>> = {
  data: [{ bearer: [] }, { apiKey: [] }],
  'data-jwt': [{ bearer: [] }],
};

/** What the routes declare, with the credentials that their surfaces ask for. */
export function describeAccountsApi(routes: readonly RouteDeclaration[], baseUrl: string): Json {
  const document = describeApi({ title: 'Daybook accounts API', version: '1.0.0', description, routes });
  const paths = document['paths'] as Record<string, Record<string, Json>>;
  for (const { path, method, surface } of routes) {
    const operation = paths[path]?.[method.toLowerCase()];
    if (operation !== undefined) operation['security'] = securityOf[surface.name] ?? [];
  }
  return {
    ...document,
    servers: [{ url: baseUrl }],
    tags,
    components: { ...(document['components'] as Json), securitySchemes },
  };
}

/** Describes the given routes, and itself. */
export function accountsDescriptionRoute(
  anonymous: Surface,
  routes: readonly RouteDeclaration[],
  baseUrl: string,
): RouteDeclaration {
  const route: RouteDeclaration = defineRoute({
    method: 'GET',
    path: '/openapi-accounts.json',
    surface: anonymous,
    operationId: 'getAccountsDescription',
    tag: 'description',
    summary: 'This document: OpenAPI 3.1.0.',
    responses: { 200: { description: 'The description.', schema: Type.Object({ openapi: Type.String() }) } },
    problems: [],
    handle: ({ reply }) =>
      reply
        .header('content-type', 'application/json; charset=utf-8')
        .header('cache-control', 'public, max-age=300')
        .serializer((body: unknown) => String(body))
        .send(text()),
  });
  let written: string | null = null;
  const text = (): string => (written ??= JSON.stringify(describeAccountsApi([...routes, route], baseUrl)));
  return route;
}
