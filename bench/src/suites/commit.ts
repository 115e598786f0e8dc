import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Suite, SuiteContext } from '@daybook/evidence';

const preload = fileURLToPath(new URL('../processes/print-peak.ts', import.meta.url));
const run = promisify(execFile);

interface Cost {
  readonly notes: number;
  readonly seconds: number;
  readonly peakMb: number;
}

export const suite: Suite = {
  name: 'commit',
  nightly: true,
  summary: 'committing whole notes: time for a note and memory as the vault grows',
  promise:
    'A generated vault of whole notes with links between them is scanned and then committed with `--approve-all`, each in its own process. The time includes the start of the process, all checks, the links, the journal and the summary.',
  run: async (context) => {
    const counts = context.quick ? [500, 2000] : [5000, 20_000, 50_000];
    const costs: Cost[] = [];
    for (const notes of counts) costs.push(await measure(context, notes));
    const [least, most] = [costs[0], costs.at(-1)];
    if (least === undefined || most === undefined) return;
    context.figure({
      name: 'growth of the time for a note',
      value: most.seconds / most.notes / (least.seconds / least.notes),
      unit: 'times',
      goal: { atMost: 1.5 },
    });
    context.figure({
      name: 'growth of the peak memory',
      value: most.peakMb / least.peakMb,
      unit: 'times',
      goal: { atMost: 2 },
    });
  },
};

async function measure(context: SuiteContext, notes: number): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-commit-'));
  try {
    const [vault, root] = [join(folder, 'vault'), join(folder, 'root')];
    writeVault(vault, notes);
    await command(context, 'scan', '--source', vault, '--json', '--root', root);
    const started = performance.now();
    const stderr = await command(context, 'approve', '--approve-all', '--json', '--root', root);
    const seconds = (performance.now() - started) / 1000;
    const peakMb = Number(/^peak (.*)$/m.exec(stderr)?.[1]);
    const count = notes.toLocaleString('en-US');
    context.figure({ name: `time for a note, ${count} notes`, value: (1000 * seconds) / notes, unit: 'ms' });
    context.figure({ name: `peak memory, ${count} notes`, value: peakMb, unit: 'MB' });
    return { notes, seconds, peakMb };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function command({ root }: SuiteContext, ...args: readonly string[]): Promise<string> {
  const program = join(root, 'packages/migrate/src/bin/daybook-migrate.ts');
  const { stderr } = await run(process.execPath, ['--import', preload, program, ...args], {
    maxBuffer: 256 * 1024 * 1024,
  });
  return stderr;
}

function writeVault(vault: string, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const folder = join(vault, `Area ${Math.floor(at / 500)}`);
    if (at % 500 === 0) mkdirSync(folder, { recursive: true });
    const text = `A thought about subject ${at}, see [[note ${(at * 7) % count}]] and [[note ${(at + 1) % count}]].`;
    writeFileSync(join(folder, `note ${at}.md`), `# Note ${at}\n\n${text}\n\n- one point\n- another point\n`);
  }
}
