import { Validator } from '@seriousme/openapi-schema-validator';
import { Type } from 'typebox';
import { expect, test } from 'vitest';

import { createAnonymousSurface } from './anonymous-surface.ts';
import { parseCidrList } from './client-address.ts';
import { healthRoutes } from './health-routes.ts';
import { notFound } from './http-problems.ts';
import { describeApi } from './openapi.ts';
import { defineRoute } from './route.ts';
import type { RouteDeclaration } from './route.ts';

const SourceSchema = Type.Object({ name: Type.String() }, { title: 'Source' });
const ItemSchema = Type.Object(
  {
    title: Type.String(),
    type: Type.String(),
    source: SourceSchema,
    score: Type.Union([Type.Number(), Type.Null()]),
  },
  { title: 'Item', additionalProperties: false },
);
const surface = createAnonymousSurface({
  requestsPerMinute: 600,
  takeToken: () => 0,
  deniedAddresses: parseCidrList([]),
  deniedUserAgents: [],
});
const itemRoute = defineRoute({
  method: 'GET',
  path: '/items/{id}',
  surface,
  operationId: 'getItem',
  tag: 'items',
  summary: 'One item.',
  description: 'In full.',
  params: Type.Object({ id: Type.String({ description: 'Its id.' }) }),
  query: Type.Object({
    by: Type.Optional(Type.Enum(['published', 'timeline'])),
    limit: Type.Integer({ default: 5 }),
  }),
  responses: {
    200: {
      description: 'The item.',
      schema: Type.Object({ item: ItemSchema, more: Type.Array(ItemSchema) }, { title: 'ItemResponse' }),
      headers: { ETag: { description: 'Its tag.', schema: Type.String() } },
      example: { item: { title: 'a', type: 'b', source: { name: 'c' }, score: null }, more: [] },
    },
    304: { description: 'As you have it.' },
  },
  problems: [notFound],
  handle: () => {},
});
const noteRoute = defineRoute({
  method: 'POST',
  path: '/items/{id}',
  surface,
  operationId: 'postItem',
  tag: 'items',
  summary: 'Takes an item.',
  params: Type.Object({ id: Type.String() }),
  body: ItemSchema,
  responses: { 204: { description: 'Taken.' } },
  problems: [],
  handle: () => {},
});
const health = healthRoutes({
  readiness: async () => ({ ready: true }),
  renderMetrics: async () => '',
  metricsContentType: 'text/plain; version=0.0.4',
  metricsReaders: parseCidrList([]),
});

interface Described {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, unknown>; parameters: unknown[] }>
  >;
  readonly components: { readonly schemas: Record<string, unknown> };
}

function describe(routes: readonly RouteDeclaration[]): Described {
  return describeApi({
    title: 'Daybook',
    version: '1',
    description: 'News.',
    routes,
  }) as unknown as Described;
}

test('generates valid OpenAPI 3.1 by the official schema', async () => {
  const validator = new Validator();
  const result = await validator.validate(
    JSON.parse(JSON.stringify(describe([...health, itemRoute, noteRoute]))) as Record<string, unknown>,
  );
  expect(result.errors).toBeUndefined();
  expect([result.valid, validator.version]).toEqual([true, '3.1']);
});

test('the validator detects a mistake', async () => {
  const broken = { ...describe([itemRoute]), info: { title: 'no version' } };
  expect(
    (await new Validator().validate(JSON.parse(JSON.stringify(broken)) as Record<string, unknown>)).valid,
  ).toBe(false);
});

test('turns titled schemas into components, once, and refers to them everywhere', () => {
  const described = describe([itemRoute, noteRoute]);
  expect(Object.keys(described.components.schemas)).toEqual(['Item', 'ItemResponse', 'Problem', 'Source']);
  expect(described.components.schemas['ItemResponse']).toMatchObject({
    properties: {
      item: { $ref: '#/components/schemas/Item' },
      more: { items: { $ref: '#/components/schemas/Item' } },
    },
  });
  expect(described.components.schemas['Item']).toMatchObject({
    properties: { title: { type: 'string' }, source: { $ref: '#/components/schemas/Source' } },
  });
});

test('describes every status of a route, including those of its surface', () => {
  const { paths } = describe([itemRoute, noteRoute]);
  const operations = paths['/items/{id}'];
  expect(Object.keys(operations?.['get']?.responses ?? {})).toEqual([
    '200',
    '304',
    '400',
    '403',
    '404',
    '405',
    '429',
    '503',
  ]);
  expect(Object.keys(operations?.['post']?.responses ?? {})).toEqual([
    '204',
    '400',
    '403',
    '405',
    '413',
    '415',
    '429',
    '503',
  ]);
  expect(operations?.['get']?.parameters).toContainEqual({
    name: 'id',
    in: 'path',
    required: true,
    description: 'Its id.',
    schema: { type: 'string' },
  });
});

test('refuses two different schemas with one title', () => {
  const other = Type.Object({ other: Type.String() }, { title: 'Item' });
  const clash = { ...noteRoute, body: other };
  expect(() => describe([itemRoute, clash])).toThrow('two different schemas are titled Item');
});
