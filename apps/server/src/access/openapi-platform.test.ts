import { readFile } from 'node:fs/promises';

import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';

import { startTestApp } from '../../test/app.ts';
import { createTestDatabase } from '../../test/database.ts';
import { ask } from '../../test/http-client.ts';
import { declaredPlatformRoutes, writePlatformDescription } from '../../test/openapi-description.ts';

const text = await writePlatformDescription();
const description = JSON.parse(text) as {
  readonly openapi: string;
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: object; readonly security: object[] }>>>
  >;
};

test('is a valid OpenAPI 3.1.0 document', async () => {
  expect(description.openapi).toBe('3.1.0');
  expect(await new Validator().validate(structuredClone(description) as never)).toMatchObject({
    valid: true,
  });
});

test('matches the committed copy (npm run openapi)', async () => {
  const committed = new URL('../../../../docs/openapi-platform.json', import.meta.url);
  expect(await readFile(committed, 'utf8')).toBe(text);
});

test('matches the served copy', async () => {
  const database = await createTestDatabase();
  const routes = await declaredPlatformRoutes();
  const app = await startTestApp({ database, routes: () => routes });
  const served = await ask(app.port, '/openapi-platform.json');
  expect([served.status, served.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(served.json()).toEqual(description);
  await app.stop();
  await database.drop();
});

const always = ['400', '401', '429', '500', '503'];
test.each([
  ['get', '/dm/api/core/platform/api-tokens/', ['200', '403', '404']],
  ['post', '/dm/api/core/platform/api-tokens/', ['201', '403', '404', '409', '413', '415']],
  ['get', '/dm/api/core/platform/api-tokens/field-permissions/', ['200', '403', '404']],
  ['get', '/dm/api/core/platform/api-tokens/{name}', ['200', '403', '404']],
  ['patch', '/dm/api/core/platform/api-tokens/{name}', ['200', '403', '404', '409', '413', '415']],
  ['delete', '/dm/api/core/platform/api-tokens/{name}', ['204', '403', '404']],
  ['get', '/dm/api/core/rbac/policies/', ['200', '403', '404']],
  ['patch', '/dm/api/core/rbac/groups/{group_id}', ['200', '403', '404', '409', '413', '415']],
  ['patch', '/dm/api/core/rbac/members/{username}', ['200', '403', '404', '409', '413', '415']],
])('%s %s declares its statuses and credentials', (method, path, statuses) => {
  const operation = description.paths[path]?.[method];
  expect(Object.keys(operation?.responses ?? {}).sort()).toEqual([...statuses, ...always].sort());
  expect(operation?.security.flatMap((one) => Object.keys(one))).toEqual(['apiToken', 'bearer']);
});
