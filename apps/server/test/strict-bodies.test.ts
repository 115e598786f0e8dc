import { describe, expect, test } from 'vitest';

import { createAjv, createValidator } from '../src/foundation/http/request-validation.ts';
import { ProblemError } from '../src/foundation/problem.ts';
import {
  declaredAccountRoutes,
  declaredPlatformRoutes,
  declaredStorageRoutes,
} from './openapi-description.ts';

const routes = [
  ...(await declaredAccountRoutes()),
  ...(await declaredPlatformRoutes()),
  ...(await declaredStorageRoutes()),
].filter(({ body }) => body !== undefined);

describe('an unknown field in a body', () => {
  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'is refused and named: %s',
    (_name, { body }) => {
      const validate = createValidator(createAjv(), body as NonNullable<typeof body>, 'body');
      const refusal = ((): unknown => {
        try {
          return validate({ surprise: 1 });
        } catch (error) {
          return error;
        }
      })();
      expect(refusal).toBeInstanceOf(ProblemError);
      expect((refusal as ProblemError).errors).toContainEqual({
        in: 'body',
        name: 'surprise',
        message: 'is not a field of this request',
      });
    },
  );

  test('covers accounts, the platform with its agents, and storage', () => {
    expect(routes.length).toBeGreaterThan(25);
  });
});
