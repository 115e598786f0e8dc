import type { Registry } from 'prom-client';

import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { instantToMs } from '../instant.ts';
import { registerGauges } from '../metrics/gauges.ts';
import { readArchiving, readNewestBackups } from './backup-store.ts';

/** The same on every worker: read from the database. Without a backup of a kind, its gauges are absent. */
export function registerBackupMetrics(registry: Registry, database: Database, clock: Clock): void {
  registerGauges(
    registry,
    {
      daybook_backup_age_seconds: {
        help: 'Seconds since the last successful backup or drill.',
        label: 'kind',
      },
      daybook_backup_bytes: { help: 'Size of the last backup.', label: 'kind' },
      daybook_archive_failing: {
        help: '1 if PostgreSQL could not archive its write-ahead log the last time it tried.',
      },
      daybook_archive_age_seconds: {
        help: 'Seconds since PostgreSQL archived a segment; 0 if archiving is off.',
      },
    },
    async () => {
      const newest = [...(await readNewestBackups(database)).values()];
      const archiving = await readArchiving(database);
      return {
        daybook_backup_age_seconds: new Map(
          newest.map(({ kind, finishedAt }) => [kind, (clock.nowMs() - instantToMs(finishedAt)) / 1_000]),
        ),
        daybook_backup_bytes: new Map(newest.map(({ kind, bytes }) => [kind, bytes])),
        daybook_archive_failing: archiving.isOn && archiving.isFailing ? 1 : 0,
        daybook_archive_age_seconds: archiving.isOn ? (archiving.ageSeconds ?? 0) : 0,
      };
    },
  );
}
