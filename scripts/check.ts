import { spawn } from 'node:child_process';

// Every gate in one place. The quick ones first, so that a slip is seen in seconds.
const pinned = 'v26.10.0';

interface Gate {
  readonly name: string;
  readonly command: readonly string[];
  /** What the output must say for exit code 0 to be believed. */
  readonly expect?: RegExp;
}

const gates: readonly Gate[] = [
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'types', command: ['tsc', '--noEmit', '-p', '.'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  {
    name: 'arrows',
    command: ['depcruise', '--config', '.dependency-cruiser.cjs', 'apps', 'packages', 'bench', 'prove'],
    expect: /\([1-9]\d+ modules, \d+ dependencies cruised\)/,
  },
  { name: 'unused', command: ['knip'] },
  { name: 'tests', command: ['vitest', 'run'] },
];

async function run(gate: Gate): Promise<{ readonly ok: boolean; readonly output: string }> {
  const [program = '', ...rest] = gate.command;
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  const code = await promise;
  const output = Buffer.concat(chunks).toString();
  return { ok: code === 0 && (gate.expect?.test(output) ?? true), output };
}

if (process.version !== pinned) {
  console.error(
    `This is Node ${process.version}; the project runs on ${pinned}, which npm ci installs. Start it through npm.`,
  );
  process.exit(1);
}
const only = process.argv.slice(2);
let failed = 0;
for (const gate of gates) {
  if (only.length > 0 && !only.includes(gate.name)) continue;
  const started = performance.now();
  const { ok, output } = await run(gate);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${ok ? '✓' : '✗'} ${gate.name} (${seconds} s)`);
  if (!ok || gate.name === 'tests') console.log(output);
  if (!ok) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
