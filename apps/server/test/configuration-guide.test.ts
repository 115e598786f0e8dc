import { readFile } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { readSettingNames } from './configuration-settings.ts';

test('the guide names every setting the code reads, and no other', async () => {
  const guide = await readFile(new URL('../../../docs/guides/configuration.md', import.meta.url), 'utf8');
  const settings = await readSettingNames();
  const documented = guide
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name));
  expect(settings.length).toBeGreaterThan(10);
  expect(new Set(documented)).toEqual(new Set(settings));
});
