import { readFile } from 'node:fs/promises';

import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';

import { writeStorageDescription } from '../../test/openapi-description.ts';

const text = await writeStorageDescription();
const description = JSON.parse(text) as {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: object; readonly security: object[] }>>>
  >;
};

test('is a valid OpenAPI 3.1.0 document', async () => {
  expect(await new Validator().validate(structuredClone(description) as never)).toMatchObject({
    valid: true,
  });
});

test('matches the committed copy (npm run openapi)', async () => {
  const committed = new URL('../../../../docs/openapi-storage.json', import.meta.url);
  expect(await readFile(committed, 'utf8')).toBe(text);
});

/** 403 at least if the organization requires a second factor. */
const always = ['400', '401', '403', '429', '500', '503'];
test.each([
  ['get', '/api/v1/projects', ['200', '404']],
  ['post', '/api/v1/projects', ['201', '404', '409', '413', '415']],
  ['get', '/api/v1/projects/{project}/children', ['200', '404']],
  ['patch', '/api/v1/folders/{id}', ['200', '404', '409', '412', '413', '415']],
  ['get', '/api/v1/files/{id}/content', ['200', '206', '304', '404', '408', '409', '416']],
  ['post', '/api/v1/uploads', ['201', '404', '409', '412', '413', '415']],
  ['put', '/api/v1/uploads/{upload}/content', ['200', '404', '408', '409', '412', '413', '415']],
  ['post', '/api/v1/tus', ['201', '404', '409', '412', '413']],
  ['head', '/api/v1/tus/{upload}', ['200', '404', '409', '410', '412']],
  ['patch', '/api/v1/tus/{upload}', ['204', '404', '408', '409', '410', '412', '413', '415', '423']],
  ['delete', '/api/v1/tus/{upload}', ['204', '404', '409', '412']],
])('%s %s declares its statuses and credentials', (method, path, statuses) => {
  const operation = description.paths[path]?.[method];
  expect(Object.keys(operation?.responses ?? {}).sort()).toEqual([...statuses, ...always].sort());
  expect(operation?.security.flatMap((one) => Object.keys(one))).toEqual(['bearer', 'apiKey']);
});
