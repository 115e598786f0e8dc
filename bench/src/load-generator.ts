import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Two processes that are compared must not share a core, and the load generator must have its own. */
export function pinned(core: 0 | 1, command: readonly string[]): readonly [string, readonly string[]] {
  const [program = '', ...rest] = command;
  if (availableParallelism() < 2 || !isInstalled('taskset')) return [program, rest];
  return ['taskset', ['-c', String(core), program, ...rest]];
}

export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** Posted where it is given. */
  readonly body?: string;
  /** A program in Lua that makes the requests. */
  readonly script?: string;
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
}

/** The responses to wrk over 32 connections. Any status but 200 and 304 is an error. */
export async function applyLoad(load: Load): Promise<LoadResult> {
  const headers = Object.entries(load.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const flags = ['-t', '1', '-c', '32', '-d', `${load.seconds}s`, ...headers];
  const posting = `wrk.method = "POST"\nwrk.body = ${JSON.stringify(load.body)}\n`;
  const program = load.body === undefined ? load.script : posting;
  const folder = program === undefined ? null : mkdtempSync(join(tmpdir(), 'bench-wrk-'));
  if (folder !== null && program !== undefined) {
    writeFileSync(join(folder, 'requests.lua'), program);
    flags.push('-s', join(folder, 'requests.lua'));
  }
  const [command, rest] = pinned(1, ['wrk', ...flags, load.url]);
  const { stdout } = await run(command, rest);
  if (folder !== null) rmSync(folder, { recursive: true });
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1];
  const requests = /(\d+) requests in/.exec(stdout)?.[1];
  if (rate === undefined || requests === undefined || /Non-2xx|Socket errors/.test(stdout))
    throw new Error(`wrk: ${stdout}`);
  return { requests: Number(requests), perSecond: Number(rate) };
}
