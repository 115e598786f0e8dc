import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Self-test of the gates. In a scratch worktree each gate is broken on purpose, and must report it for the right
// reason.
const root = fileURLToPath(new URL('../', import.meta.url));

interface Breakage {
  readonly gate: string;
  readonly command: readonly string[];
  readonly apply: (scratch: string) => void;
  /** The required output of the gate; failing for another reason proves nothing. */
  readonly says: RegExp;
}

const check = (gate: string): readonly string[] => ['node', 'scripts/check.ts', gate];
const vitest = (file: string): readonly string[] => ['vitest', 'run', file];

const words = 'apps/server/src/site/shell/words';

const breakages: readonly Breakage[] = [
  {
    gate: 'markup: a page of the console writes a table by hand',
    command: check('markup'),
    apply: (scratch) =>
      appendFileSync(
        join(scratch, 'apps/server/src/site/console/account/activity-page.ts'),
        "\nexport const byHand = '<table></table>';\n",
      ),
    says: /activity-page\.ts:\d+: use dataTable/,
  },
  {
    gate: 'catalogue: a text has no Chinese version',
    command: vitest('apps/server/src/site/shell/words/words.test.ts'),
    apply: (scratch) => replace(scratch, `${words}/chinese.ts`, `    newest: '回到最新',\n`, ''),
    says: /both languages have the same keys/,
  },
  {
    gate: 'catalogue: a Chinese text has another placeholder',
    command: vitest('apps/server/src/site/shell/words/words.test.ts'),
    apply: (scratch) =>
      replace(scratch, `${words}/chinese.ts`, `'{count} 条新资讯'`, `'{count} 条新资讯 {extra}'`),
    says: /a text has the same placeholders in both languages/,
  },
  {
    gate: 'catalogue: a text that no page uses',
    command: vitest('apps/server/src/site/shell/words/words.test.ts'),
    apply: (scratch) => {
      for (const language of ['english', 'chinese'])
        replace(
          scratch,
          `${words}/${language}.ts`,
          '    newest: ',
          `    nobodyReadsThis: 'x',\n    newest: `,
        );
    },
    says: /every key is used/,
  },
  {
    gate: 'catalogue: a text of the console lacks a placeholder in Chinese',
    command: vitest('apps/server/test/console-texts.test.ts'),
    apply: (scratch) =>
      replace(
        scratch,
        `${words}/texts/event-texts.ts`,
        '您删除了{entryKind}“{name}”。',
        '您删除了“{name}”。',
      ),
    says: /have the placeholders of their English text/,
  },
  {
    gate: 'boundary: foundation imports a domain',
    command: check('dependencies'),
    apply: (scratch) =>
      prepend(scratch, 'apps/server/src/foundation/logger.ts', `import '../record/items/item-body.ts';`),
    says: /foundation-imports/,
  },
  {
    gate: 'boundary: a domain imports the process parts of another',
    command: check('dependencies'),
    apply: (scratch) =>
      prepend(scratch, 'apps/server/src/agents/agents-deps.ts', `import '../access/wiring.ts';`),
    says: /domain-wiring-for-processes/,
  },
  {
    gate: 'order: a folder of each domain imports a folder above it',
    command: check('dependencies'),
    apply: (scratch) => {
      const planted = {
        identity: ['accounts/account.ts', 'deletion/request-account-deletion.ts'],
        access: ['permissions/policy.ts', 'members/change-role.ts'],
        record: ['items/item.ts', 'editions/edition.ts'],
        storage: ['folders/entry.ts', 'links/link.ts'],
        ingest: ['parse/parse-feed.ts', 'sources/source.ts'],
        newsroom: ['stories/place-items.ts', 'publication/publish-batch.ts'],
      };
      for (const [domain, [lower, upper]] of Object.entries(planted))
        prepend(scratch, `apps/server/src/${domain}/${lower}`, `import '../${upper}';`);
    },
    says: /^(?=.*identity-folder-order)(?=.*access-folder-order)(?=.*record-folder-order)(?=.*storage-folder-order)(?=.*ingest-folder-order).*newsroom-folder-order/su,
  },
  {
    gate: 'exports: an index.ts exports 16 names',
    command: check('folders'),
    apply: (scratch) =>
      writeFileSync(
        join(scratch, 'apps/server/src/record/items/index.ts'),
        `export type { ${Array.from({ length: 13 }, (_, at) => `T${at}`).join(', ')} } from './item.ts';
export type * as types from './item.ts';
export * as namespace from './item.ts';
export const planted = 1;
`,
      ),
    says: /record\/items\/index\.ts exports 16 names/,
  },
  {
    gate: 'cycle: two modules import each other',
    command: check('dependencies'),
    apply: (scratch) => {
      prepend(scratch, 'apps/server/src/foundation/http/entity-tag.ts', `import './content-encoding.ts';`);
      prepend(scratch, 'apps/server/src/foundation/http/content-encoding.ts', `import './entity-tag.ts';`);
    },
    says: /no-cycles/,
  },
  {
    gate: 'unused export',
    command: check('unused'),
    apply: (scratch) =>
      appendFileSync(
        join(scratch, 'apps/server/src/foundation/logger.ts'),
        `\nexport const neverImported = 1;\n`,
      ),
    says: /neverImported/,
  },
  {
    gate: 'stale OpenAPI',
    command: vitest('apps/server/test/end-to-end/news-api/openapi.test.ts'),
    apply: (scratch) => replace(scratch, 'docs/openapi-v1.json', '"4.0.0"', '"4.0.1"'),
    says: /the committed copy is current \(npm run openapi\)/,
  },
  {
    gate: 'a description that names a schema which is not there',
    command: check('descriptions'),
    apply: (scratch) =>
      replace(
        scratch,
        'docs/openapi-v1.json',
        '#/components/schemas/StoryResponse',
        '#/components/schemas/Nothing',
      ),
    says: /no-unresolved-refs/,
  },
  {
    gate: 'a parameter with a default that clients must send',
    command: vitest('apps/server/test/end-to-end/news-api/generated-client.test.ts'),
    apply: (scratch) =>
      replace(
        scratch,
        'docs/openapi-v1.json',
        `"name": "mode",\n            "in": "query",\n            "required": false`,
        `"name": "mode",\n            "in": "query",\n            "required": true`,
      ),
    says: /calls\.ts\(\d+,\d+\): error TS/,
  },
  {
    gate: 'stale types of the client',
    command: vitest('packages/client/test/generated-types.test.ts'),
    apply: (scratch) => replace(scratch, 'docs/openapi-v1.json', 'Incremented only when', 'Incremented when'),
    says: /the generated types are those of the description/,
  },
  {
    gate: 'an export map that leads out of the tarball',
    command: ['node', 'scripts/pack-packages.ts'],
    apply: (scratch) =>
      replace(scratch, 'packages/client/package.json', './src/mirror/index.ts', './source/mirror/index.ts'),
    says: /not in the tarball: \.\/source/,
  },
  {
    gate: 'a package that imports the server',
    command: check('dependencies'),
    apply: (scratch) =>
      prepend(
        scratch,
        'packages/client/src/client.ts',
        `import '../../../apps/server/src/foundation/logger.ts';`,
      ),
    says: /packages-stand-alone/,
  },
  {
    gate: 'stale database types',
    command: vitest('apps/server/src/foundation/database/migrate.test.ts'),
    apply: (scratch) =>
      appendFileSync(
        join(scratch, 'apps/server/migrations/0001-foundation.sql'),
        '\nALTER TABLE foundation.strict_limit ADD COLUMN added integer;\n',
      ),
    says: /stale: run `npm run database:types`/,
  },
  {
    gate: 'a migration after the release that rewrites a table',
    command: ['node', 'prove/src/main.ts', 'migrations', '--quick'],
    apply: (scratch) => {
      const last = readdirSync(join(scratch, 'apps/server/migrations')).sort().at(-1) ?? '';
      const before = Number.parseInt(last, 10) - 1;
      writeFileSync(
        join(scratch, 'apps/server/test/releases/released.json'),
        JSON.stringify({ version: '0.0.0', lastMigration: before }),
      );
      appendFileSync(
        join(scratch, 'apps/server/migrations', last),
        '\nALTER TABLE record.item ADD COLUMN planted timestamptz DEFAULT clock_timestamp();\n',
      );
    },
    says: /rewrites record\.item/,
  },
  {
    gate: 'deployment that does not fit together',
    command: vitest('apps/server/test/deployment/deployment.test.ts'),
    apply: (scratch) => replace(scratch, 'deploy/compose.yaml', `['8080:8080']`, `['8080:8000']`),
    says: /edge: its ports/,
  },
  {
    gate: 'undeclared status',
    command: vitest('apps/server/src/foundation/http/health-routes.test.ts'),
    apply: (scratch) =>
      replace(
        scratch,
        'apps/server/src/foundation/http/health-routes.ts',
        `.send({ status: 'alive' })`,
        `.code(202).send({ status: 'alive' })`,
      ),
    says: /status 202 is not declared/,
  },
];

