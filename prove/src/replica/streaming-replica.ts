import { execFile } from 'node:child_process';
import {
  appendFile,
  chmod,
  chown,
  cp,
  mkdir,
  readFile,
  readdir,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import type { Cluster } from '@daybook/local-postgres';
import { startCluster } from '@daybook/local-postgres';
import pg from 'pg';

/** A standby that streams from a running server, and ways to disturb it. */
export interface StreamingReplica {
  /** With the same logins and databases as the primary. */
  readonly port: number;
  readonly pauseReplay: () => Promise<void>;
  readonly resumeReplay: () => Promise<void>;
  /** Every process stops where it is: connections stay open and nothing answers. */
  readonly freeze: () => Promise<void>;
  readonly thaw: () => Promise<void>;
  /** Committed in all databases; the server reports them with a delay of a second. */
  readonly countTransactions: () => Promise<number>;
  readonly crash: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

const run = promisify(execFile);

/** A setting that the primary needs: it has what is written between the copy and the first connection. */
export const primarySettings = { wal_level: 'replica', wal_keep_size: '1GB', max_wal_senders: '4' } as const;

/** `folder` is that of the primary; `superuserUrl` leads to it. */
export async function startReplica(
  superuserUrl: string,
  primaryFolder: string,
  folder: string,
): Promise<StreamingReplica> {
  const data = join(folder, 'data');
  await copyRunning(superuserUrl, primaryFolder, folder);
  const { hostname, port, username, password } = new URL(superuserUrl);
  const source = `host=${hostname} port=${port} user=${username} password=${password}`;
  await appendFile(join(data, 'postgresql.auto.conf'), `\nprimary_conninfo = '${source}'\n`);
  await writeAsServer(data, 'standby.signal', '');
  const cluster = await startCluster({
    folder,
    settings: { fsync: 'off', hot_standby: 'on', ...primarySettings },
  });
  const query = (text: string): Promise<unknown> => queryOnce(cluster, text);
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    const [first = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
    const { stdout } = await run('pgrep', ['--parent', first]);
    // Each has a process group of its own.
    for (const id of [first, ...stdout.trim().split('\n')]) process.kill(Number(id), name);
  };
  return {
    port: cluster.port,
    pauseReplay: async () => void (await query('SELECT pg_wal_replay_pause()')),
    resumeReplay: async () => void (await query('SELECT pg_wal_replay_resume()')),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    countTransactions: async () => {
      await delay(2_000);
      const { rows } = await queryOnce<{ sum: string }>(
        cluster,
        'SELECT sum(xact_commit)::text AS sum FROM pg_stat_database',
      );
      return Number(rows[0]?.sum);
    },
    crash: () => cluster.stop('immediate'),
    start: () => cluster.start(),
    remove: async () => {
      await cluster.stop('immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function queryOnce<Row extends object>(cluster: Cluster, text: string): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: cluster.url() });
  await client.connect();
  try {
    return await client.query<Row>(text);
  } finally {
    await client.end();
  }
}

/** As `pg_basebackup` copies: one session starts and ends the backup. */
async function copyRunning(superuserUrl: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await mkdir(to, { recursive: true });
    await chmod(to, 0o755);
    await cp(join(from, 'password'), join(to, 'password'));
    const data = join(to, 'data');
    await client.query(`SELECT pg_backup_start('replica', true)`);
    // Files may vanish while they are copied: the log has their changes.
    await run('cp', ['-a', join(from, 'data'), data]).catch(() => null);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(join(data, name), { force: true });
    for (const entry of await readdir(join(data, 'pg_wal'), { withFileTypes: true }))
      if (entry.isFile()) await rm(join(entry.parentPath, entry.name));
    await writeAsServer(data, 'backup_label', rows[0]?.labelfile ?? '');
    const { uid, gid } = await stat(data);
    for (const path of [to, join(to, 'password')]) await chown(path, uid, gid);
  } finally {
    await client.end();
  }
}

async function writeAsServer(folder: string, name: string, text: string): Promise<void> {
  const { uid, gid } = await stat(folder);
  await writeFile(join(folder, name), text);
  await chown(join(folder, name), uid, gid);
}
