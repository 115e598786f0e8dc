import fastJsonStringify from 'fast-json-stringify';
import { expect, test } from 'vitest';

import { createAjv, createValidator } from '../src/foundation/http/request-validation.ts';
import { declaredRoutes } from './openapi-description.ts';

test('every schema of every route compiles, so that none fails with its first request', async () => {
  const routes = await declaredRoutes();
  expect(routes.length).toBeGreaterThan(300);
  const ajv = createAjv();
  for (const { params, query, body, responses } of routes) {
    if (params !== undefined) createValidator(ajv, params, 'path');
    if (query !== undefined) createValidator(ajv, query, 'query');
    if (body !== undefined) createValidator(ajv, body, 'body');
    for (const { schema, contentType } of Object.values(responses))
      if (schema !== undefined && contentType === undefined) fastJsonStringify(schema);
  }
});
