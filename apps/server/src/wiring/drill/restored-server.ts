import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import pg from 'pg';

const run = promisify(execFile);
const port = 5432;

export interface DrillOptions {
  /** Empty or absent; deleted at the end. */
  readonly folder: string;
  /** A command of the shell that restores the cluster into `$DRILL_DATA`. */
  readonly restore: string;
  /** The folder with `postgres`, of the same major version as the server. */
  readonly bin: string;
  /** The account of the operating system for both; PostgreSQL refuses to run as root. */
  readonly account: string;
}

export interface RestoredServer {
  readonly restoreSeconds: number;
  readonly recoverySeconds: number;
  readonly bytes: number;
  /** The time of the last transaction that the recovery replayed, as PostgreSQL logs it; null if it replayed none. */
  readonly lastTransaction: string | null;
  /** The same URL on the restored server. */
  readonly urlOf: (url: string) => string;
  readonly stop: () => Promise<void>;
}

/** On no port: only root and the account can connect, through a socket in the folder. */
export async function startRestoredServer(options: DrillOptions): Promise<RestoredServer> {
  const { folder, bin, account } = options;
  const ids = await idsOf(account);
  if (((await readdir(folder).catch(() => [])) as readonly string[]).length > 0)
    throw new Error(`${folder} is not empty. Name a folder that may be deleted.`);
  const data = join(folder, 'data');
  await mkdir(data, { recursive: true });
  for (const one of [folder, data]) {
    await chown(one, ids.uid, ids.gid);
    await chmod(one, 0o700);
  }
  let server: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (server?.exitCode === null && server.signalCode === null) {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const started = performance.now();
    await restoreInto(data, options, ids);
    const restored = performance.now();
    const log: string[] = [];
    server = await launch(bin, folder, data, ids, log);
    await untilPromoted(folder, server, log);
    return {
      restoreSeconds: (restored - started) / 1_000,
      recoverySeconds: (performance.now() - restored) / 1_000,
      bytes: await bytesBelow(data),
      lastTransaction: /last completed transaction was at log time (.*)$/m.exec(log.join(''))?.[1] ?? null,
      urlOf: (url) => urlThrough(url, folder),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface AccountIds {
  readonly uid: number;
  readonly gid: number;
}

async function idsOf(account: string): Promise<AccountIds> {
  const [uid = Number.NaN, gid = Number.NaN] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, account])).stdout)),
  );
  return { uid, gid };
}

/** Without the settings of this process: they contain the keys of Daybook. */
async function restoreInto(data: string, { restore }: DrillOptions, ids: AccountIds): Promise<void> {
  const child = spawn('/bin/sh', ['-c', restore], {
    ...ids,
    cwd: '/',
    env: { PATH: process.env['PATH'], DRILL_DATA: data },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the command that restores ended with ${code ?? 'a signal'}: ${restore}`);
}

/** With a configuration of its own: that of the server may name its folders and archive. */
async function launch(
  bin: string,
  folder: string,
  data: string,
  ids: AccountIds,
  log: string[],
): Promise<ChildProcess> {
  const files = {
    'drill.conf': `listen_addresses = ''
port = ${port}
unix_socket_directories = '${folder}'
hba_file = '${join(folder, 'hba.conf')}'
data_directory = '${data}'
archive_mode = off
hot_standby = off
autovacuum = off
fsync = off
logging_collector = off
log_destination = stderr
`,
    'hba.conf': 'local all all trust\n',
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text);
    await chown(join(folder, name), ids.uid, ids.gid);
  }
  const server = spawn(join(bin, 'postgres'), ['-c', `config_file=${join(folder, 'drill.conf')}`], {
    ...ids,
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  server.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  server.on('error', (error) => log.push(String(error)));
  return server;
}

/** With `hot_standby = off` it accepts no connection before the recovery has ended. */
async function untilPromoted(folder: string, server: ChildProcess, log: readonly string[]): Promise<void> {
  for (;;) {
    if (server.exitCode !== null || server.pid === undefined)
      throw new Error(`the restored server ended: ${log.slice(-5).join('')}`);
    const client = new pg.Client({ host: folder, port, user: 'postgres', database: 'postgres' });
    try {
      await client.connect();
      const { rows } = await client.query<{ f: boolean }>('SELECT pg_is_in_recovery() AS f');
      if (rows[0]?.f === false) return;
    } catch {
      // Not yet.
    } finally {
      await client.end().catch(() => null);
    }
    await delay(500);
  }
}

function urlThrough(url: string, folder: string): string {
  const { username, password, pathname } = new URL(url);
  return `postgres://${username}:${password}@${encodeURIComponent(folder)}:${port}${pathname}`;
}

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  return bytes;
}
