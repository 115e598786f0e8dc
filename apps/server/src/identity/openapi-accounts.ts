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

Send \`Authorization: Bearer <access token>\` or \`X-API-Key: <API key>\` to the data endpoints; if both are sent, the token is used.
Errors are \`application/problem+json\` documents; use \`code\` to handle them. Wait \`Retry-After\` seconds on 429 and 503.`,
  tags: [
    { name: 'tokens', description: 'Sign-in, token refresh and sign-out.' },
    { name: 'api-keys', description: 'API keys. Managing them requires an access token.' },
    { name: 'account', description: 'Current account.' },
    { name: 'description', description: 'This document.' },
  ],
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token (one hour).' },
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
