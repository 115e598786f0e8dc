import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { launchBrowser } from '../../../apps/server/test/browser.ts';
import type { CheckReport, CheckWorld } from '../../../packages/client/test/client-checks.ts';
import { emptyEnvironment } from './outside-programs.ts';

const run = promisify(execFile);

/** In runtimes with files: the script, and the store contract for the stores that use files. */
const start = `import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonLinesStore } from '@daybook/client/mirror/json-lines';
import { sqliteStore } from '@daybook/client/mirror/sqlite';
import { checkStore, runChecks } from './client-checks.js';

const world = JSON.parse(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'store-checks-'));
const report = {
  script: await runChecks(world),
  stores: {
    'JSON Lines': await checkStore(world, (name) => jsonLinesStore(join(folder, name + '.jsonl'))),
    SQLite: await checkStore(world, (name) => sqliteStore(join(folder, name + '.db'))),
  },
};
rmSync(folder, { recursive: true });
console.log(JSON.stringify(report));
process.exit(0);
`;

export interface RuntimeReport {
  /** Of the one script. */
  readonly script: CheckReport;
  /** Of the store contract, for the stores of the runtime. */
  readonly stores: Readonly<Record<string, CheckReport>>;
}

/** The script is in the folder. Before its name come the program and its arguments. */
export async function checkInProgram(
  [program, ...before]: readonly [string, ...string[]],
  folder: string,
  world: CheckWorld,
): Promise<RuntimeReport> {
  writeFileSync(join(folder, 'run-checks.js'), start);
  const { stdout } = await run(program, [...before, 'run-checks.js', JSON.stringify(world)], {
    cwd: folder,
    env: emptyEnvironment(),
  });
  return JSON.parse(stdout) as RuntimeReport;
}

export interface BrowserReport extends RuntimeReport {
  /** The client files that the page loaded, as paths in its folder of code. */
  readonly loaded: readonly string[];
}

/** As plain ES modules: a page with an import map, and no step in between. */
export async function checkInBrowser(folder: string, world: CheckWorld): Promise<BrowserReport> {
  const code = '/node_modules/@daybook/client/dist/';
  const imports = {
    '@daybook/client': `.${code}index.js`,
    '@daybook/client/mirror': `.${code}mirror/index.js`,
    '@daybook/client/mirror/indexed-db': `.${code}mirror/indexed-db-store.js`,
  };
  writeFileSync(
    join(folder, 'checks.html'),
    `<!doctype html><title>Checks</title><script type="importmap">${JSON.stringify({ imports })}</script>`,
  );
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const loaded: string[] = [];
    page.on('response', (response) => {
      const [, path] = response.url().split(code);
      if (path !== undefined) loaded.push(path);
    });
    await page.goto(`${world.checks}/files/checks.html`);
    const argument = JSON.stringify(world);
    const script = await page.evaluate<CheckReport>(
      `import('./client-checks.js').then(({ runChecks }) => runChecks(${argument}))`,
    );
    const loadedByScript = [...loaded];
    const indexedDb = await page.evaluate<CheckReport>(
      `Promise.all([import('./client-checks.js'), import('@daybook/client/mirror/indexed-db')]).then(
        ([{ checkStore }, { indexedDbStore }]) => checkStore(${argument}, indexedDbStore))`,
    );
    return { script, stores: { IndexedDB: indexedDb }, loaded: loadedByScript };
  } finally {
    await browser.close();
  }
}
