import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// A gate that cannot fail guards nothing. In a scratch worktree each gate is broken on purpose, and must say so for
// the right reason.
const root = fileURLToPath(new URL('../', import.meta.url));

interface Breakage {
  readonly gate: string;
  readonly command: readonly string[];
  readonly apply: (scratch: string) => void;
  /** What the gate must say; failing for another reason proves nothing. */
  readonly says: RegExp;
}

const check = (gate: string): readonly string[] => ['node', 'scripts/check.ts', gate];
const vitest = (file: string): readonly string[] => ['vitest', 'run', file];

const breakages: readonly Breakage[] = [
  {
    gate: 'boundary: foundation imports a domain',
    command: check('arrows'),
    apply: (scratch) =>
      prepend(scratch, 'apps/server/src/foundation/logger.ts', `import '../record/items/item-body.ts';`),
    says: /foundation-arrows/,
  },
  {
    gate: 'circle: two modules import each other',
    command: check('arrows'),
    apply: (scratch) => {
      prepend(scratch, 'apps/server/src/foundation/http/entity-tag.ts', `import './content-encoding.ts';`);
      prepend(scratch, 'apps/server/src/foundation/http/content-encoding.ts', `import './entity-tag.ts';`);
    },
    says: /no-circles/,
  },
  {
    gate: 'unused export',
    command: check('unused'),
    apply: (scratch) =>
      appendFileSync(
        join(scratch, 'apps/server/src/foundation/logger.ts'),
        `\nexport const nobodyNeedsThis = 1;\n`,
      ),
    says: /nobodyNeedsThis/,
  },
  {
    gate: 'stale OpenAPI',
    command: vitest('apps/server/test/end-to-end/news-api/openapi.test.ts'),
    apply: (scratch) => replace(scratch, 'docs/openapi-v1.json', '"4.0.0"', '"4.0.1"'),
    says: /the committed copy is current \(npm run openapi\)/,
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

const scratch = join(mkdtempSync(join(tmpdir(), 'daybook-gates-')), 'worktree');
const git = (...args: readonly string[]): Buffer => execFileSync('git', args, { cwd: root });
let silent = 0;
try {
  git('worktree', 'add', '--quiet', '--detach', scratch, 'HEAD');
  // Hard links keep the relative links of the workspaces, which then lead into the scratch worktree.
  execFileSync('cp', ['-al', join(root, 'node_modules'), scratch]);
  for (const breakage of breakages) {
    breakage.apply(scratch);
    const [program = '', ...rest] = breakage.command;
    const run = spawnSync(program, rest, {
      cwd: scratch,
      encoding: 'utf8',
      env: { ...process.env, CI: 'true', NO_COLOR: '1' },
    });
    const failed = run.status !== 0 && breakage.says.test(`${run.stdout}${run.stderr}`);
    console.log(`${failed ? '✓ fails' : '✗ SILENT'}  ${breakage.gate}`);
    if (!failed) {
      silent += 1;
      console.log(`${run.stdout}${run.stderr}`);
    }
    execFileSync('git', ['checkout', '--quiet', '--', '.'], { cwd: scratch });
  }
} finally {
  git('worktree', 'remove', '--force', scratch);
  rmSync(join(scratch, '..'), { recursive: true, force: true });
}
console.log(`gates: ${breakages.length - silent} passed, ${silent} failed`);
process.exitCode = silent === 0 ? 0 : 1;
