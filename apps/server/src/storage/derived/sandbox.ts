import { spawn } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';

/** A program that reads hostile content from its standard input and writes to its standard output. */
export interface SandboxedProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** Files and folders that it needs beside those of the system. Nothing in them is secret. */
  readonly readable: readonly string[];
}

export interface SandboxLimits {
  readonly memoryBytes: number;
  readonly seconds: number;
  /** More output ends the program. */
  readonly outputBytes: number;
}

export type SandboxOutcome =
  | { readonly ended: 'done'; readonly output: Buffer }
  /** After as many bytes as were asked for. */
  | { readonly ended: 'at the output limit'; readonly output: Buffer }
  /** With an error, out of memory or out of time: says something about the content. */
  | { readonly ended: 'failed'; readonly reason: string };

/** The sandbox itself cannot be started: says nothing about the content. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable';
}

/** Programs, libraries and fonts. */
const systemPaths = ['/usr', '/lib', '/lib64', '/bin', '/etc/fonts', '/etc/alternatives', '/etc/ld.so.cache'];
/** Threads and processes of one sandbox. Node starts about a dozen threads. */
const processesMax = 40;
const reasonCharsMax = 200;

/**
 * Runs a program under bubblewrap: without network, files of this machine, other processes, capabilities, `/proc` or a
 * place to write to, at the lowest priority. Memory is bounded by RLIMIT_DATA: V8 reserves more addresses than it uses, so a
 * bound on addresses would not bound memory.
 */
export async function runSandboxed(
  program: SandboxedProgram,
  input: FileHandle | null,
  limits: SandboxLimits,
  signal: AbortSignal,
): Promise<SandboxOutcome> {
  signal.throwIfAborted();
  const child = spawn(
    'nice',
    ['-n', '19', 'bwrap', ...walls(program), ...bounds(limits), ...command(program)],
    {
      stdio: [input === null ? 'ignore' : input.fd, 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '' },
    },
  );
  const end = (): void => void child.kill('SIGKILL');
  const exited = new Promise<string>((resolve, reject) => {
    child.once('error', (cause) => reject(new SandboxUnavailable('nice cannot be started', { cause })));
    child.once('close', (code, killedBy) => resolve(killedBy ?? String(code)));
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, limits.seconds * 1_000);
  signal.addEventListener('abort', end);
  try {
    const [output, complaint, code] = await Promise.all([
      firstBytes(child.stdout as NodeJS.ReadableStream, limits.outputBytes, end),
      firstBytes(child.stderr as NodeJS.ReadableStream, reasonCharsMax),
      exited,
    ]);
    signal.throwIfAborted();
    if (output.length >= limits.outputBytes) return { ended: 'at the output limit', output };
    if (code === '0') return { ended: 'done', output };
    const text = complaint.toString('latin1').replaceAll(/[^\x20-\x7e]+/g, ' ');
    if (isSandboxFault(code, text)) throw new SandboxUnavailable(text);
    return { ended: 'failed', reason: isLate ? 'out of time' : `exit ${code}: ${text}`.trim() };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    end();
  }
}

/** The reason why no sandbox can be started on this machine; null if it works. */
export async function whyNoSandbox(signal = new AbortController().signal): Promise<string | null> {
  const limits = { memoryBytes: 64 * 1024 ** 2, seconds: 10, outputBytes: 1_024 };
  try {
    const outcome = await runSandboxed(
      { file: '/usr/bin/true', args: [], readable: [] },
      null,
      limits,
      signal,
    );
    return outcome.ended === 'failed' ? outcome.reason : null;
  } catch (error) {
    if (error instanceof SandboxUnavailable) return error.message;
    throw error;
  }
}

/** 127 of `nice`: bubblewrap is not installed. Its own messages begin with its name. */
function isSandboxFault(code: string, complaint: string): boolean {
  return code === '127' || complaint.startsWith('bwrap: ') || complaint.startsWith('nice: ');
}

function walls({ readable }: SandboxedProgram): readonly string[] {
  return [
    '--unshare-all --unshare-user --disable-userns --die-with-parent --new-session'.split(' '),
    '--clearenv --cap-drop ALL --uid 65534 --gid 65534'.split(' '),
    '--setenv PATH /usr/bin:/bin --setenv LANG C.UTF-8'.split(' '),
    systemPaths.flatMap((path) => ['--ro-bind-try', path, path]),
    readable.flatMap((path) => ['--ro-bind', path, path]),
    '--dev /dev --chdir / --remount-ro /dev --remount-ro /'.split(' '),
  ].flat();
}

function bounds({ memoryBytes, seconds }: SandboxLimits): readonly string[] {
  return [
    '/usr/bin/prlimit',
    `--data=${memoryBytes}`,
    `--cpu=${seconds}`,
    `--nproc=${processesMax}`,
    '--fsize=0',
    '--core=0',
    '--nofile=64',
  ];
}

function command({ file, args }: SandboxedProgram): readonly string[] {
  return [file, ...args];
}

/** Reads on after the limit only if nothing ends the program: it must not wait for a reader. */
async function firstBytes(
  stream: NodeJS.ReadableStream,
  bytesMax: number,
  atLimit: () => void = () => {},
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (length < bytesMax) chunks.push(chunk);
    length += chunk.length;
    if (length >= bytesMax) atLimit();
  }
  return Buffer.concat(chunks).subarray(0, bytesMax);
}
