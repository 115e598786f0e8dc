import { readFile } from 'node:fs/promises';

import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';

import { writeStorageDescription } from '../../test/openapi-description.ts';

interface Operation {
  readonly responses: object;
  readonly security: object[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly required: boolean; readonly content: object };
}

const text = await writeStorageDescription();
const description = JSON.parse(text) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
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
  ['post', '/api/v1/tus', ['201', '404', '408', '409', '412', '413', '415']],
  ['head', '/api/v1/tus/{upload}', ['200', '404', '409', '410', '412']],
  ['patch', '/api/v1/tus/{upload}', ['204', '404', '408', '409', '410', '412', '413', '415', '423']],
  ['delete', '/api/v1/tus/{upload}', ['204', '404', '409', '412']],
])('%s %s declares its statuses and credentials', (method, path, statuses) => {
  const operation = description.paths[path]?.[method];
  expect(Object.keys(operation?.responses ?? {}).sort()).toEqual([...statuses, ...always].sort());
  expect(operation?.security.flatMap((one) => Object.keys(one))).toEqual(['bearer', 'apiKey']);
});

test.each([
  ['get', '/api/v1/files/{id}/content', ['If-None-Match', 'If-Range', 'Range']],
  ['get', '/api/v1/shared/{secret}/content', ['If-None-Match', 'If-Range', 'Range']],
  ['patch', '/api/v1/files/{id}', ['If-Match']],
  ['delete', '/api/v1/folders/{id}', ['If-Match']],
  ['post', '/api/v1/projects/{project}/files', ['If-Match', 'If-None-Match']],
  ['post', '/api/v1/tus', ['Tus-Resumable!', 'Upload-Length!', 'Upload-Metadata!']],
  ['head', '/api/v1/tus/{upload}', ['Tus-Resumable!']],
  ['patch', '/api/v1/tus/{upload}', ['Content-Length!', 'Tus-Resumable!', 'Upload-Offset!']],
  ['delete', '/api/v1/tus/{upload}', ['Tus-Resumable!']],
])('%s %s declares its request headers', (method, path, names) => {
  const { parameters = [] } = description.paths[path]?.[method] ?? {};
  const headers = parameters.filter((one) => one.in === 'header');
  expect(headers.map(({ name, required }) => (required ? `${name}!` : name)).sort()).toEqual(names);
});

test('names a folder folderId in every request; other names are deprecated', () => {
  const undeprecated: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { name, in: place, deprecated } = value as Readonly<Record<string, unknown>>;
    const isParameter = place !== undefined && (name === 'folder' || name === 'parentId');
    const isProperty = /\/properties\/(?:folder|parentId)$/.test(path);
    const { schema = {} } = value as { readonly schema?: Readonly<Record<string, unknown>> };
    if ((isParameter || isProperty) && deprecated !== true && schema['deprecated'] !== true)
      undeprecated.push(path);
    for (const [key, inner] of Object.entries(value)) walk(inner, `${path}/${key}`);
  };
  walk(description, '');
  expect(undeprecated).toEqual([]);
});
