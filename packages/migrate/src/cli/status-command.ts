import { listRuns } from '../commit/journal-store.ts';
import { openLinks } from '../links/link-store.ts';
import { readChunks } from '../queue/chunk-store.ts';
import type { ChunkState, QueuedChunk } from '../queue/queued-chunk.ts';
import { destinationOf } from '../queue/queued-chunk.ts';
import { listUnusualFiles } from '../queue/source-store.ts';
import { readRoutingSummary } from '../report/routing-summary.ts';
import { routingTable, stateLine } from '../report/routing-table.ts';
import type { StatusOptions } from './command-line.ts';
import { exitCodes } from './exit-code.ts';
import { accountLines } from './file-account.ts';
import type { Host } from './host.ts';
import type { Migration } from './migration.ts';
import { openMigrationReader } from './migration.ts';
import { requireChunk, showWhereabouts } from './note-whereabouts.ts';
import { writeReport } from './report-file.ts';
import { painter, percent, plural, printable } from './terminal.ts';

export function statusCommand(options: StatusOptions, host: Host): number {
  const migration = openMigrationReader(host, options);
  try {
    if (options.show !== null) showChunk(options, migration, options.show);
    else if (options.where !== null) showWhereabouts(options, host, migration.queue, options.where);
    else if (options.list) listChunks(options, migration, ['scanned', 'approved', 'modified', 'unclear']);
    else if (options.rejected) listChunks(options, migration, ['rejected']);
    else if (options.files) showFiles(options, migration);
    else showStatus(options, migration);
    if (options.report !== null) {
      writeReport(host, migration.queue, options.report);
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
    host.stdout.write(`${JSON.stringify({ ...summary, runs, links: openLinks(queue.database) })}\n`);
    return;
  }
  const paint = painter(host.stdout);
  const lines = [stateLine(summary), '', routingTable(summary, paint)];
  if (runs.length > 0) lines.push('', paint('bold', '  Runs'));
  for (const run of runs)
    lines.push(`  ${run.id}  ${plural(run.chunks, 'chunk')}, ${run.state}: ${run.command}`);
  lines.push(...linkLines(openLinks(queue.database)));
  host.stdout.write(`${lines.join('\n')}\n`);
}

function linkLines(links: ReturnType<typeof openLinks>): readonly string[] {
  if (links.length === 0) return [];
  const missing = links.filter(({ state }) => state === 'missing').length;
  return [
    '',
    `  Links: ${links.length - missing} to uncommitted notes, ${missing} to files that were not scanned; see the report`,
  ];
}

function listChunks(options: StatusOptions, { host, queue }: Migration, states: readonly ChunkState[]): void {
  for (const chunk of readChunks(queue.database, { states })) {
    const place = printable([chunk.source, ...chunk.headings].join(' › '));
    host.stdout.write(
      options.json
        ? `${JSON.stringify(chunkAnswer(chunk))}\n`
        : `${chunk.id.slice(0, 10)}  ${chunk.state.padEnd(8)}  ${destinationOf(chunk).padEnd(18)}  ${percent(chunk.confidence).padStart(5)}  ${place}\n`,
    );
  }
}

function showFiles(options: StatusOptions, { host, queue }: Migration): void {
  const files = listUnusualFiles(queue.database);
  if (options.json) {
    for (const { root, name, status, detail } of files)
      host.stdout.write(`${JSON.stringify({ root, name, status, detail })}\n`);
    return;
  }
  const lines = accountLines(files, painter(host.stdout), Infinity);
  host.stdout.write(lines.length === 0 ? 'Every file was read.\n' : `${lines.slice(1).join('\n')}\n`);
}

function showChunk(options: StatusOptions, { host, queue }: Migration, id: string): void {
  const chunk = requireChunk(queue, id);
  if (options.json) {
    host.stdout.write(
      `${JSON.stringify({ ...chunkAnswer(chunk), text: chunk.text, reasons: chunk.reasons })}\n`,
    );
    return;
  }
  const lines = [
    `${chunk.id}  ${chunk.state}  ${destinationOf(chunk)}  ${percent(chunk.confidence)}`,
    `from ${[chunk.source, ...chunk.headings].join(' › ')}, bytes ${chunk.spans.map(({ start, end }) => `${start} to ${end}`).join(', ')}`,
    ...chunk.reasons.map((reason) => `because ${reason}`),
    '',
    chunk.text.trimEnd(),
  ];
  host.stdout.write(`${printable(lines.join('\n'))}\n`);
}

function chunkAnswer(chunk: QueuedChunk): object {
  const { id, source, headings, spans, proposed, chosen, confidence, state, alternatives } = chunk;
  return { id, source, headings, spans, proposed, chosen, confidence, state, alternatives };
}
