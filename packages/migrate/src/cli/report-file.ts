import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { listRuns } from '../commit/commit-journal.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import { interviewQuestions } from '../report/interview.ts';
import { migrationReport } from '../report/migration-report.ts';
import { readRoutingSummary } from '../report/routing-summary.ts';
import type { Host } from './host.ts';

export function reportText(host: Host, queue: QueueHandle): string {
  const { database } = queue;
  const summary = readRoutingSummary(database);
  const remainders = database
    .prepare(
      'select kind, count(*) as count, sum(end_byte - start_byte) as bytes from remainder group by kind',
    )
    .all()
    .map((row) => ({ kind: String(row['kind']), count: Number(row['count']), bytes: Number(row['bytes']) }));
  const noted = database
    .prepare('select kind, count(*) as count from noted group by kind')
    .all()
    .map((row) => ({ kind: String(row['kind']), count: Number(row['count']) }));
  const interview = interviewQuestions(summary);
  return migrationReport({ at: host.now(), summary, interview, runs: listRuns(database), remainders, noted });
}

/** Kept beside the queue after every run. */
export function keepReport(host: Host, queue: QueueHandle): void {
  writeFileSync(join(queue.folder, 'report.md'), reportText(host, queue));
}
