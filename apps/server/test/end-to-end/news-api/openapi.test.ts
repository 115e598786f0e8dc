import { readFile } from 'node:fs/promises';

import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import type { NewsApp } from '../../news-app.ts';
import { startNewsApp } from '../../news-app.ts';
import { writeDescription } from '../../openapi-description.ts';

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;
}
interface Operation {
  readonly parameters: readonly Record<string, unknown>[];
  readonly responses: Readonly<Record<string, Response>>;
}
interface Description {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** The documented statuses, and those that the decisions added. */
const common = ['200', '304', '400', '403', '405', '429', '503'];
const documented: Readonly<Record<string, readonly string[]>> = {
  '/api/v1/items': common,
  '/api/v1/hot-topics': common,
  '/api/v1/stories/{publicId}': [...common, '308', '404'],
  '/api/v1/dailies': common,
  '/api/v1/dailies/latest': [...common, '404'],
  '/api/v1/dailies/{date}': [...common, '404'],
  '/api/v1/weeklies': common,
  '/api/v1/weeklies/latest': [...common, '404'],
  '/api/v1/weeklies/{week}': [...common, '404'],
  '/api/v1/monthlies': common,
  '/api/v1/monthlies/latest': [...common, '404'],
  '/api/v1/monthlies/{month}': [...common, '404'],
  '/api/v1/selected/snapshot': [...common, '409'],
  '/api/v1/selected/changes': [...common, '409'],
  '/api/v1/selected/buckets': common,
  '/api/v1/agent': common,
};

const headersOf: Readonly<Record<string, readonly string[]>> = {
  '200': ['ETag', 'Cache-Control'],
  '304': ['ETag', 'Cache-Control'],
  '308': ['Location', 'Cache-Control'],
  '429': ['Retry-After'],
  '503': ['Retry-After'],
};

const text = writeDescription();
const description = JSON.parse(text) as Description;
const operations = Object.entries(description.paths).map(([path, { get }]) => [path, get] as const);

let database: TestDatabase;
let app: NewsApp;
beforeAll(async () => {
  database = await createTestDatabase();
  app = await startNewsApp({ database, clock: createTestClock('2026-11-15T12:00:00.000Z') });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

test('it is a valid OpenAPI 3.1.0 document of version 4.0.0', async () => {
  expect(description).toMatchObject({ openapi: '3.1.0', info: { version: '4.0.0' } });
  expect(await new Validator().validate(structuredClone(description) as never)).toMatchObject({
    valid: true,
  });
});

test('the committed copy is current (npm run openapi)', async () => {
  expect(await readFile(new URL('../../../../../docs/openapi-v1.json', import.meta.url), 'utf8')).toBe(text);
});

test('the server sends the same document', async () => {
  expect((await app.get('/openapi-v1.json')).json()).toEqual(description);
});

test('the schema names are the documented ones', () => {
  expect(Object.keys(description.components.schemas)).toEqual(
    expect.arrayContaining([
      'ItemsResponse',
      'HotTopicsResponse',
      'StoryResponse',
      'DailiesResponse',
      'DailyResponse',
      'WeekliesResponse',
      'WeeklyResponse',
      'MonthliesResponse',
      'MonthlyResponse',
      'SnapshotResponse',
      'ChangesResponse',
      'AgentResponse',
      'Problem',
    ]),
  );
});

test.each(Object.entries(documented))(
  '%s declares the documented statuses and no other',
  (path, statuses) => {
    expect(Object.keys(description.paths[path]?.get.responses ?? {}).sort()).toEqual([...statuses].sort());
  },
);

describe.each(operations)('%s', (_, operation) => {
  test('declares every header of a status', () => {
    for (const [status, { headers }] of Object.entries(operation.responses))
      expect([status, Object.keys(headers ?? {})]).toEqual([
        status,
        expect.arrayContaining(['X-Request-Id', ...(headersOf[status] ?? [])]),
      ]);
  });

  test('declares If-None-Match and ActorUserAgent', () => {
    expect(operation.parameters).toEqual(
      expect.arrayContaining([
        { $ref: '#/components/parameters/ActorUserAgent' },
        { $ref: '#/components/parameters/IfNoneMatch' },
      ]),
    );
  });

  test('has an example for 200 that its schema accepts', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ ...description, $id: 'description' });
    for (const { schema, example } of Object.values(operation.responses['200']?.content ?? {})) {
      expect(example).toBeDefined();
      const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"description#/')) as object;
      const validate = ajv.compile(rooted);
      expect([validate(example), validate.errors]).toEqual([true, null]);
    }
  });
});
