import { organizationSecondFactorRequired } from '../access/index.ts';
import type { ApiDescription } from '../foundation/http/api-description.ts';
import { createDescriptionRoute, describeGuardedApi } from '../foundation/http/api-description.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { CorsPolicy, Surface } from '../foundation/http/surface.ts';
import { textRoutes } from './derived/text-routes.ts';
import { archiveRoutes } from './files/archive-routes.ts';
import { fileRoutes } from './files/file-routes.ts';
import { quotaRoutes } from './files/quota-routes.ts';
import { folderRoutes } from './folders/folder-routes.ts';
import { linkRoutes } from './links/link-routes.ts';
import { sharedRoutes } from './links/shared-routes.ts';
import type { StorageRoutesDeps } from './projects/project-routes.ts';
import { projectRoutes } from './projects/project-routes.ts';
import { conditionHeaders } from './request-headers.ts';
import { shareRoutes } from './shares/share-routes.ts';
import { transferRoutes } from './transfers/transfer-routes.ts';
import { trashRoutes } from './trash/trash-routes.ts';
import { directRoutes } from './uploads/direct-routes.ts';
import { tusRequestHeaders, tusResponseHeaders } from './uploads/tus-headers.ts';
import { dataTus, tusRoutes } from './uploads/tus-routes.ts';
import { uploadRoutes } from './uploads/upload-routes.ts';

const storageApi: ApiDescription = {
  path: '/openapi-storage.json',
  operationId: 'getStorageDescription',
  title: 'Daybook storage API',
  version: '1.0.0',
  description: `Projects, nestable folders and files.

Send \`Authorization: Bearer <access token>\` or \`X-API-Key: <key>\`. Resources that you cannot access return 404. Errors are \`application/problem+json\` documents; use \`code\` to handle them. Wait \`Retry-After\` seconds on 429 and 503.`,
  tags: [
    { name: 'projects', description: 'Projects of an organization.' },
    { name: 'folders', description: 'Folders and trash.' },
    { name: 'files', description: 'File contents and versions.' },
    { name: 'uploads', description: 'Create an upload, then send its content.' },
    { name: 'shares', description: 'Access of members and groups in addition to their roles.' },
    { name: 'links', description: 'Temporary public links to files and folders.' },
    { name: 'usage', description: 'Storage usage and quota.' },
    { name: 'description', description: 'This document.' },
  ],
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token (one hour).' },
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: '64 hex digits.' },
  },
  securityOf: { data: [{ bearer: [] }, { apiKey: [] }] },
};

/** For web applications of the configured origins. Requests carry a token or key; browsers add no credential. */
function browserAccess(allowOrigin: readonly string[]): CorsPolicy | null {
  if (allowOrigin.length === 0) return null;
  return {
    allowOrigin,
    allowHeaders: [
      'Authorization',
      'X-API-Key',
      'Content-Type',
      ...Object.keys(conditionHeaders),
      ...tusRequestHeaders,
    ],
    exposeHeaders: [
      'ETag',
      'Last-Modified',
      'Content-Range',
      'Content-Disposition',
      'Retry-After',
      'X-Request-Id',
      ...tusResponseHeaders,
    ],
    maxAgeSeconds: 7_200,
  };
}

/** The JSON endpoints of this domain, and their description. */
export function storageRoutes(
  { surface: data, ...rest }: StorageRoutesDeps,
  anonymous: Surface,
  baseUrl: string,
): readonly RouteDeclaration[] {
  const surface: Surface = {
    ...data,
    cors: browserAccess(rest.settings.origins),
    problems: [...data.problems, organizationSecondFactorRequired],
  };
  const deps: StorageRoutesDeps = { ...rest, surface };
  const routes = [
    ...projectRoutes(deps),
    ...folderRoutes(deps),
    ...trashRoutes(deps),
    ...fileRoutes(deps),
    ...textRoutes(deps),
    ...transferRoutes(deps),
    ...quotaRoutes(deps),
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
