import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { listRuns } from '../commit/journal-store.ts';
import { openLinks } from '../links/link-store.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import { listUnusualFiles } from '../queue/source-store.ts';
import { dataviewWarnings } from '../report/dataview-warning.ts';
import { refreshIndexPages } from '../report/index-pages.ts';
import { interviewQuestions } from '../report/interview.ts';
import { migrationPage } from '../report/migration-page.ts';
import type { ReportInput } from '../report/migration-report.ts';
import { migrationReport } from '../report/migration-report.ts';
import { writeMoves } from '../report/moves-page.ts';
import { readRoutingSummary } from '../report/routing-summary.ts';
import type { Host } from './host.ts';

function reportInput(host: Host, queue: QueueHandle): ReportInput {
  const { database } = queue;
  const summary = readRoutingSummary(database);
  const remainders = database
    .prepare(
      'select kind, count(*) as count, sum(end_byte - start_byte) as bytes from remainder group by kind',
    )
    .all()
    .map((row) => ({ kind: String(row['kind']), count: Number(row['count']), bytes: Number(row['bytes']) }));
  const files = listUnusualFiles(database);
  const interview = interviewQuestions(summary);
  return {
    at: host.now(),
    summary,
    interview,
    runs: listRuns(database),
    remainders,
    files,
    links: openLinks(database),
    dataview: dataviewWarnings(database),
  };
}

/** HTML or Markdown, by the file extension. */
export function writeReport(host: Host, queue: QueueHandle, path: string): void {
  const input = reportInput(host, queue);
  writeFileSync(path, /\.html?$/i.test(path) ? migrationPage(input) : migrationReport(input));
}

/** Stored beside the queue after every run, with the notes of these runs from their old to their new places. */
export function keepReport(host: Host, queue: QueueHandle, runs: readonly string[] | 'all'): void {
  if (queue.folder === null) return;
  writeMoves(queue, runs);
  refreshIndexPages(queue);
  for (const name of ['report.md', 'report.html']) {
    const path = join(queue.folder, name);
    writeReport(host, queue, path);
    chmodSync(path, 0o600);
  }
}
