import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ProcessEnd {
  readonly code: number | null;
  readonly killed: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

const memoryReport =
  'data:text/javascript,process.on("exit",()=>process.stderr.write(`memory ${process.resourceUsage().maxRSS}`))';

/** The migration command as a process of its own, with a classifier that reads the target out of the text. */
export function runMigration(
  repository: string,
  args: readonly string[],
  options: {
    readonly kill?: KillMoment;
    readonly input?: string;
    /** Ends standard error with the most memory that the process had, in KiB. */
    readonly reportsMemory?: true;
  } = {},
): Promise<ProcessEnd> {
  const flags = options.reportsMemory === true ? ['--import', memoryReport] : [];
  const { child, ended } = startMigration(repository, args, flags);
  child.stdin?.end(options.input ?? '');
  const stopWaiting = options.kill === undefined ? () => undefined : signalLater(child, options.kill);
  return ended.finally(stopWaiting);
}

/** The same, with its pipes open. */
export function startMigration(
  repository: string,
  args: readonly string[],
  flags: readonly string[] = [],
): { readonly child: ChildProcess; readonly ended: Promise<ProcessEnd> } {
  const program = join(repository, 'packages/migrate/test/stand-in-command.ts');
  const child = spawn(process.execPath, [...flags, program, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (piece: Buffer) => (output.stdout += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (output.stderr += piece.toString()));
  child.stdin.on('error', () => undefined);
  const { promise, resolve, reject } = Promise.withResolvers<ProcessEnd>();
  child
    .on('error', reject)
    .on('close', (code, signal) => resolve({ code, killed: signal === 'SIGKILL', ...output }));
  return { child, ended: promise };
}

/** Counted from when the file appears, so that the moment falls into the work and not into the start. */
export interface KillMoment {
  readonly file: string;
  readonly afterMs: number;
}

/** Returns what stops waiting for the moment. */
export function signalLater(
  child: ChildProcess,
  { file, afterMs }: KillMoment,
  signal: NodeJS.Signals = 'SIGKILL',
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const look = setInterval(() => {
    if (timer === undefined && existsSync(file)) timer = setTimeout(() => child.kill(signal), afterMs);
  }, 1);
  return () => {
    clearInterval(look);
    clearTimeout(timer);
  };
}

/** Every file and folder below a root with its bytes, the tool's own state left out. */
export function readTree(root: string): ReadonlyMap<string, string> {
  const tree = new Map<string, string>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(root.length + 1);
    if (name === '.migration' || name.startsWith('.migration/')) continue;
    tree.set(name, entry.isFile() ? readFileSync(path, 'latin1') : entry.isDirectory() ? 'folder' : 'other');
  }
  return tree;
}
