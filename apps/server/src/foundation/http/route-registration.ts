import type { Schema } from 'fast-json-stringify';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifyInstance, FastifyRequest, FastifySchema, preParsingHookHandler } from 'fastify';

import { ProblemError } from '../problem.ts';
import { corsHeadersOf, preflightHeadersOf } from './cross-origin.ts';
import { formContentType, multipartContentType } from './form-body.ts';
import { methodNotAllowed, notFound, payloadTooLarge, unsupportedMediaType } from './http-problems.ts';
import { createAjv, createValidator } from './request-validation.ts';
import type { RequestPart } from './request-validation.ts';
import type { BodyFormat, RouteDeclaration } from './route.ts';
import { sentMethod } from './sent-method.ts';
import type { CorsPolicy, Surface } from './surface.ts';

const partOfFastify: Readonly<Record<string, RequestPart>> = {
  params: 'path',
  querystring: 'query',
  headers: 'header',
  body: 'body',
};

/** Registers the declared routes, OPTIONS for each address, and 405 for every other method. */
export function registerRoutes(server: FastifyInstance, routes: readonly RouteDeclaration[]): void {
  const ajv = createAjv();
  server.setValidatorCompiler(({ schema, httpPart }) => {
    // With the first request: compiling every schema would take a third of a process's start time.
    let validate: ReturnType<typeof createValidator> | undefined;
    return (value: unknown) => {
      try {
        validate ??= createValidator(ajv, schema, partOfFastify[httpPart ?? 'body'] ?? 'body');
        return { value: validate(value) };
      } catch (error) {
        return { error: error as Error };
      }
    };
  });
  server.setSerializerCompiler(({ schema }) => {
    let serialize: ((value: unknown) => string) | undefined;
    return (value: unknown) => (serialize ??= fastJsonStringify(schema as Schema))(value);
  });
  const byPath = Map.groupBy(routes, (route) => route.path);
  for (const [path, declared] of byPath) {
    for (const route of declared) {
      if (route.stream === undefined) registerRoute(server, route);
      else registerStreamedRoute(server, route);
    }
    registerOtherMethods(server, path, declared);
  }
}

function registerRoute(server: FastifyInstance, route: RouteDeclaration): void {
  server.route({
    method: route.method,
    url: fastifyPath(route.path),
    config: { surface: route.surface, declaration: route, ...corsConfig(route.surface.cors) },
    schema: fastifySchema(route),
    ...(route.body === undefined ? {} : { preParsing: checkBodyTypeAndContinue }),
    attachValidation: route.handlesFaults === true,
    ...(route.bodyBytesMax === undefined ? {} : { bodyLimit: route.bodyBytesMax }),
    handler: route.handle,
  });
}

/** In a separate scope without a body parser: the handler reads it from `streamOf(request).body()`. */
function registerStreamedRoute(server: FastifyInstance, route: RouteDeclaration): void {
  const { bodyBytesMax = 0 } = route.stream ?? {};
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request, _payload, done) => {
      const tooLarge = Number(request.headers['content-length'] ?? 0) > bodyBytesMax;
      done(tooLarge ? new ProblemError(payloadTooLarge, 'The request body is too large.') : null);
    });
    registerRoute(scope, route);
  });
}

/** The validation error of a request, for the handler of a route that handles faults. */
export function requestFault({ validationError }: FastifyRequest): ProblemError | null {
  return validationError instanceof ProblemError ? validationError : null;
}

const contentTypes: Readonly<Record<BodyFormat, string>> = {
  json: 'application/json',
  form: formContentType,
  multipart: multipartContentType,
};
const formats = Object.keys(contentTypes) as readonly BodyFormat[];

