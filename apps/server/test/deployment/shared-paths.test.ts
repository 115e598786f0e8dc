import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { declaredRoutes } from '../openapi-description.ts';
import { withSharedPaths } from './shared-paths.ts';

const template = readFileSync(new URL('../../../../deploy/nginx.conf.template', import.meta.url), 'utf8');
const routes = await declaredRoutes();

/** As nginx evaluates the map: exact addresses first, then patterns. */
function isShared(path: string): boolean {
  const [, block = ''] = /map \$uri \$daybook_is_shared \{([^}]*)\}/.exec(template) ?? [];
  const forms = [...block.matchAll(/^ {4}(\S+) 1;$/gm)].map(([, form = '']) => form);
  return forms.some((form) =>
    form.startsWith('"~') ? new RegExp(form.slice(2, -1)).test(path) : form === path,
  );
}

test('the nginx template contains the shared addresses that the routes declare', () => {
  expect(withSharedPaths(template, routes)).toBe(template);
});

test('an address is cached exactly where its responses are the same for everyone', () => {
  const byPath = Map.groupBy(routes, ({ path }) => path.replaceAll(/\{\w+\}/g, 'x'));
  const wrong = [...byPath].filter(
    ([path, declared]) => isShared(path) !== declared.some((route) => route.isShared === true),
  );
  expect(wrong.map(([path]) => path)).toEqual([]);
  expect([...byPath.keys()].filter(isShared).length).toBeGreaterThan(50);
});

test.each([
  '/account',
  '/auth/signin',
  '/platform/acme/members',
  '/api/v1/me',
  '/api/v1/projects',
  '/dm/api/x',
])('no personal page is cached: %s', (path) => {
  expect(isShared(path)).toBe(false);
});
