import type { Source, SourceDesk } from '../../ingest/index.ts';
import type { SourcesInput } from './sources-input.ts';
import { tableOf } from './sources-input.ts';

/** Polls the sources: prints a line for each result as it arrives and a table at the end. */
export async function pollWithProgress(
  desk: SourceDesk,
  { values, print }: SourcesInput,
  sources: readonly Source[],
): Promise<void> {
  const rows: string[][] = [];
  const found: object[] = [];
  let answered = 0;
  await desk.poll(sources, (source, report) => {
    if (report.isAnswered) answered += 1;
    const { outcome, inFeed, landed, revised } = report;
    rows.push([
      report.isAnswered ? '✓' : '✗',
      source.name,
      outcome,
      `${inFeed} listed`,
      `${landed} new`,
      `${revised} edited`,
    ]);
    found.push({ id: source.id, name: source.name, feedUrl: source.feedUrl, ...report });
    if (sources.length > 1 && values.json !== true)
      process.stderr.write(`${rows.length}/${sources.length} ${source.name}: ${outcome}\n`);
  });
  if (values.json === true) {
    print(JSON.stringify(found));
    return;
  }
  if (rows.length > 0) print(tableOf(rows.toSorted(([one = ''], [other = '']) => one.localeCompare(other))));
  print(`\n${answered} of ${sources.length} answered`);
}
