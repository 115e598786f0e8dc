import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import type { Account } from './account.ts';
import { serverAccount } from './account.ts';
import type { Binaries } from './binaries.ts';
import { findBinaries } from './binaries.ts';

const superuser = 'postgres';
const startTimeoutMs = 60_000;

export interface ClusterOptions {
  /** The permanent data folder; by default a temporary folder that is removed with the cluster. */
  readonly folder?: string;
  readonly port?: number;
  /** Added to, or instead of, the server's own settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface Cluster {
  readonly port: number;
  /** The superuser's address of a database. */
  readonly url: (database?: string) => string;
  /** `fast` ends sessions and writes a checkpoint; `immediate` is a crash. */
  readonly stop: (mode?: 'fast' | 'immediate') => Promise<void>;
  readonly start: () => Promise<void>;
  readonly restart: (mode?: 'fast' | 'immediate') => Promise<void>;
  /** Stops the server and, where the folder was temporary, removes it. */
  readonly remove: () => Promise<void>;
}

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const account = serverAccount();
  const binaries = findBinaries(account);
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'daybook-postgres-'));
  const data = prepareFolder(folder, binaries, account);
  const password = readFileSync(join(folder, 'password'), 'utf8');
  const port = options.port ?? (await freePort());
  const url = (database = 'postgres'): string =>
    `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
  let server: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    await endOrphan(data);
    server = launch(binaries, account, data, { port: String(port), ...options.settings });
    await waitUntilReady(url(), server);
  };
  const stop = async (mode: 'fast' | 'immediate' = 'fast'): Promise<void> => {
    const running = server;
    server = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    running.once('exit', () => resolve());
    running.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await promise;
  };
  await start();
  return {
    port,
    url,
    start,
    stop,
    restart: async (mode) => {
      await stop(mode);
      await start();
    },
    remove: async () => {
      // A checkpoint is useless for data that is removed with its folder.
      await stop(options.folder === undefined ? 'immediate' : 'fast');
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An existing cluster is reused unchanged. */
function prepareFolder(folder: string, binaries: Binaries, account: Account): string {
  const data = join(folder, 'data');
  if (existsSync(join(data, 'PG_VERSION'))) return data;
  mkdirSync(folder, { recursive: true });
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, randomBytes(16).toString('hex'), { mode: 0o600 });
  if (account.spawn.uid !== undefined && account.spawn.gid !== undefined) {
    for (const path of [folder, data, passwordFile]) chownSync(path, account.spawn.uid, account.spawn.gid);
  }
  chmodSync(data, 0o700);
  const made = spawnSync(
    binaries.initdb,
    [
      '-D',
      data,
      '-U',
      superuser,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-sync',
    ],
    { ...account.spawn, encoding: 'utf8', env: { PATH: process.env['PATH'], TZ: 'UTC' } },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr ?? ''}${made.error?.message ?? ''}`);
  return data;
}

/** A server whose parent was killed keeps running; the folder's new owner stops it before starting its own. */
async function endOrphan(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid');
  while (existsSync(file)) {
    const pid = readFileSync(file, 'utf8').split('\n')[0] ?? '';
    // The process id may have been reused; then the file is left from a crash, and the next server removes it.
    const [parent = '', ...command] = describeProcess(pid, 'ppid=,command=').split(' ');
    if (!command.join(' ').includes(data)) return;
    if (describeProcess(parent, 'command=').includes('node')) {
      throw new Error(`${data} is in use by process ${parent}; stop that one first`);
    }
    process.kill(Number(pid), 'SIGINT');
    await delay(50);
  }
}

function describeProcess(pid: string, format: string): string {
  return spawnSync('ps', ['-o', format, '-p', pid], { encoding: 'utf8' }).stdout.trim();
}

function launch(
  binaries: Binaries,
  account: Account,
  data: string,
  settings: Readonly<Record<string, string>>,
): ChildProcess {
  const all: Readonly<Record<string, string>> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    max_connections: '200',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawn(binaries.postgres, ['-D', data, ...flags], {
    ...account.spawn,
    // Its own group: Ctrl-C in a terminal must reach us first, so that we stop the server after its clients.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'], TZ: 'UTC' },
  });
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode} while starting`);
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(25);
    }
  }
}

async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer();
  probe.once('error', reject).listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
  return promise;
}
