import type { ApiDescription } from '../foundation/http/api-description.ts';
import { createDescriptionRoute, describeGuardedApi } from '../foundation/http/api-description.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { Surface } from '../foundation/http/surface.ts';

const accountsApi: ApiDescription = {
  path: '/openapi-accounts.json',
  operationId: 'getAccountsDescription',
  title: 'Daybook accounts API',
  version: '1.0.0',
  description: `Accounts: sign-in, access tokens and API keys.

Send \`Authorization: Bearer <access token>\` or \`X-API-Key: <API key>\` to the data endpoints; where both are sent, the token speaks.
Errors are \`application/problem+json\`; branch on \`code\`. Wait \`Retry-After\` seconds on 429 and 503.`,
  tags: [
    { name: 'tokens', description: 'Signing in, refreshing, signing out.' },
    { name: 'api-keys', description: 'Keys for programs; managed with an access token.' },
    { name: 'account', description: 'Who you are.' },
    { name: 'description', description: 'This document.' },
  ],
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token, one hour.' },
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: '64 hex digits.' },
  },
  securityOf: {
    data: [{ bearer: [] }, { apiKey: [] }],
    'data-jwt': [{ bearer: [] }],
  },
};

export function describeAccountsApi(
  routes: readonly RouteDeclaration[],
  baseUrl: string,
): Record<string, unknown> {
  return describeGuardedApi(accountsApi, routes, baseUrl);
}

export function accountsDescriptionRoute(
  anonymous: Surface,
  routes: readonly RouteDeclaration[],
  baseUrl: string,
): RouteDeclaration {
  return createDescriptionRoute(accountsApi, anonymous, routes, baseUrl);
}
