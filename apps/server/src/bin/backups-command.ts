import { readFile } from 'node:fs/promises';

import { readConfig } from '../config/config.ts';
import type { Backup } from '../foundation/backups/backup-store.ts';
import { readBackups, recordBackups } from '../foundation/backups/backup-store.ts';
import { systemClock } from '../foundation/clock.ts';
import { isoMilliseconds } from '../foundation/instant.ts';
import { parsePgBackRestInfo } from '../wiring/backups/pgbackrest-info.ts';
import { withDatabase } from '../wiring/connections.ts';
import type { Command } from './command-line.ts';
import { UsageError, printResult } from './command-line.ts';

const name = 'daybook backups';
const listedMax = 50;

export const run: Command['run'] = async ([action, ...rest]) => {
  if (action === 'record') return record(rest);
  if (action === 'list' && rest.every((word) => word === '--json')) return list(rest.length > 0);
  throw new UsageError();
};

async function record([source, ...rest]: readonly string[]): Promise<void> {
  if (source === undefined || rest.length > 0) throw new UsageError();
  const now = systemClock.now();
  const backups: readonly Backup[] =
    source === 'files'
      ? [{ kind: 'files', label: isoMilliseconds(now), finishedAt: now, seconds: 0, bytes: 0, fault: null }]
      : parsePgBackRestInfo(await readFile(source, 'utf8'));
  const added = await withDatabase(readConfig(process.env), { name }, (database) =>
    recordBackups(database, backups, now),
  );
  console.log(`${added} backups recorded.`);
}

async function list(json: boolean): Promise<void> {
  const backups = await withDatabase(readConfig(process.env), { name }, (database) =>
    readBackups(database, listedMax),
  );
  const lines = backups.map(
    ({ kind, label, finishedAt, seconds, bytes, fault }) =>
      `${isoMilliseconds(finishedAt)}  ${kind.padEnd(8)}  ${label}  ${Math.round(seconds)} s, ${Math.round(bytes / 1e6)} MB${fault === null ? '' : `  ${fault}`}`,
  );
  const listed = backups.map(({ finishedAt, ...backup }) => ({
    ...backup,
    finishedAt: isoMilliseconds(finishedAt),
  }));
  printResult(json, { backups: listed }, lines.length === 0 ? ['No backups recorded.'] : lines);
}
