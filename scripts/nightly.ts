import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// Everything in full, on an otherwise idle machine: hours. Figures go into docs/guarantees.md and
// docs/benchmarks.md, the cost and result of each step into docs/nightly.md, which is written after every step.
const root = fileURLToPath(new URL('../', import.meta.url));
/** Results of the last run, for a run that resumes it. */
const stateFile = `${root}.data/nightly.json`;

interface Step {
  readonly name: string;
  readonly words: readonly string[];
}

interface StepResult {
  readonly seconds: number;
  readonly ended: 'passed' | 'failed' | 'skipped' | 'stopped';
  readonly summary: string;
  readonly day: string;
}

type Results = Readonly<Record<string, StepResult>>;

function suiteSteps(command: 'prove' | 'bench'): readonly Step[] {
  return readdirSync(`${root}${command}/src/suites`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
    .map((file) => file.slice(0, -'.ts'.length))
    .map((suite) => ({
      name: `${command}:${suite}`,
      words: ['run', '-s', command, '--', suite, '--update-docs'],
    }));
}

const steps: readonly Step[] = [
  { name: 'check', words: ['run', '-s', 'check'] },
  { name: 'gates', words: ['run', '-s', 'gates:selftest'] },
  ...suiteSteps('prove'),
  ...suiteSteps('bench'),
];

/** `prove` names all of its suites, `prove:engine` one. */
const isNamed = (name: string, wanted: string): boolean => name === wanted || name.startsWith(`${wanted}:`);

function chooseSteps(from: string | undefined, only: readonly string[]): readonly Step[] {
  for (const wanted of [...only, ...(from === undefined ? [] : [from])]) {
    if (steps.some(({ name }) => isNamed(name, wanted))) continue;
    console.error(`no step ${wanted}. Choose one of: ${steps.map(({ name }) => name).join(', ')}`);
    process.exit(2);
  }
  const start = from === undefined ? 0 : steps.findIndex(({ name }) => isNamed(name, from));
  return steps
    .slice(start)
    .filter(({ name }) => only.length === 0 || only.some((wanted) => isNamed(name, wanted)));
}

let running: ChildProcess | undefined;
/** Including its children: it leads a process group. */
function endStep(signal: NodeJS.Signals): void {
  if (running?.pid === undefined) return;
  try {
    process.kill(-running.pid, signal);
  } catch {
    // The group has ended meanwhile.
  }
}

async function runStep({ name, words }: Step, limitMinutes: number): Promise<StepResult> {
  console.log(`\n▸ ${name}`);
  const startedMs = performance.now();
  const child = spawn('npm', words, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    // Tests that take minutes run too.
    env: { ...process.env, DAYBOOK_NIGHTLY: '1' },
  });
  running = child;
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk);
      said += chunk.toString();
    });
  }
  let isStopped = false;
  const timer = setTimeout(() => {
    isStopped = true;
    endStep('SIGKILL');
  }, limitMinutes * 60_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  // A suite that crashed leaves the processes it started, which would slow down the steps after it.
  endStep('SIGKILL');
  const skipped = /^DID NOT RUN: .*$/m.exec(said)?.[0];
  const ended = isStopped ? 'stopped' : code !== 0 ? 'failed' : skipped === undefined ? 'passed' : 'skipped';
  return {
    seconds: Math.round((performance.now() - startedMs) / 1_000),
    ended,
    summary: isStopped ? `not done after ${limitMinutes} minutes` : summaryOf(said),
    day: new Date().toISOString().slice(0, 10),
  };
}

/** Failures and reasons not to run, or the last line; the seconds of each gate for the check. */
function summaryOf(said: string): string {
  const lines = said.split('\n').map((line) => line.trim());
  const notable = lines.filter((line) => /^(?:FAILED|DID NOT RUN|below its goal): /.test(line));
  const gates = lines.filter((line) => /^[\d.]+ {2}[✓✗] /.test(line));
  const shown = [
    ...notable,
    ...gates,
    ...(gates.length === 0 ? [lines.findLast((line) => line !== '')] : []),
  ];
  return shown.join('<br>').replaceAll('|', '\\|');
}

function writePage(results: Results): void {
  mkdirSync(`${root}.data`, { recursive: true });
  writeFileSync(stateFile, JSON.stringify(results, null, 2));
  const done = steps.flatMap((step) => {
    const result = results[step.name];
    return result === undefined ? [] : [{ name: step.name, ...result }];
  });
  const count = (ended: StepResult['ended']): number => done.filter((one) => one.ended === ended).length;
  const minutes = Math.round(done.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
  const days = [...new Set(done.map(({ day }) => day))].sort();
  const missing = steps.filter(({ name }) => results[name] === undefined).map(({ name }) => name);
  const rows = done.map(
    ({ name, seconds, ended, summary }) => `| ${name} | ${seconds} s | ${ended} | ${summary} |`,
  );
  writeFileSync(
    `${root}docs/nightly.md`,
    `# The last nightly run

\`npm run nightly\` runs every check, proof and benchmark in full. Figures: [guarantees](guarantees.md), [benchmarks](benchmarks.md).

${days.join(' to ')}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${minutes} minutes: ${count('passed')} passed, ${count('failed')} failed, ${count('stopped')} stopped at their time limit, ${count('skipped')} skipped${missing.length === 0 ? '' : `, ${missing.length} not run yet (next: ${missing[0]})`}.

| Step | Took | Ended | Summary |
|---|---|---|---|
${rows.join('\n')}
`,
  );
}

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    'limit-minutes': { type: 'string', default: '90' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`npm run nightly -- [--from <step>] [--only <step>]… [--limit-minutes 90]

  --from   go on with a step; results of the steps before it stay
  --only   run some steps; results of the others stay
Steps: ${steps.map(({ name }) => name).join(', ')}; \`prove\` and \`bench\` name all of theirs`);
  process.exit(0);
}
const chosen = chooseSteps(values.from, values.only);
const continues = values.from !== undefined || values.only.length > 0;
const results: Record<string, StepResult> =
  continues && existsSync(stateFile) ? (JSON.parse(readFileSync(stateFile, 'utf8')) as Results) : {};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    endStep('SIGKILL');
    process.exit(1);
  });
for (const step of chosen) {
  const result = await runStep(step, Number(values['limit-minutes']));
  results[step.name] = result;
  writePage(results);
  console.log(`${step.name} ${result.ended} after ${result.seconds} s`);
  if (result.ended === 'failed' || result.ended === 'stopped') process.exitCode = 1;
}
console.log('\ndocs/nightly.md has the summary.');
