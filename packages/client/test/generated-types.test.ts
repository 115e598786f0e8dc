import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { newsTypes, signedInApis, signedInTypes, skillFiles } from '../../../scripts/client-types.ts';

it('the generated types are those of the description (npm run client:types)', async () => {
  expect(await newsTypes(await description())).toBe(await read('packages/client/src/generated/news-api.ts'));
});

it.each(signedInApis)('the generated types of %s are those of its description', async (api) => {
  const types = await signedInTypes(api, await description(`openapi-${api}.json`));
  expect(types).toBe(await read(`packages/client/src/generated/${api}-api.ts`));
});

it('the generated skill is that of skills/daybook (npm run client:types)', async () => {
  expect(await skillFiles()).toBe(await read('packages/mcp/src/generated/skill-files.ts'));
});

async function description(file = 'openapi-v1.json'): Promise<Parameters<typeof newsTypes>[0]> {
  return JSON.parse(await read(`docs/${file}`)) as Parameters<typeof newsTypes>[0];
}

function read(path: string): Promise<string> {
  return readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

it('an operation with several forms of its answer has the type of the JSON', async () => {
  const schema = { title: 'Answer', type: 'object', additionalProperties: false } as const;
  const responses = {
    '200': { content: { 'text/event-stream': { schema: { type: 'string' } } } },
    '201': { content: { 'application/json': { schema } } },
  } as const;
  const types = await signedInTypes('platform', {
    paths: { '/ask': { post: { operationId: 'ask', responses } } },
    components: { schemas: {} },
  });
  expect(types).toMatch(/data: Answer;/);
  expect(types).toContain("ask: 'POST /ask',");
});