/** Only now does a client that waits for `100 Continue` receive it: it has passed every check that needs no body. */
const checkBodyTypeAndContinue: preParsingHookHandler = (request, reply, payload, done) => {
  const { bodyFormat = 'json' } = request.routeOptions.config.declaration ?? {};
  const sent = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  // Other bodies are refused by their parser.
  const format = formats.find((one) => contentTypes[one] === sent) ?? 'json';
  if (format !== bodyFormat) {
    done(new ProblemError(unsupportedMediaType, `Send ${contentTypes[bodyFormat]}.`));
    return;
  }
  if (request.raw.headers.expect !== undefined) reply.raw.writeContinue();
  done(null, payload);
};

function registerOtherMethods(
  server: FastifyInstance,
  path: string,
  declared: readonly RouteDeclaration[],
): void {
  const [first] = declared;
  if (first === undefined) return;
  const allowed = new Set<string>([...declared.map((route) => route.method), 'OPTIONS']);
  if (allowed.has('GET')) allowed.add('HEAD');
  const allow = [...allowed].sort().join(', ');
  const { surface } = first;
  const config = { surface, ...corsConfig(surface.cors) };
  server.route({
    method: 'OPTIONS',
    url: fastifyPath(path),
    config,
    handler: async ({ headers: { origin } }, reply) => {
      reply.header('allow', allow);
      if (surface.cors !== null) reply.headers(preflightHeadersOf(surface.cors, allow, origin));
      for (const { optionsHeaders = {} } of declared) reply.headers(optionsHeaders);
      return reply.code(204).send();
    },
  });
  server.route({
    method: server.supportedMethods.filter((method) => !allowed.has(method)),
    url: fastifyPath(path),
    config,
    // Here, and not in the handler: no part of the body has been read yet.
    onRequest: (request, _reply, done) =>
      done(
        new ProblemError(methodNotAllowed, `${sentMethod(request.raw)} is not allowed for this URL.`, {
          headers: { allow },
        }),
      ),
    handler: async () => {},
  });
}

/** Every undeclared address below a path: the surface's limits and headers apply there too. */
export interface UnknownAddresses {
  /** Without a trailing slash. */
  readonly below: string;
  readonly surface: Surface;
}

/** A browser may read the 404, also where its request needs a preflight. */
export function registerUnknownAddresses(
  server: FastifyInstance,
  { below, surface }: UnknownAddresses,
  declared: readonly RouteDeclaration[],
): void {
  const config = { surface, ...corsConfig(surface.cors) };
  const allow = 'GET, HEAD, OPTIONS';
  const urls = [below, `${below}/*`].filter((url) => !declared.some(({ path }) => path === url));
  for (const url of urls) {
    server.route({
      method: 'OPTIONS',
      url,
      config,
      handler: async ({ headers: { origin } }, reply) => {
        if (surface.cors !== null) reply.headers(preflightHeadersOf(surface.cors, allow, origin));
        return reply.code(204).send();
      },
    });
    server.route({
      method: server.supportedMethods.filter((method) => method !== 'OPTIONS'),
      url,
      config,
      onRequest: (_request, _reply, done) => done(new ProblemError(notFound, noRouteDetail)),
      handler: async () => {},
    });
  }
}

export const noRouteDetail = 'This URL does not exist.';

/** The headers for listed origins depend on the request. */
function corsConfig(cors: CorsPolicy | null): { corsHeaders?: Readonly<Record<string, string>> } {
  return cors?.allowOrigin === '*' ? { corsHeaders: corsHeadersOf(cors) } : {};
}

/** A parameter that fills its segment, or one followed by a fixed ending such as `.md`. */
function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function fastifySchema(route: RouteDeclaration): FastifySchema {
  const response: Record<number, unknown> = {};
  for (const [status, { schema, contentType }] of Object.entries(route.responses)) {
    if (schema !== undefined && contentType === undefined) response[Number(status)] = schema;
  }
  return {
    ...(route.params === undefined ? {} : { params: route.params }),
    querystring: route.query ?? { type: 'object', properties: {}, additionalProperties: false },
    ...(route.body === undefined ? {} : { body: route.body }),
    response,
  };
}
