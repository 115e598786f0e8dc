import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

// Everything in full, on a machine with nothing else to do: hours. Figures go into docs/guarantees.md and
// docs/benchmarks.md, what each step cost and how it ended into docs/nightly.md.
const root = fileURLToPath(new URL('../', import.meta.url));
const steps: Readonly<Record<string, readonly string[]>> = {
  check: ['run', '-s', 'check'],
  prove: ['run', '-s', 'prove', '--', '--all', '--update-docs'],
  bench: ['run', '-s', 'bench', '--', '--all', '--update-docs'],
};

const rows: string[] = [];
for (const [name, command] of Object.entries(steps)) {
  const startedMs = performance.now();
  const child = spawn('npm', command, { cwd: root, stdio: ['ignore', 'inherit', 'pipe'] });
  let last = '';
  child.stderr.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk);
    last = chunk.toString().trim().split('\n').at(-1) ?? last;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(0);
  rows.push(`| ${name} | ${minutes} min | ${code === 0 ? 'passed' : 'failed'} | ${last} |`);
  if (code !== 0) process.exitCode = 1;
}

const memoryGb = Math.round(totalmem() / 2 ** 30);
writeFileSync(
  `${root}docs/nightly.md`,
  `# The last nightly run

\`npm run nightly\` runs every check, proof and benchmark in full. Figures: [guarantees](guarantees.md), [benchmarks](benchmarks.md).

${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, ${memoryGb} GB.

| Step | Took | Ended | Summary |
|---|---|---|---|
${rows.join('\n')}
`,
);
