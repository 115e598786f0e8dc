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
  /** Absent where the response has no body. */
  readonly schema?: TSchema;
  /** `application/json` by default. */
  readonly contentType?: string;
  readonly headers?: HeaderDeclarations;
  readonly example?: unknown;
}

export interface StreamBounds {
  /** Of the request's body, of any media type; 0 where none is read. */
  readonly bodyBytesMax: number;
  /** The body in the description; `application/octet-stream` and required by default. */
  readonly body?: { readonly contentType: string; readonly isOptional?: true };
  /** This many bytes, sent and received together, must move in every period, or the stream is aborted. */
  readonly progress: { readonly bytes: number; readonly withinMs: number };
}

export type RequestHeaders = Readonly<
  Record<string, HeaderDeclarations[string] & { readonly isRequired?: true }>
>;

/** An earlier response to a body, reusable for the same body. */
export interface CachedPost {
  readonly contentType: string;
  /** Counts the parts of the response against the client's limits; throws where they are exceeded. */
  readonly admit: (client: ClientInfo) => void;
  /** The body in pieces, so that cached pieces are not copied. */
  readonly pieces: () => readonly Buffer[];
}

/** Checks the same as the surface's `authenticate`; null leaves the request to the router. */
export type FindCachedPost = (request: IncomingMessage, body: Buffer) => CachedPost | null;

/** The declaration of a route; validation, serialisation, contract checks and OpenAPI read it. */
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
  /** The request headers that the handler reads, for the description. The handler checks them. */
  readonly requestHeaders?: RequestHeaders;
  readonly body?: TObject;
  /** JSON, or a browser's form, with files where it is `multipart`; nothing else is parsed. */
  readonly bodyFormat?: BodyFormat;
  readonly bodyBytesMax?: number;
  /** For a streamed request body or response: its own bounds instead of the time limit of a whole request. */
  readonly stream?: StreamBounds;
  /** For a form that is shown again with its errors: the handler is called and reads `requestFault`. */
  readonly handlesFaults?: boolean;
  /** For a POST without effects: earlier responses with 200, reused before the router. */
  readonly cachedPosts?: FindCachedPost;
  /** Its responses are the same for everyone, so that shared caches may store them. */
  readonly isShared?: true;
  /** Headers that OPTIONS adds at this address beside the methods. */
  readonly optionsHeaders?: Readonly<Record<string, string>>;
  readonly responses: Readonly<Record<number, ResponseDeclaration>>;
  /** Beyond those that `problemsOf` adds. */
  readonly problems: readonly ProblemDefinition[];
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => unknown;
}

/** All problems of a route: its own, its surface's, and those of parsing a query or a body. */
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

/** The parts of a request that a handler may read, typed by the schemas of its route. */
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
