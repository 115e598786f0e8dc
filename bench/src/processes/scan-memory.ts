import { classifyNote, openQueue, scanSource } from 'daybook-migrate';

// Scans one source into one root and prints its cost: a separate process, because memory is counted per process.
const [source = '', root = ''] = process.argv.slice(2);
const started = performance.now();
const queue = openQueue(root);
const totals = await scanSource(source, false, {
  queue,
  classify: classifyNote,
  onFile: () => undefined,
});
queue.close();
const peakMb = process.resourceUsage().maxRSS / 1024;
const seconds = (performance.now() - started) / 1000;
console.log(JSON.stringify({ files: totals.files, chunks: totals.chunks, peakMb, seconds }));
