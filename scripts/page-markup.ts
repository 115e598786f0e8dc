import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

// Fails where a page of the console writes markup that a component of `site/console/components` writes: tables, dialogs
// and menus by hand differ from each other in a month.
const root = fileURLToPath(new URL('../', import.meta.url));
const folder = 'apps/server/src/site/console';
const byHand: readonly (readonly [pattern: RegExp, component: string])[] = [
  [/<table\b/u, 'dataTable'],
  [/<dialog\b/u, 'dialog'],
  [/class="badge\b/u, 'badge'],
  [/class="toasts?\b/u, 'toast'],
  [/class="empty\b/u, 'emptyState'],
  [/class="facts\b/u, 'facts'],
];

const found = globSync(`${root}${folder}/**/*.ts`)
  .filter((file) => !file.includes('/components/') && !file.endsWith('.test.ts'))
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        byHand
          .filter(([pattern]) => pattern.test(line))
          .map(([, component]) => `${relative(root, file)}:${index + 1}: use ${component}`),
      ),
  );
for (const line of found) console.log(line);
console.log(`${found.length} places with markup by hand in ${folder}`);
process.exitCode = found.length === 0 ? 0 : 1;
