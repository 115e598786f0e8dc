import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { hasQueue, openQueue, openScratchQueue } from '../queue/queue-database.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import type { ScanTotals } from '../queue/scan-source.ts';
import { scanSource } from '../queue/scan-source.ts';
import type { RoutingSummary } from '../report/routing-summary.ts';
import { readRoutingSummary } from '../report/routing-summary.ts';
import { routingTable } from '../report/routing-table.ts';
import type { ScanOptions } from './command-line.ts';
import { UsageError } from './command-line.ts';
import { exitCodes } from './exit-code.ts';
import type { Host } from './host.ts';
import { progressBar } from './progress-bar.ts';
import { fileSize, painter, plural } from './terminal.ts';

const pastedBytesMax = 256 * 1024 * 1024;

export async function scanCommand(options: ScanOptions, host: Host): Promise<number> {
  const pasted = options.source === null ? await readPasted(host) : null;
  const queue = options.dryRun && !hasQueue(options.root) ? openScratchQueue() : openQueue(options.root);
  const bar = progressBar(host, 'Scanning', null);
  try {
    const source = pasted === null ? { path: options.source ?? '' } : keepPasted(queue, pasted);
    let summary: RoutingSummary | null = null;
    const totals = await scanSource(source.path, pasted !== null, {
      queue,
      classify: host.classify,
      knowledgeRoot: queue.folder === '' ? options.root : realpathSync(options.root),
      dryRun: options.dryRun,
      onFound: () => {
        summary = readRoutingSummary(queue.database);
      },
      onFile: ({ files, bytes }) => bar.update(files, `${plural(files, 'file')}, ${fileSize(bytes)}`),
    });
    bar.end();
    source.drop?.();
    printScan(host, options, totals, summary ?? readRoutingSummary(queue.database));
    return exitCodes.done;
  } finally {
    bar.end();
    queue.close();
  }
}

async function readPasted(host: Host): Promise<Buffer> {
  if (host.stdin.isTTY) host.stderr.write('Paste your text, then press Ctrl-D.\n');
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of host.stdin as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > pastedBytesMax)
      throw new UsageError('that is more than 256 MB of text; save it to files first');
  }
  return Buffer.concat(pieces);
}

/** Pasted text exists nowhere else, so it is kept with the queue; a dry run leaves nothing behind. */
function keepPasted(
  queue: QueueHandle,
  bytes: Buffer,
): { readonly path: string; readonly drop?: () => void } {
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.md`;
  if (queue.folder === '') {
    const folder = mkdtempSync(join(tmpdir(), 'daybook-migrate-'));
    writeFileSync(join(folder, name), bytes, { mode: 0o600 });
    return { path: join(folder, name), drop: () => rmSync(folder, { recursive: true }) };
  }
  const folder = join(queue.folder, 'pasted');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), bytes, { mode: 0o600 });
  return { path: join(folder, name) };
}

function printScan(host: Host, options: ScanOptions, totals: ScanTotals, summary: RoutingSummary): void {
  if (options.json) {
    const { routing, unclear, lowConfidence, mediumConfidence, trusted, states } = summary;
    const answer = {
      ...totals,
      dryRun: options.dryRun,
      routing,
      unclear,
      lowConfidence,
      mediumConfidence,
      trusted,
      states,
    };
    host.stdout.write(`${JSON.stringify(answer)}\n`);
    return;
  }
  const paint = painter(host.stdout);
  const lines = [
    `${plural(totals.files, 'file')} (${fileSize(totals.bytes)}): ${paint('bold', plural(totals.chunks, 'chunk'))}, ${totals.added.toLocaleString('en-US')} of them new`,
    '',
    routingTable(summary, paint),
    '',
  ];
  const noted = Object.entries(totals.noted).map(([kind, count]) => plural(count, kind));
  if (noted.length > 0) lines.push(`Left where they are: ${noted.join(', ')}`);
  if (totals.remainders > 0) {
    lines.push(
      `In no chunk, but listed: ${plural(totals.remainders, 'piece')} (${fileSize(totals.remainderBytes)}; front matter and the like)`,
    );
  }
  if (totals.wikilinks > 0) lines.push(`Kept as they are: ${plural(totals.wikilinks, 'wikilink')}`);
  lines.push(
    options.dryRun ? 'Dry run: nothing was kept.' : `Next: ${paint('bold', 'daybook-migrate approve')}`,
  );
  host.stdout.write(`${lines.join('\n')}\n`);
}
