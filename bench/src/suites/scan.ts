import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { classifyNote, openQueue, scanSource } from 'daybook-migrate';
import { fromMarkdown } from 'mdast-util-from-markdown';

const program = fileURLToPath(new URL('../processes/scan-memory.ts', import.meta.url));
const run = promisify(execFile);

export const suite: Suite = {
  name: 'scan',
  nightly: true,
  summary: 'scanning notes beside the bare Markdown parser, and the memory it takes',
  promise:
    'A scan walks the folders, reads, decodes, cuts, checks conservation, classifies and writes the queue. It is compared with the bare Markdown parser over the same bytes in memory. Memory is the peak of a separate process.',
  dataSets: ['notes/vaults'],
  run: async (context) => {
    const vaults = context.data('notes/vaults');
    const folder = mkdtempSync(join(tmpdir(), 'bench-scan-'));
    try {
      await compareWithParser(context, context.quick ? join(vaults, 'awesome-cursorrules') : vaults, folder);
      await measureMemory(context, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function compareWithParser(context: SuiteContext, vaults: string, folder: string): Promise<void> {
  const texts = readdirSync(vaults, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:md|mdc|markdown|txt)$/i.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const megabytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6;
  const [ours, bare]: [number[], number[]] = [[], []];
  const rounds = context.quick ? 3 : 9;
  for (let round = -1; round < rounds; round += 1) {
    const scanned = await seconds(() => scanInto(vaults, join(folder, `round-${round}`)));
    const parsed = await seconds(() => {
      for (const text of texts) fromMarkdown(text);
      return Promise.resolve();
    });
    if (round < 0) continue;
    ours.push(megabytes / scanned);
    bare.push(megabytes / parsed);
  }
  context.ratio({ name: 'scanning the vaults', unit: 'MB/s', ours, bare, goal: { atLeast: 0.5 } });
}

async function scanInto(source: string, root: string): Promise<void> {
  const queue = openQueue(root);
  await scanSource(source, false, {
    queue,
    classify: classifyNote,
    onFile: () => undefined,
  });
  queue.close();
}

async function measureMemory(context: SuiteContext, folder: string): Promise<void> {
  const { quick, figure } = context;
  const counts = quick ? [200, 2000] : [10_000, 100_000];
  const peaks: number[] = [];
  for (const count of counts) {
    const vault = join(folder, `vault-${count}`);
    writeVault(vault, count);
    const { peakMb, seconds } = await scanApart(vault, join(folder, `root-${count}`));
    peaks.push(peakMb);
    figure({ name: `peak memory, ${count.toLocaleString('en-US')} notes`, value: peakMb, unit: 'MB' });
    figure({ name: `time, ${count.toLocaleString('en-US')} notes`, value: seconds, unit: 's' });
  }
  const growth = (peaks[1] ?? 0) / (peaks[0] ?? 1);
  figure({
    name: 'growth of memory for ten times the notes',
    value: growth,
    unit: 'times',
    goal: { atMost: 1.5 },
  });
  await measureLargeNotes(context, folder);
}

async function measureLargeNotes({ quick, figure }: SuiteContext, folder: string): Promise<void> {
  const peaks: number[] = [];
  for (const megabytes of quick ? [1] : [3, 30]) {
    const file = join(folder, `large-${megabytes}.md`);
    writeFileSync(file, largeNote(megabytes * 1e6));
    const large = await scanApart(file, join(folder, `root-large-${megabytes}`));
    peaks.push(large.peakMb);
    figure({
      name: `peak memory, one note of ${megabytes} MB`,
      value: large.peakMb,
      unit: 'MB',
      goal: { atMost: 1024 },
    });
    figure({ name: `time, one note of ${megabytes} MB`, value: large.seconds, unit: 's' });
  }
  const [small, large] = peaks;
  if (small === undefined || large === undefined) return;
  figure({
    name: 'memory of a note of 30 MB, of that for 3 MB',
    value: large / small,
    unit: 'times',
    goal: { atMost: 2 },
  });
}

async function scanApart(
  source: string,
  root: string,
): Promise<{ readonly peakMb: number; readonly seconds: number }> {
  const { stdout } = await run(process.execPath, [program, source, root]);
  return JSON.parse(stdout) as { readonly peakMb: number; readonly seconds: number };
}

function writeVault(vault: string, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const folder = join(vault, `area-${Math.floor(at / 500)}`);
    if (at % 500 === 0) mkdirSync(folder, { recursive: true });
    const body = `A thought about subject ${at % 97} that goes on for a line or two, with a [[link-${at % 31}]] in it.`;
    writeFileSync(join(folder, `note-${at}.md`), `# Note ${at}\n\n${body}\n\n- one point\n- another point\n`);
  }
}

function largeNote(bytes: number): string {
  const sections: string[] = [];
  for (let size = 0, at = 0; size < bytes; at += 1) {
    const section = `## Entry ${at}\n\n${`Sentence ${at} of a very long note. `.repeat(8)}\n\n- a point\n- another\n\n`;
    sections.push(section);
    size += section.length;
  }
  return sections.join('');
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
