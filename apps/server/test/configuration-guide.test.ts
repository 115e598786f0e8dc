import { readFile } from 'node:fs/promises';

import { expect, test } from 'vitest';

const read = (path: string): Promise<string> =>
  readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('the guide names every setting the code reads, and no other', async () => {
  const code = await read('apps/server/src/config/config.ts');
  const guide = await read('docs/guides/configuration.md');
  const settings = [
    ...code.matchAll(/\.(?:text|required|integer|oneOf|list|baseUrl|issuer|secretKeys)\(\s*'([A-Z_]+)'/g),
  ].map(([, name]) => name);
  const documented = guide
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name));
  expect(settings.length).toBeGreaterThan(10);
  expect(new Set(documented)).toEqual(new Set(settings));
});
