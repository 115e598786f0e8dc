import { Type } from 'typebox';

import { describeApi } from './openapi.ts';
import type { RouteDeclaration } from './route.ts';
import { defineRoute } from './route.ts';
import type { Surface } from './surface.ts';

type Json = Record<string, unknown>;

/** One of the API descriptions of an installation: of routes whose guards require credentials. */
export interface ApiDescription {
  readonly path: string;
  readonly operationId: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly securitySchemes: Json;
  /** By the name of a surface; other surfaces require none. */
  readonly securityOf: Readonly<Record<string, readonly Json[]>>;
}

/** The declarations of the routes, with the credentials that their surfaces require. */
export function describeGuardedApi(
  api: ApiDescription,
  routes: readonly RouteDeclaration[],
  baseUrl: string,
): Json {
  const { title, version, description } = api;
  const document = describeApi({ title, version, description, routes });
  const paths = document['paths'] as Record<string, Record<string, Json>>;
  for (const { path, method, surface } of routes) {
    const operation = paths[path]?.[method.toLowerCase()];
    if (operation !== undefined) operation['security'] = api.securityOf[surface.name] ?? [];
  }
  return {
    ...document,
    servers: [{ url: baseUrl }],
    tags: api.tags,
    components: { ...(document['components'] as Json), securitySchemes: api.securitySchemes },
  };
}

/** Describes the given routes, and itself. */
export function createDescriptionRoute(
  api: ApiDescription,
  anonymous: Surface,
  routes: readonly RouteDeclaration[],
  baseUrl: string,
): RouteDeclaration {
  const route: RouteDeclaration = defineRoute({
    method: 'GET',
    path: api.path,
    surface: anonymous,
    operationId: api.operationId,
    tag: 'description',
    summary: 'Get this OpenAPI 3.1.0 document.',
    responses: {
      200: { description: 'The OpenAPI document.', schema: Type.Object({ openapi: Type.String() }) },
    },
    problems: [],
    handle: ({ reply }) =>
      reply
        .header('content-type', 'application/json; charset=utf-8')
        .header('cache-control', 'public, max-age=300')
        .serializer((body: unknown) => String(body))
        .send(text()),
  });
  let written: string | null = null;
  const text = (): string =>
    (written ??= JSON.stringify(describeGuardedApi(api, [...routes, route], baseUrl)));
  return route;
}
