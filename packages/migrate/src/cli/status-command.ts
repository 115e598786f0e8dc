import { writeFileSync } from 'node:fs';

import { listRuns } from '../commit/commit-journal.ts';
import { findChunk, readChunks } from '../queue/chunk-store.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { destinationOf } from '../queue/queued-chunk.ts';
import { readRoutingSummary } from '../report/routing-summary.ts';
import { routingTable, stateLine } from '../report/routing-table.ts';
import type { StatusOptions } from './command-line.ts';
import { UsageError } from './command-line.ts';
import { exitCodes } from './exit-code.ts';
import type { Host } from './host.ts';
import type { Migration } from './migration.ts';
import { openMigration } from './migration.ts';
import { reportText } from './report-file.ts';
import { painter, percent, plural, printable } from './terminal.ts';

export function statusCommand(options: StatusOptions, host: Host): number {
  const migration = openMigration(host, options);
  try {
    if (options.show !== null) showChunk(options, migration, options.show);
    else if (options.list) listChunks(options, migration);
    else showStatus(options, migration);
    if (options.report !== null) {
      writeFileSync(options.report, reportText(host, migration.queue));
      host.stderr.write(`Report written to ${options.report}\n`);
    }
    return exitCodes.done;
  } finally {
    migration.queue.close();
  }
}

function showStatus(options: StatusOptions, { host, queue }: Migration): void {
  const summary = readRoutingSummary(queue.database);
  const runs = listRuns(queue.database);
  if (options.json) {
    host.stdout.write(`${JSON.stringify({ ...summary, runs })}\n`);
    return;
  }
  const paint = painter(host.stdout);
  const lines = [stateLine(summary), '', routingTable(summary, paint)];
  if (runs.length > 0) lines.push('', paint('bold', '  Runs'));
  for (const run of runs)
    lines.push(`  ${run.id}  ${plural(run.chunks, 'chunk')}, ${run.state}: ${run.command}`);
  host.stdout.write(`${lines.join('\n')}\n`);
}

function listChunks(options: StatusOptions, { host, queue }: Migration): void {
  const filter = { states: ['scanned', 'approved', 'modified', 'unclear'] } as const;
  for (const chunk of readChunks(queue.database, filter)) {
    const place = printable([chunk.source, ...chunk.headings].join(' › '));
    host.stdout.write(
      options.json
        ? `${JSON.stringify(chunkAnswer(chunk))}\n`
        : `${chunk.id.slice(0, 10)}  ${chunk.state.padEnd(8)}  ${destinationOf(chunk).padEnd(18)}  ${percent(chunk.confidence).padStart(5)}  ${place}\n`,
    );
  }
}

function showChunk(options: StatusOptions, { host, queue }: Migration, id: string): void {
  const chunk = findChunk(queue.database, id);
  if (chunk === null || chunk === 'ambiguous')
    throw new UsageError(`there is no single chunk ${id}; --list shows them`);
  if (options.json) {
    host.stdout.write(
      `${JSON.stringify({ ...chunkAnswer(chunk), text: chunk.text, reasons: chunk.reasons })}\n`,
    );
    return;
  }
  const lines = [
    `${chunk.id}  ${chunk.state}  ${destinationOf(chunk)}  ${percent(chunk.confidence)}`,
    `from ${[chunk.source, ...chunk.headings].join(' › ')}, bytes ${chunk.startByte} to ${chunk.endByte}`,
    ...chunk.reasons.map((reason) => `because ${reason}`),
    '',
    chunk.text.trimEnd(),
  ];
  host.stdout.write(`${printable(lines.join('\n'))}\n`);
}

function chunkAnswer(chunk: QueuedChunk): object {
  const { id, source, headings, startByte, endByte, proposed, chosen, confidence, state, alternatives } =
    chunk;
  return { id, source, headings, startByte, endByte, proposed, chosen, confidence, state, alternatives };
}
