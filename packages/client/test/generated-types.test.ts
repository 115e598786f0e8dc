import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { newsSchemas, newsTypes, skillFiles } from '../../../scripts/client-types.ts';

it('the generated types are those of the description (npm run client:types)', async () => {
  expect(await newsTypes(await description())).toBe(await read('packages/client/src/generated/news-api.ts'));
});

it('the generated schemas are those of the description (npm run client:types)', async () => {
  expect(newsSchemas(await description())).toBe(await read('packages/mcp/src/generated/news-schemas.ts'));
});

it('the generated skill is that of skills/daybook (npm run client:types)', async () => {
  expect(await skillFiles()).toBe(await read('packages/mcp/src/generated/skill-files.ts'));
});

async function description(): Promise<Parameters<typeof newsTypes>[0]> {
  return JSON.parse(await read('docs/openapi-v1.json')) as Parameters<typeof newsTypes>[0];
}

function read(path: string): Promise<string> {
  return readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
}
