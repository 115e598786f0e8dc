import { expect, test } from 'vitest';

import { relocate } from './relocatable.ts';

test('addresses below the root become relative to the bundled file, others stay', () => {
  const code = [
    'import { x } from "/build/a+b/node_modules/native/index.js";',
    'const y = await import("/build/a+b/node_modules/other/index.js");',
    'const file = new URL("pack.json", "file:///build/a+b/apps/server/src/pack.ts");',
    'const folder = join("/build/a+b/node_modules/stream", "lib");',
    'const elsewhere = "/build/a+bc/file";',
  ].join('\n');
  expect(relocate(code, '/build/a+b/')).toBe(
    [
      'import { x } from "../node_modules/native/index.js";',
      'const y = await import("../node_modules/other/index.js");',
      'const file = new URL("pack.json", new URL("../apps/server/src/pack.ts", import.meta.url).href);',
      'const folder = join(decodeURIComponent(new URL("../node_modules/stream", import.meta.url).pathname), "lib");',
      'const elsewhere = "/build/a+bc/file";',
    ].join('\n'),
  );
});
