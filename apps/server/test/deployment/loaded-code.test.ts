import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { bundlePrograms } from '@daybook/bundle';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const program = join(root, 'apps/server/src/bin/daybook.ts');
/** Half of the time until an api process listens is that of its code. */
const bytesMax = 10_000_000;

test('an api process loads at most 10 MB of code before it listens', { timeout: 60_000 }, async () => {
  const bundle = (await bundlePrograms({ root, programs: [program] }))(program);
  const folder = dirname(bundle);
  const api = (await readdir(folder)).find((name) => /^api-command-.*\.mjs$/.test(name)) ?? '';
  const loaded = await loadedWith(folder, [basename(bundle), api]);
  const bytes = [...loaded.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  // The walk has found the modules.
  expect(bytes).toBeGreaterThan(5_000_000);
  expect(bytes).toBeLessThan(bytesMax);
});

/** The modules of a bundle that these import, directly or not, with their texts. */
async function loadedWith(folder: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const loaded = new Map<string, string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (loaded.has(name)) continue;
    const text = await readFile(join(folder, name), 'utf8');
    loaded.set(name, text);
    for (const [, imported = ''] of text.matchAll(/^(?:import|export)\b[^;'"\n]*"\.\/([^"]+)"/gm))
      waiting.push(imported);
  }
  return loaded;
}
