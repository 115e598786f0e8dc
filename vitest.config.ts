import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

// For the processes that tests start: each uses the compiled code of the one before it.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('./node_modules/.cache/compiled', import.meta.url),
);

/** They take a minute or more each. The reason of each is what makes it slow. */
const nightlyOnly: Readonly<Record<string, string>> = {
  'apps/server/src/storage/s3-leftovers.test.ts': 'kills an S3 server until a kill hits a short moment',
  'apps/server/test/deployment/image.test.ts': 'assembles and bundles the tree of the image',
  'apps/simulation/src/record-writers.test.ts': 'waits until a whole newsroom has published',
  'apps/server/test/end-to-end/pages/first-organization.test.ts':
    'completes every first step twice in a browser, with a pointer and with the keyboard',
  'apps/server/test/end-to-end/pages/desk-browser.test.ts':
    'takes the tasks of editors in two browsers and checks every page of the desk in every look',
  'packages/migrate/src/classify/model-training.test.ts': 'trains the classifier of notes again',
};
const isNightly = process.env['DAYBOOK_NIGHTLY'] === '1';
if (!isNightly) {
  for (const [file, reason] of Object.entries(nightlyOnly))
    process.emitWarning(`${file} is skipped: it ${reason}; npm run nightly runs it`);
}
const skipped = isNightly ? [] : Object.keys(nightlyOnly);

/** They wait or compute for long: if they started last, the other workers would be idle meanwhile. */
const slowest =
  /\/(?:s3-leftovers|s3-storage|login-command|compile-edition|decide-within|zip-archive|image|recompose-items|record-writers|sign-up|lockout|all-command|search-terms|plan-stream|model-training|first-organization|platform-browser|joining-browser|sign-in-browser)\.test\.ts$/;

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { slow = [], other = [] } = Object.groupBy(await super.sort(files), ({ moduleId }) =>
      slowest.test(moduleId) ? 'slow' : 'other',
    );
    return [...slow, ...other];
  }
}

const pages = ['apps/server/test/end-to-end/pages/**/*.test.ts', 'apps/server/src/site/**/*.test.ts'];
/** They assert no timing. */
const untimed = [
  ...['agents', 'audit', 'identity', 'ingest', 'mailing', 'newsroom', 'record', 'storage', 'watch'].map(
    (module) => `apps/server/src/${module}/**/*.test.ts`,
  ),
  ...['groups', 'members', 'organizations', 'permissions', 'platform-tokens', 'policies'].map(
    (part) => `apps/server/src/access/${part}/**/*.test.ts`,
  ),
  'apps/simulation/src/**/*.test.ts',
  'apps/server/test/deployment/**/*.test.ts',
  'apps/server/test/end-to-end/news-api/**/*.test.ts',
  'apps/server/test/end-to-end/{admin,login,push}-command.test.ts',
  'apps/server/test/{guides,package-samples}.test.ts',
];

export default defineConfig({
  test: {
    pool: 'forks',
    reporters: ['default', './scripts/unended-tests.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/*/{src,test}/**/*.test.ts', '{bench,prove}/src/**/*.test.ts'],
          exclude: skipped,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          include: pages,
          exclude: skipped,
          globalSetup: ['apps/server/test/global-setup.ts'],
          // Two browsers on two cores: each has time.
          maxWorkers: 2,
          // One process loads the server once, not again for each file.
          isolate: false,
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'untimed',
          include: untimed,
          exclude: skipped,
          globalSetup: ['apps/server/test/global-setup.ts'],
          // One more than a small machine has cores: these tests also wait for databases and processes.
          maxWorkers: 3,
          isolate: false,
          testTimeout: 60_000,
          // These tests assert no timing.
          expect: { poll: { timeout: 10_000 } },
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'apps',
          include: ['apps/*/{src,test}/**/*.test.ts'],
          exclude: [...pages, ...untimed, ...skipped],
          globalSetup: ['apps/server/test/global-setup.ts'],
          // Several promise something within a second, beside a database: no more than there are cores.
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
