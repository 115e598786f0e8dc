import { spawn } from 'node:child_process';

import { costTable } from '@daybook/evidence';

// All gates. The quick ones first, so that a mistake is reported in seconds.
const pinned = 'v26.10.0';

/** The compiler's incremental cache: a second check costs an eighth. */
const typesCache = 'node_modules/.cache/types.tsbuildinfo';

/** Disables telemetry and update checks. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

interface Gate {
  readonly name: string;
  readonly command: readonly string[];
  /** Output that exit code 0 requires in addition. */
  readonly expect?: RegExp;
}

const gates: readonly Gate[] = [
  { name: 'format', command: ['oxfmt', '--check'] },
  {
    name: 'types',
    command: ['tsc', '--noEmit', '-p', '.', '--incremental', '--tsBuildInfoFile', typesCache],
  },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  {
    name: 'dependencies',
    command: ['depcruise', '--config', '.dependency-cruiser.cjs', 'apps', 'packages', 'bench', 'prove'],
    expect: /\([1-9]\d+ modules, \d+ dependencies cruised\)/,
  },
  { name: 'folders', command: ['node', 'scripts/folder-imports.ts'] },
  { name: 'markup', command: ['node', 'scripts/page-markup.ts'] },
  { name: 'unused', command: ['knip'] },
  {
    name: 'descriptions',
    // With one document less it would also pass.
    command: [
      'redocly',
      'lint',
      ...['v1', 'accounts', 'platform', 'storage', 'watch'].map((name) => `docs/openapi-${name}.json`),
    ],
    expect: /Your API descriptions are valid/,
  },
  { name: 'tests', command: ['vitest', 'run'] },
];

/** Streams the output of the gate. */
async function passes(gate: Gate): Promise<boolean> {
  const [program = '', ...rest] = gate.command;
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...quiet },
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      process.stdout.write(chunk);
    });
  }
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  const code = await promise;
  if (code !== 0 || gate.expect === undefined) return code === 0;
  if (gate.expect.test(Buffer.concat(chunks).toString())) return true;
  console.log(`its output does not say ${String(gate.expect)}`);
  return false;
}

if (process.version !== pinned) {
  console.error(
    `This is Node ${process.version}; the project runs on ${pinned}, which npm ci installs. Start it through npm.`,
  );
  process.exit(1);
}
const only = process.argv.slice(2);
const costs: [string, number][] = [];
let failed = 0;
for (const gate of gates) {
  if (only.length > 0 && !only.includes(gate.name)) continue;
  console.log(`▸ ${gate.name}: ${gate.command.join(' ')}`);
  const started = performance.now();
  const ok = await passes(gate);
  costs.push([`${ok ? '✓' : '✗'} ${gate.name}`, (performance.now() - started) / 1000]);
  console.log(costs.at(-1)?.[0]);
  if (!ok) failed += 1;
}
if (costs.length > 0) console.log(['\nseconds of each gate:', ...costTable(costs)].join('\n'));
process.exit(failed === 0 ? 0 : 1);
