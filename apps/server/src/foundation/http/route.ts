import type { IncomingMessage } from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';

import type { ProblemDefinition } from '../problem.ts';
import { invalidRequest, payloadTooLarge, requestTimeout, unsupportedMediaType } from './http-problems.ts';
import type { ClientInfo, HeaderDeclarations, Surface } from './surface.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type BodyFormat = 'json' | 'form' | 'multipart';

export interface ResponseDeclaration {
  readonly description: string;
  /** Absent where the answer has no body. */
  readonly schema?: TSchema;
  /** `application/json` unless said otherwise. */
  readonly contentType?: string;
  readonly headers?: HeaderDeclarations;
  readonly example?: unknown;
}

export interface StreamBounds {
  /** Of the request's body, of any media type; 0 where none is read. */
  readonly bodyBytesMax: number;
  /** So many bytes, sent and received together, must move in every such period, or the stream is ended. */
  readonly progress: { readonly bytes: number; readonly withinMs: number };
}

/** What a route has answered to a body, and may answer to the same again. */
export interface CachedPost {
  readonly contentType: string;
  /** Counts what the answer was made of against the client's limits; throws where that is too much. */
  readonly admit: (client: ClientInfo) => void;
  /** The body in pieces, so that what is kept is not copied. */
  readonly pieces: () => readonly Buffer[];
}

/** Checks what the surface's `authenticate` would; null leaves the request to the router. */
export type FindCachedPost = (request: IncomingMessage, body: Buffer) => CachedPost | null;

/** Everything there is to know about a route; validation, serialisation, contract checks and OpenAPI read it. */
export interface RouteDeclaration {
  readonly method: Method;
  /** With parameters as `{name}`. */
  readonly path: string;
  readonly surface: Surface;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** JSON, or what a browser sends for a form, with files where it is `multipart`; nothing else is read. */
  readonly bodyFormat?: BodyFormat;
  readonly bodyBytesMax?: number;
  /** Where the request's body or the answer flows: bounds of its own instead of the time that a whole request has. */
  readonly stream?: StreamBounds;
  /** Where a form is shown again with its faults: the handler asks `requestFault` instead of never being called. */
  readonly handlesFaults?: boolean;
  /** Of a POST without effects: what was answered with 200 before, in front of the router. */
  readonly cachedPosts?: FindCachedPost;
  /** Its answers are the same for everyone, so that shared caches may hold them. */
  readonly isShared?: true;
  /** What OPTIONS tells at this address beside the methods. */
  readonly optionsHeaders?: Readonly<Record<string, string>>;
  readonly responses: Readonly<Record<number, ResponseDeclaration>>;
  /** Beyond those that `problemsOf` adds. */
  readonly problems: readonly ProblemDefinition[];
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => unknown;
}

/** All that a route can raise: its own, its surface's, and what follows from reading a query or a body at all. */
export function problemsOf(route: RouteDeclaration): readonly ProblemDefinition[] {
  const hasOwn = route.body !== undefined && route.surface.unreadableBodyIsInvalid !== true;
  const ofBody = hasOwn ? [payloadTooLarge, unsupportedMediaType] : [];
  const ofStream = route.stream === undefined ? [] : [requestTimeout];
  const ofStreamedBody = (route.stream?.bodyBytesMax ?? 0) > 0 ? [payloadTooLarge, unsupportedMediaType] : [];
  return [
    ...new Set([
      invalidRequest,
      ...ofBody,
      ...ofStream,
      ...ofStreamedBody,
      ...route.problems,
      ...route.surface.problems,
    ]),
  ];
}

type PartOf<Schema> = Schema extends TSchema ? Static<Schema> : Record<string, never>;

/** What a handler may read, typed by the schemas of its route. */
export interface RouteInput<Params, Query, Body> {
  readonly params: PartOf<Params>;
  readonly query: PartOf<Query>;
  readonly body: PartOf<Body>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type Declared<Params, Query, Body> = Omit<RouteDeclaration, 'handle' | 'params' | 'query' | 'body'> & {
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly handle: (input: RouteInput<Params, Query, Body>) => unknown;
};

/** Ties the handler's types to the schemas beside it. */
export function defineRoute<
  Params extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
  Body extends TObject | undefined = undefined,
>(declared: Declared<Params, Query, Body>): RouteDeclaration {
  const { handle } = declared;
  return {
    ...(declared as unknown as RouteDeclaration),
    handle: (request, reply) =>
      handle({
        params: request.params as PartOf<Params>,
        query: request.query as PartOf<Query>,
        body: request.body as PartOf<Body>,
        request,
        reply,
      }),
  };
}
