import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { keepTargetFiles } from '../commit/target-file-store.ts';
import { Learner } from '../learn/learner.ts';
import { openQueue, openQueueCopy } from '../queue/queue-database.ts';
import type { QueueHandle } from '../queue/queue-database.ts';
import type { ScanTotals } from '../queue/scan-deps.ts';
import { scanSource } from '../queue/scan-source.ts';
import type { RoutingSummary } from '../report/routing-summary.ts';
import { readRoutingSummary } from '../report/routing-summary.ts';
import { routingTable } from '../report/routing-table.ts';
import type { RefusedEntry } from '../sources/unpack-archive.ts';
import { isArchive, unpackArchive } from '../sources/unpack-archive.ts';
import { readLayout } from '../targets/target-layout.ts';
import type { ScanOptions } from './command-line.ts';
import { UsageError } from './command-line.ts';
import { encodingAsker } from './dialog-asker.ts';
import { terminalDialog } from './dialog.ts';
import { exitCodes } from './exit-code.ts';
import { accountLines, notRead } from './file-account.ts';
import type { Host } from './host.ts';
import { progressBar } from './progress-bar.ts';
import { fileSize, isInteractive, painter, plural } from './terminal.ts';

const pastedBytesMax = 256 * 1024 * 1024;

export async function scanCommand(options: ScanOptions, host: Host): Promise<number> {
  const pasted = options.source === null ? await readPasted(host) : null;
  const queue = options.dryRun ? openQueueCopy(options.root) : openQueue(options.root);
  const total = host.stderr.isTTY ? countNotes(options.source) : null;
  const bar = progressBar(host, { label: 'Scanning', unit: 'files', total });
  const interruption = host.watchInterrupt();
  const canAsk = isInteractive(host) && !options.json;
  const store = openStore(queue);
  let source: OpenSource = { path: options.source ?? '' };
  try {
    if (pasted !== null) source = keepPasted(queue, pasted);
    else if (isArchive(source.path)) {
      const { folder, refused } = unpackArchive(source.path, store.path);
      source = { path: folder, refused };
    }
    const totals = await scanSource(source.path, pasted !== null, {
      queue,
      classify: host.classify,
      split: options.split,
      encoding: options.encoding,
      refused: source.refused ?? [],
      exportStore: store.path,
      isStopped: interruption.isRequested,
      onFile: ({ files, bytes }) => bar.update(files, fileSize(bytes)),
      ...(canAsk ? { askEncoding: encodingAsker(terminalDialog, bar.end) } : {}),
    });
    new Learner(queue.database).refresh();
    keepTargetFiles(queue, readLayout(queue.root));
    bar.end();
    printScan(host, options, totals, readRoutingSummary(queue.database));
    return exitCodeOf(totals);
  } finally {
    bar.end();
    interruption.end();
    source.drop?.();
    store.drop();
    queue.close();
  }
}

/** About how many files a scan reads, for the time left; null for a single file or pasted text. */
function countNotes(source: string | null): number | null {
  if (source === null || statSync(source, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  try {
    return readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.(?:md|markdown|mdc|txt)$/i.test(name) && !/(?:^|[\\/])\./.test(name),
    ).length;
  } catch {
    return null;
  }
}

function exitCodeOf({ stopped, listed }: ScanTotals): number {
  if (stopped) return exitCodes.stopped;
  if (listed.some(({ status }) => notRead.includes(status))) return exitCodes.failed;
  return listed.some(({ status }) => status === 'encoding unclear') ? exitCodes.waiting : exitCodes.done;
}

async function readPasted(host: Host): Promise<Buffer> {
  if (host.stdin.isTTY) host.stderr.write('Paste your text, then press Ctrl-D.\n');
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of host.stdin as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > pastedBytesMax) throw new UsageError('the input exceeds 256 MB; save it to files first');
  }
  return Buffer.concat(pieces);
}

/** A source that is scanned, and how its temporary copy is removed. */
interface OpenSource {
  readonly path: string;
  readonly refused?: readonly RefusedEntry[];
  readonly drop?: () => void;
}

/** Archives and exports are unpacked beside the queue: attachments are copied from there. A dry run removes them. */
function openStore({ folder }: QueueHandle): { readonly path: string; readonly drop: () => void } {
  if (folder !== null) return { path: join(realpathSync(folder), 'unpacked'), drop: () => undefined };
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'daybook-migrate-')));
  return { path, drop: () => rmSync(path, { recursive: true, force: true }) };
}

/** Pasted text has no other copy, so it is stored with the queue; a dry run stores nothing. */
function keepPasted(queue: QueueHandle, bytes: Buffer): OpenSource {
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.md`;
  if (queue.folder === null) {
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
      root: options.root,
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
    ...versionLines(totals),
    `Knowledge base: ${options.root}`,
    '',
    routingTable(summary, paint),
    ...accountLines(totals.listed, paint),
  ];
  lines.push(...remainderLines(totals));
  lines.push('');
  if (totals.stopped) lines.push('Stopped. Progress is saved. Run the same scan to continue.');
  else if (options.dryRun) lines.push('Dry run: nothing was saved.');
  else lines.push(`Next: ${paint('bold', 'daybook-migrate approve')}`);
  host.stdout.write(`${lines.join('\n')}\n`);
}

/** Front matter is in no chunk, but is written with its note. */
function remainderLines(totals: ScanTotals): readonly string[] {
  const { frontMatter, frontMatterBytes, remainders, remainderBytes } = totals;
  const others = remainders - frontMatter;
  const lines: string[] = [];
  if (frontMatter > 0)
    lines.push(
      `Properties: ${plural(frontMatter, 'note')} (${fileSize(frontMatterBytes)}), written with each`,
    );
  if (others > 0)
    lines.push(
      `Not in a chunk, but listed: ${plural(others, 'piece')} (${fileSize(remainderBytes - frontMatterBytes)}; such as blank and binary files)`,
    );
  return lines.length === 0 ? [] : ['', ...lines];
}

function versionLines({ replaced, changedSinceCommit }: ScanTotals): readonly string[] {
  const lines: string[] = [];
  const pending = replaced - Math.min(replaced, changedSinceCommit);
  if (pending > 0)
    lines.push(`Edited since the last scan: ${plural(pending, 'chunk')}, replaced in the queue`);
  if (changedSinceCommit > 0)
    lines.push(
      `Edited since they were committed: ${plural(changedSinceCommit, 'chunk')}; run approve to see the changes`,
    );
  return lines;
}
