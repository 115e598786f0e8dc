import { isDeepStrictEqual } from 'node:util';

import type { TObject, TSchema } from 'typebox';

import type { ProblemDefinition } from '../problem.ts';
import { problemContentType, statusOfKind } from './problem-response.ts';
import { ProblemSchema } from './problem-schema.ts';
import { rateLimitHeaderSchemas } from './rate-limit.ts';
import type { RequestHeaders, ResponseDeclaration, RouteDeclaration } from './route.ts';
import { problemsOf } from './route.ts';

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly routes: readonly RouteDeclaration[];
}

type Json = Record<string, unknown>;

/** OpenAPI 3.1 embeds JSON Schema, so the declarations are only rearranged; titled schemas become components. */
export function describeApi(options: OpenApiOptions): Json {
  const components: Record<string, Json> = {};
  const paths: Record<string, Json> = {};
  for (const route of options.routes) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = describeOperation(route, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      description: options.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: { schemas: sortKeys(components) },
  };
}

function describeOperation(route: RouteDeclaration, components: Record<string, Json>): Json {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    parameters: [
      ...parameters(route.params, 'path', components),
      ...parameters(route.query, 'query', components),
      ...headerParameters(route.requestHeaders),
    ],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: refer(route.body, components) } },
          },
        }),
    ...describeStream(route),
    responses: describeResponses(route, components),
  };
}

function describeStream({ stream }: RouteDeclaration): Json {
  if (stream === undefined || stream.bodyBytesMax === 0) return {};
  const { contentType, isOptional = false } = stream.body ?? { contentType: 'application/octet-stream' };
  return { requestBody: { required: !isOptional, content: { [contentType]: {} } } };
}

function headerParameters(headers: RequestHeaders = {}): Json[] {
  return Object.entries(headers).map(([name, { description, schema, isRequired = false }]) => ({
    name,
    in: 'header',
    required: isRequired,
    description,
    schema: typed(schema as Json),
  }));
}

function parameters(
  schema: TObject | undefined,
  place: 'path' | 'query',
  components: Record<string, Json>,
): Json[] {
  if (schema === undefined) return [];
  const required = new Set((schema as { required?: string[] }).required ?? []);
  return Object.entries(schema.properties as Record<string, Json>).map(
    ([name, { description, ...rest }]) => ({
      name,
      in: place,
      // Properties with a default are optional.
      required: place === 'path' || (required.has(name) && rest['default'] === undefined),
      ...(description === undefined ? {} : { description }),
      schema: refer(rest as TSchema, components),
    }),
  );
}

function describeResponses(route: RouteDeclaration, components: Record<string, Json>): Json {
  const responses: Json = {};
  for (const [status, declared] of Object.entries(route.responses)) {
    const headers = { ...declared.headers, ...route.surface.answerHeaders };
    responses[status] = describeResponse(
      Object.keys(headers).length === 0 ? declared : { ...declared, headers },
      components,
    );
  }
  const raised = Map.groupBy(problemsOf(route), ({ kind }) => statusOfKind[kind]);
  for (const [status, definitions] of raised)
    responses[status] = describeProblem(status, definitions, components);
  return sortKeys(responses);
}

function describeResponse(declared: ResponseDeclaration, components: Record<string, Json>): Json {
  const { schema } = declared;
  const example = declared.example === undefined ? {} : { example: declared.example };
  return {
    description: declared.description,
    ...(declared.headers === undefined ? {} : { headers: declared.headers }),
    ...(schema === undefined
      ? {}
      : {
          content: {
            [declared.contentType ?? 'application/json']: { schema: refer(schema, components), ...example },
          },
        }),
  };
}

function describeProblem(
  status: number,
  definitions: readonly ProblemDefinition[],
  components: Record<string, Json>,
): Json {
  const headers: Json = {
    'X-Request-Id': {
      description: 'Equal to requestId in the body.',
      required: true,
      schema: { type: 'string' },
    },
  };
  if (status === 429 || status === 503) {
    headers['Retry-After'] = {
      description: 'Minimum number of seconds to wait.',
      required: true,
      schema: { type: 'integer', minimum: 1 },
    };
  }
  if (status === 429) Object.assign(headers, rateLimitHeaderSchemas);
  return {
    description: definitions.map(({ code, title }) => `\`${code}\`: ${title}.`).join(' '),
    headers,
    content: { [problemContentType]: { schema: refer(ProblemSchema, components) } },
  };
}

/** A copy in which each titled schema is a reference to its component. */
function refer(schema: TSchema, components: Record<string, Json>): unknown {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const copy = typed(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)])));
    const { title } = copy;
    if (typeof title !== 'string' || typeof copy['type'] !== 'string') return copy;
    const known = (components[title] ??= copy);
    if (!isDeepStrictEqual(known, copy)) throw new Error(`two different schemas are titled ${title}`);
    return { $ref: `#/components/schemas/${title}` };
  };
  return walk(schema);
}

/** An enum or const implies its type; client generators need it explicit. */
function typed(schema: Json): Json {
  if (schema['type'] !== undefined) return schema;
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : [schema['const']];
  if (values.every((one) => typeof one === 'string')) return { type: 'string', ...schema };
  return values.every((one) => Number.isInteger(one)) ? { type: 'integer', ...schema } : schema;
}

function sortKeys(record: Json): Json {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
