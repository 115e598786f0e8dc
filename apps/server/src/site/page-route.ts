import { Type } from 'typebox';
import type { TObject } from 'typebox';

import type { RepresentationCache, Resource } from '../foundation/cache/representation-cache.ts';
import { sendResource } from '../foundation/cache/representation-reply.ts';
import type { RouteDeclaration, RouteInput } from '../foundation/http/route.ts';
import { defineRoute } from '../foundation/http/route.ts';
import type { Surface } from '../foundation/http/surface.ts';
import type { ProblemDefinition } from '../foundation/problem.ts';

export interface SiteTools {
  readonly anonymous: Surface;
  readonly cache: RepresentationCache;
}

interface PageRoute<Params> {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly contentType?: string;
  readonly params?: Params;
  readonly problems?: readonly ProblemDefinition[];
  readonly resource: (input: RouteInput<Params, undefined, undefined>) => Resource;
}

const cacheControl = 'public, max-age=300, s-maxage=300, stale-while-revalidate=300, stale-if-error=3600';

export function definePage<Params extends TObject | undefined = undefined>(
  tools: SiteTools,
  { contentType = 'text/html; charset=utf-8', resource, params, ...declared }: PageRoute<Params>,
): RouteDeclaration {
  return defineRoute<Params>({
    ...declared,
    method: 'GET',
    surface: tools.anonymous,
    tag: 'site',
    ...(params === undefined ? {} : { params }),
    responses: {
      200: { description: 'The page.', schema: Type.String(), contentType },
      304: { description: 'Unchanged.' },
    },
    problems: declared.problems ?? [],
    handle: (input) => sendResource(input.request, input.reply, tools.cache, resource(input), cacheControl),
  });
}
