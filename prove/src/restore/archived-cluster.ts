import type { ChildProcess } from 'node:child_process';
import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import type { Cluster } from '@daybook/local-postgres';
import { startCluster } from '@daybook/local-postgres';
import pg from 'pg';

import type { ReceiverProgram } from './wal-receiver.ts';
import { startReceiver, untilReceiverEnded } from './wal-receiver.ts';

/** PostgreSQL with continuous archiving, and the two operations of docs/guides/operating.md on it. */
export interface ArchivedCluster {
  readonly cluster: Cluster;
  /** A copy of the running server's folder between `pg_backup_start` and `pg_backup_stop`, as `pg_basebackup` makes one. */
  readonly backUp: () => Promise<void>;
  /** Waits until everything written before is in the archive. */
  readonly archiveAll: () => Promise<void>;
  /** From now on each commit waits until `pg_receivewal` has stored it in a folder beside the archive. */
  readonly waitForReceiver: (program: ReceiverProgram) => Promise<void>;
  /** Crashes the server and deletes its folder. */
  readonly destroy: () => Promise<void>;
  /** Restores the backup and everything received and archived, or what was committed up to this time. */
  readonly restore: (until?: string) => Promise<void>;
  /** Backup, archive and received log. */
  readonly backupBytes: () => Promise<number>;
  readonly query: <Row extends object>(
    text: string,
    values?: readonly unknown[],
    database?: string,
  ) => Promise<readonly Row[]>;
  readonly remove: () => Promise<void>;
}

const run = promisify(execFile);
const archivedWithinMs = 30_000;

export async function startArchivedCluster(archiveTimeoutSeconds = 60): Promise<ArchivedCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-restore-'));
  await chmod(folder, 0o755);
  const [archive, backup, live, received] = ['archive', 'backup', 'live', 'received'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  for (const one of [archive, live, received]) await mkdir(one);
  // The server runs as another account if this process is root's.
  await chmod(archive, 0o777);
  const cluster = await startCluster({
    folder: live,
    settings: {
      archive_mode: 'on',
      // A crash leaves no part of a segment under its name.
      archive_command: `cp %p ${archive}/.part && mv ${archive}/.part ${archive}/%f`,
      archive_timeout: String(archiveTimeoutSeconds),
      wal_level: 'replica',
    },
  });
  const data = join(live, 'data');
  let receiver: ChildProcess | null = null;
  const query: ArchivedCluster['query'] = async (text, values = [], database = 'postgres') => {
    const client = new pg.Client({ connectionString: cluster.url(database) });
    await client.connect();
    try {
      return (await client.query(text, [...values])).rows;
    } finally {
      await client.end();
    }
  };
  return {
    cluster,
    query,
    backUp: () => backUp(cluster, data, backup),
    archiveAll: () => archiveAll(query),
    waitForReceiver: async (program) => {
      receiver = await receiveFrom(cluster, query, program, received);
    },
    destroy: async () => {
      await cluster.stop('immediate');
      await rm(data, { recursive: true });
      if (receiver !== null) await untilReceiverEnded(receiver);
      // The server runs as another account.
      await run('chmod', ['--recursive', 'a+rX', received]);
    },
    restore: async (until) => {
      await run('cp', ['-a', backup, data]);
      await appendFile(join(data, 'postgresql.auto.conf'), recoverySettings([archive, received], until));
      await writeAsServer(data, 'recovery.signal', '');
      await cluster.start();
      await untilPromoted(query);
    },
    backupBytes: async () =>
      (await bytesBelow(backup)) + (await bytesBelow(archive)) + (await bytesBelow(received)),
    remove: async () => {
      await cluster.remove();
      if (receiver !== null) await untilReceiverEnded(receiver);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Without a time, everything is recovered. The last received segment is not complete and has another name. */
function recoverySettings(folders: readonly string[], until: string | undefined): string {
  const copies = folders.flatMap((folder) => [`cp ${folder}/%f %p`, `cp ${folder}/%f.partial %p`]);
  return [
    '',
    `restore_command = '${copies.join(' || ')}'`,
    ...(until === undefined ? [] : [`recovery_target_time = '${until}'`]),
    `recovery_target_action = 'promote'`,
    '',
  ].join('\n');
}

/** The setting is made after the backup: the restored server has no receiver to wait for. */
async function receiveFrom(
  cluster: Cluster,
  query: ArchivedCluster['query'],
  program: ReceiverProgram,
  folder: string,
): Promise<ChildProcess> {
  const slot = 'daybook_receiver';
  await query('SELECT pg_create_physical_replication_slot($1, true)', [slot]);
  const receiver = startReceiver(program, { url: cluster.url(), folder, slot });
  await query(`ALTER SYSTEM SET synchronous_standby_names = '${slot}'`);
  await query('SELECT pg_reload_conf()');
  const deadline = performance.now() + archivedWithinMs;
  for (;;) {
    const [row] = await query<{ state: string }>('SELECT sync_state AS state FROM pg_stat_replication');
    if (row?.state === 'sync') return receiver;
    if (receiver.exitCode !== null || performance.now() > deadline)
      throw new Error('pg_receivewal does not receive');
    await delay(100);
  }
}

/** One session starts and stops the backup. */
async function backUp(cluster: Cluster, data: string, backup: string): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url() });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('daybook', true)`);
    // Files that vanish while they are copied are restored from the archive.
    await run('cp', ['-a', data, backup]).catch(() => null);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
    for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(join(backup, name), { force: true });
    // The archive has the complete segments.
    for (const entry of await readdir(join(backup, 'pg_wal'), { withFileTypes: true }))
      if (entry.isFile()) await rm(join(entry.parentPath, entry.name));
    await writeAsServer(backup, 'backup_label', rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

/** The server renames these files and must be able to write them. */
async function writeAsServer(folder: string, name: string, text: string): Promise<void> {
  const { uid, gid } = await stat(folder);
  await writeFile(join(folder, name), text);
  await chown(join(folder, name), uid, gid);
}

async function archiveAll(query: ArchivedCluster['query']): Promise<void> {
  const [row] = await query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name');
  const deadline = performance.now() + archivedWithinMs;
  for (;;) {
    const [state] = await query<{ last: string | null }>(
      'SELECT last_archived_wal AS last FROM pg_stat_archiver',
    );
    if ((state?.last ?? '') >= (row?.name ?? '')) return;
    if (performance.now() > deadline) throw new Error(`${row?.name} was not archived`);
    await delay(100);
  }
}

async function untilPromoted(query: ArchivedCluster['query']): Promise<void> {
  const deadline = performance.now() + archivedWithinMs;
  for (;;) {
    const [row] = await query<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering');
    if (row?.recovering === false) return;
    if (performance.now() > deadline) throw new Error('the restored server did not finish its recovery');
    await delay(100);
  }
}

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}
