import { readFile } from 'node:fs/promises';

import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestIdentity } from '../../test/identity.ts';
import { startTestIdentity } from '../../test/identity.ts';
import { writeAccountsDescription } from '../../test/openapi-description.ts';

interface Operation {
  readonly responses: Readonly<Record<string, unknown>>;
  readonly security: readonly object[];
}
interface Description {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

let stage: TestIdentity;
let text: string;
let description: Description;
beforeAll(async () => {
  stage = await startTestIdentity();
  text = await writeAccountsDescription();
  description = JSON.parse(text) as Description;
});
afterAll(() => stage.stop());

test('is a valid OpenAPI 3.1.0 document', async () => {
  expect(description.openapi).toBe('3.1.0');
  expect(await new Validator().validate(structuredClone(description) as never)).toMatchObject({
    valid: true,
  });
});

test('matches the committed copy (npm run openapi)', async () => {
  const committed = new URL('../../../../docs/openapi-accounts.json', import.meta.url);
  expect(await readFile(committed, 'utf8')).toBe(text);
});

test('matches the served copy', async () => {
  const served = await stage.get('/openapi-accounts.json');
  expect([served.status, served.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(served.json()).toEqual(description);
});

test.each([
  ['post', '/api/auth/token', ['200', '400', '401', '429', '500', '503'], []],
  ['post', '/api/auth/token/refresh', ['200', '400', '401', '429', '500', '503'], []],
  ['post', '/api/auth/token/exchange', ['200', '400', '401', '429', '500', '503'], []],
  [
    'post',
    '/api/v1/api-keys',
    ['201', '400', '401', '403', '409', '413', '415', '429', '500', '503'],
    ['bearer'],
  ],
  ['get', '/api/v1/api-keys', ['200', '400', '401', '403', '429', '500', '503'], ['bearer']],
  [
    'delete',
    '/api/v1/api-keys/{key_id}',
    ['200', '400', '401', '403', '404', '429', '500', '503'],
    ['bearer'],
  ],
  ['get', '/api/v1/me', ['200', '400', '401', '429', '500', '503'], ['bearer', 'apiKey']],
])('%s %s declares its statuses and credentials', (method, path, statuses, schemes) => {
  const operation = description.paths[path]?.[method];
  expect(Object.keys(operation?.responses ?? {}).sort()).toEqual(statuses);
  expect(operation?.security.flatMap((one) => Object.keys(one))).toEqual(schemes);
});
