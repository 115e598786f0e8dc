import type { TObject, TSchema } from 'typebox';
import { Type } from 'typebox';

import type { RepresentationCache, Resource } from '../foundation/cache/representation-cache.ts';
import { sendResource, sendUncached } from '../foundation/cache/representation-reply.ts';
import { invalidRequest } from '../foundation/http/http-problems.ts';
import type { ResponseDeclaration, RouteDeclaration, RouteInput } from '../foundation/http/route.ts';
import { defineRoute } from '../foundation/http/route.ts';
import type { Surface } from '../foundation/http/surface.ts';
import type { ProblemDefinition } from '../foundation/problem.ts';
import { ProblemError } from '../foundation/problem.ts';
import type { Freshness } from './freshness.ts';
import { cacheControlOf } from './freshness.ts';

export interface NewsRouteTools {
  readonly anonymous: Surface;
  readonly cache: RepresentationCache;
}

export const userAgentCharsMax = 2048;

/** A resource that is not cached, because most of its variants are requested only once. */
export interface UncachedResource extends Resource {
  readonly uncached?: boolean;
}

export interface NewsRoute<Params, Query> {
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly ok: {
    readonly description: string;
    readonly schema: TSchema;
    readonly example: unknown;
    readonly contentType?: string;
  };
  /** Whether the resource may redirect permanently. */
  readonly redirects?: boolean;
  readonly problems?: readonly ProblemDefinition[];
  readonly freshness: Freshness;
  readonly resource: (input: RouteInput<Params, Query, undefined>) => UncachedResource;
}

/** Defines a news route: the same for every caller, tagged, cached, 304 if the client is current. */
export function defineNewsRoute<
  Params extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
>(tools: NewsRouteTools, declared: NewsRoute<Params, Query>): RouteDeclaration {
  const cacheControl = cacheControlOf(declared.freshness);
  const { params, query, description } = declared;
  return defineRoute<Params, Query>({
    method: 'GET',
    isShared: true,
    path: declared.path,
    surface: tools.anonymous,
    operationId: declared.operationId,
    tag: declared.tag,
    summary: declared.summary,
    ...(description === undefined ? {} : { description }),
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    responses: responsesOf(declared, cacheControl),
    problems: [invalidRequest, ...(declared.problems ?? [])],
    handle: (input) => {
      const { request, reply } = input;
      refuseLongUserAgent(request.raw.headers['user-agent']);
      const resource = declared.resource(input);
      return resource.uncached === true
        ? sendUncached(request, reply, resource, cacheControl)
        : sendResource(
            request,
            reply,
            tools.cache,
            { ...resource, byTarget: isByTarget(input) },
            cacheControl,
          );
    },
  });
}

/** The validity of a cursor depends on the time. */
export function isByTarget({ query }: { readonly query: unknown }): boolean {
  return (query as { readonly cursor?: unknown } | undefined)?.cursor === undefined;
}

function refuseLongUserAgent(userAgent: string | undefined): void {
  if (userAgent === undefined || userAgent.length <= userAgentCharsMax) return;
  const message = `must not be longer than ${userAgentCharsMax} characters`;
  throw new ProblemError(invalidRequest, `User-Agent ${message}`, {
    errors: [{ in: 'header', name: 'User-Agent', message }],
  });
}

function responsesOf(
  { ok, redirects }: Pick<NewsRoute<unknown, unknown>, 'ok' | 'redirects'>,
  cacheControl: string,
): Readonly<Record<number, ResponseDeclaration>> {
  const headers = cachedHeaders(cacheControl);
  return {
    200: { ...ok, headers },
    304: { description: 'Unchanged since the tag in If-None-Match; no body.', headers },
    ...(redirects === true ? { 308: { description: moved, headers: { ...headers, ...location } } } : {}),
  };
}

const moved = 'Merged into another story; follow Location.';
const location: NonNullable<ResponseDeclaration['headers']> = {
  Location: {
    description: 'URL of the surviving story, relative to this one.',
    schema: Type.String({ format: 'uri-reference' }),
  },
};

function cachedHeaders(cacheControl: string): NonNullable<ResponseDeclaration['headers']> {
  return {
    ETag: {
      description: 'Send it in If-None-Match.',
      schema: Type.String({ examples: ['W/"dGhpcyBpcyBhIHdlYWsgdGFn"'] }),
    },
    'Cache-Control': {
      description: 's-maxage is the minimum polling interval.',
      schema: Type.String({ examples: [cacheControl] }),
    },
    'X-Request-Id': { description: 'Identifies this response in the logs.', schema: Type.String() },
  };
}
