import type { ApiDescription } from '../foundation/http/api-description.ts';
import { createDescriptionRoute, describeGuardedApi } from '../foundation/http/api-description.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { Surface } from '../foundation/http/surface.ts';

const platformApi: ApiDescription = {
  path: '/openapi-platform.json',
  operationId: 'getPlatformDescription',
  title: 'Daybook platform API',
  version: '1.0.0',
  description: `The platform of an organization: tokens, policies, groups, members and what is built on them.

Send \`Authorization: Api-Token <secret>\` or a member's \`Authorization: Bearer <access token>\`.
\`platform_key\` is the key of the organization. What you may not know of is 404, as if it did not exist.
Errors are \`application/problem+json\`; branch on \`code\`. Wait \`Retry-After\` seconds on 429 and 503.`,
  tags: [
    {
      name: 'api-tokens',
      description: 'Tokens for programs: with the authority of their creator, or their own.',
    },
    { name: 'policies', description: 'What may be done to what.' },
    { name: 'groups', description: 'Members and the policies they have in common.' },
    { name: 'organizations', description: 'Organizations of yours, and the one you work in.' },
    { name: 'members', description: 'Who belongs to an organization, and as what.' },
    { name: 'agents', description: 'Agents made from templates.' },
    { name: 'audit', description: 'What happened in an organization.' },
    { name: 'description', description: 'This document.' },
  ],
  securitySchemes: {
    apiToken: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: '`Api-Token` and the 64 hex digits of a platform token.',
    },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token, one hour.' },
  },
  securityOf: { platform: [{ apiToken: [] }, { bearer: [] }] },
};

/** Of all routes under `/dm/api`, whichever domain they belong to. */
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