function prepend(scratch: string, file: string, line: string): void {
  const path = join(scratch, file);
  writeFileSync(path, `${line}\n${readFileSync(path, 'utf8')}`);
}

function replace(scratch: string, file: string, from: string, to: string): void {
  const path = join(scratch, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not hold ${from}; mend this self-test`);
  writeFileSync(path, text.replace(from, to));
}

const git = (...args: readonly string[]): Buffer => execFileSync('git', args, { cwd: root });

function makeScratch(): string {
  const scratch = join(mkdtempSync(join(tmpdir(), 'daybook-gates-')), 'worktree');
  git('worktree', 'add', '--quiet', '--detach', scratch, 'HEAD');
  // Hard links preserve the relative links of the workspaces, which then point into the scratch worktree.
  execFileSync('cp', ['-al', join(root, 'node_modules'), scratch]);
  // npm stores a workspace's own versions beside it.
  const own = 'apps/server/node_modules';
  if (existsSync(join(root, own))) execFileSync('cp', ['-al', join(root, own), join(scratch, own)]);
  return scratch;
}

function removeScratch(scratch: string): void {
  git('worktree', 'remove', '--force', scratch);
  rmSync(join(scratch, '..'), { recursive: true, force: true });
}

async function run([program = '', ...rest]: readonly string[], cwd: string): Promise<string | null> {
  const child = spawn(program, rest, { cwd, env: { ...process.env, CI: 'true', NO_COLOR: '1' } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0 ? null : printed;
}

let silent = 0;

/** Takes breakages until none is left, in a separate worktree. */
async function breakGates(waiting: Breakage[]): Promise<void> {
  const scratch = makeScratch();
  try {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      next.apply(scratch);
      const complaint = await run(next.command, scratch);
      const failed = complaint !== null && next.says.test(complaint);
      console.log(`${failed ? '✓ fails' : '✗ SILENT'}  ${next.gate}`);
      if (!failed) {
        silent += 1;
        console.log(complaint ?? 'it passed');
      }
      execFileSync('git', ['checkout', '--quiet', '--', '.'], { cwd: scratch });
    }
  } finally {
    removeScratch(scratch);
  }
}

const waiting = [...breakages];
await Promise.all([breakGates(waiting), breakGates(waiting)]);
console.log(`gates: ${breakages.length - silent} passed, ${silent} failed`);
process.exitCode = silent === 0 ? 0 : 1;
