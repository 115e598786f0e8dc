import type { ApiDescription } from '../foundation/http/api-description.ts';
import { createDescriptionRoute, describeGuardedApi } from '../foundation/http/api-description.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { Surface } from '../foundation/http/surface.ts';

const platformApi: ApiDescription = {
  path: '/openapi-platform.json',
  operationId: 'getPlatformDescription',
  title: 'Daybook platform API',
  version: '1.0.0',
  description: `The platform API of an organization: tokens, policies, groups, members and agents.

Send \`Authorization: Api-Token <secret>\` or a member's \`Authorization: Bearer <access token>\`.
\`platform_key\` is the key of the organization. Resources that you cannot access return 404.
Errors are \`application/problem+json\` documents; use \`code\` to handle them. Wait \`Retry-After\` seconds on 429 and 503.`,
  tags: [
    {
      name: 'api-tokens',
      description: "Tokens for programs, with their creator's permissions or their own.",
    },
    { name: 'policies', description: 'Policies: actions and resources.' },
    { name: 'groups', description: 'Groups of members with shared policies.' },
    { name: 'organizations', description: 'Your organizations and the current one.' },
    { name: 'members', description: 'Members and roles.' },
    { name: 'agents', description: 'Agents created from templates.' },
    { name: 'audit', description: 'Audit events of an organization.' },
    { name: 'description', description: 'This document.' },
  ],
  securitySchemes: {
    apiToken: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: '`Api-Token` and the 64 hex digits of a platform token.',
    },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token (one hour).' },
  },
  securityOf: { platform: [{ apiToken: [] }, { bearer: [] }] },
};

/** For all routes under `/dm/api`, of any domain. */
export function describePlatformApi(
  routes: readonly RouteDeclaration[],
  baseUrl: string,
): Record<string, unknown> {
  return describeGuardedApi(platformApi, routes, baseUrl);
}

export function platformDescriptionRoute(
  anonymous: Surface,
  routes: readonly RouteDeclaration[],
  baseUrl: string,
): RouteDeclaration {
  return createDescriptionRoute(platformApi, anonymous, routes, baseUrl);
}
