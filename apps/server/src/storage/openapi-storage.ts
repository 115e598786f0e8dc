import { organizationSecondFactorRequired } from '../access/index.ts';
import type { ApiDescription } from '../foundation/http/api-description.ts';
import { createDescriptionRoute, describeGuardedApi } from '../foundation/http/api-description.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { Surface } from '../foundation/http/surface.ts';
import { archiveRoutes } from './files/archive-routes.ts';
import { fileRoutes } from './files/file-routes.ts';
import { folderRoutes } from './folders/folder-routes.ts';
import { linkRoutes } from './links/link-routes.ts';
import { sharedRoutes } from './links/shared-routes.ts';
import type { StorageRoutesDeps } from './projects/project-routes.ts';
import { projectRoutes } from './projects/project-routes.ts';
import { shareRoutes } from './shares/share-routes.ts';
import { trashRoutes } from './trash/trash-routes.ts';
import { directRoutes } from './uploads/direct-routes.ts';
import { dataTus, tusRoutes } from './uploads/tus-routes.ts';
import { uploadRoutes } from './uploads/upload-routes.ts';

const storageApi: ApiDescription = {
  path: '/openapi-storage.json',
  operationId: 'getStorageDescription',
  title: 'Daybook storage API',
  version: '1.0.0',
  description: `Projects, nestable folders and files.

Send \`Authorization: Bearer <access token>\` or \`X-API-Key: <key>\`. What you may not know of is 404, as if it did not
exist. Errors are \`application/problem+json\`; branch on \`code\`. Wait \`Retry-After\` seconds on 429 and 503.`,
  tags: [
    { name: 'projects', description: 'Of an organization, in a workspace.' },
    { name: 'folders', description: 'What lies in a project, and the trash.' },
    { name: 'files', description: 'Content and its versions.' },
    { name: 'uploads', description: 'Room is taken first; then the bytes are sent.' },
    { name: 'shares', description: 'What members and groups are given beyond their roles.' },
    { name: 'links', description: 'Addresses that let anyone read a file or folder, for a time.' },
    { name: 'usage', description: 'How much is kept.' },
    { name: 'description', description: 'This document.' },
  ],
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token, one hour.' },
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: '64 hex digits.' },
  },
  securityOf: { data: [{ bearer: [] }, { apiKey: [] }] },
};

/** The JSON endpoints of this domain, and their description. */
export function storageRoutes(
  { surface: data, ...rest }: StorageRoutesDeps,
  anonymous: Surface,
  baseUrl: string,
): readonly RouteDeclaration[] {
  const surface: Surface = { ...data, problems: [...data.problems, organizationSecondFactorRequired] };
  const deps: StorageRoutesDeps = { ...rest, surface };
  const routes = [
    ...projectRoutes(deps),
    ...folderRoutes(deps),
    ...trashRoutes(deps),
    ...fileRoutes(deps),
    ...archiveRoutes(deps),
    ...tusRoutes(deps, dataTus(surface)),
    ...uploadRoutes(deps),
    ...directRoutes(deps),
    ...shareRoutes(deps),
    ...linkRoutes(deps, baseUrl),
    ...sharedRoutes(deps, anonymous),
  ];
  return [...routes, createDescriptionRoute(storageApi, anonymous, routes, baseUrl)];
}

export function describeStorageApi(
  routes: readonly RouteDeclaration[],
  baseUrl: string,
): Record<string, unknown> {
  return describeGuardedApi(storageApi, routes, baseUrl);
}
