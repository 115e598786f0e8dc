import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Suite, SuiteContext } from '@daybook/evidence';

import type { ReadingReport } from '../processes/feed-reader.ts';

/** Garbage is only collected early where the heap is bounded; the documents need far less. */
const heapMegabytes = 320;

export const suite: Suite = {
  name: 'feeds',
  summary:
    'Real, broken and hostile feed documents are parsed without a crash, in bounded time and memory, as other feed readers expect.',
  promise:
    'The documents come from eleven test suites of feed readers; more documents are built to be expensive: nested entities, endless elements and attributes, white space. The parser reads each in bounded time and memory and never crashes. Title, link, id, date and content equal what the test suites of feedparser and gofeed expect; text is compared, not markup. Assertions about other fields are not counted; assertions about these five that do not apply are listed with the reason.',
  dataSets: ['feeds'],
  run: async (context) => {
    const reader = fileURLToPath(new URL('../processes/feed-reader.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [`--max-old-space-size=${heapMegabytes}`, reader, context.data('feeds'), context.quick ? '1' : '7.5'],
      { maxBuffer: 64 * 1024 * 1024 },
    );
    const report = JSON.parse(stdout) as ReadingReport;
    readingFigures(context, report);
    agreementFigures(context, report);
  },
};

function readingFigures({ figure, note }: SuiteContext, report: ReadingReport): void {
  figure({ name: 'documents', value: report.documents, unit: 'documents', goal: { atLeast: 5_700 } });
  figure({ name: 'of these feeds', value: report.feeds, unit: 'documents' });
  figure({ name: 'expensive documents', value: report.hostile, unit: 'documents' });
  figure({ name: 'crashes', value: report.crashed.length, unit: 'documents', goal: { exactly: 0 } });
  figure({
    name: 'slowest document, processor time',
    value: report.slowest.seconds,
    unit: 's',
    goal: { atMost: 2 },
  });
  figure({
    name: 'slowest expensive document, processor time',
    value: report.slowestHostile.seconds,
    unit: 's',
    goal: { atMost: 2 },
  });
  figure({ name: 'peak memory', value: report.memoryMegabytes, unit: 'MB', goal: { atMost: 512 } });
  note(`slowest: ${report.slowest.document}; made to cost much: ${report.slowestHostile.document}`);
  for (const document of report.crashed) note(`crash: ${document}`);
}

function agreementFigures({ figure, note }: SuiteContext, report: ReadingReport): void {
  const excluded = Object.values(report.exclusions).reduce((sum, count) => sum + count, 0);
  const share = (part: number, whole: number): number => (100 * part) / whole;
  figure({
    name: 'assertions that apply',
    value: report.assertions,
    unit: 'assertions',
    goal: { atLeast: 1_400 },
  });
  figure({
    name: 'of these met',
    value: share(report.agreed, report.assertions),
    unit: '%',
    goal: { atLeast: 97 },
  });
  for (const [field, [agreed, all]] of Object.entries(report.agreedByField))
    figure({ name: `met for ${field}, of ${all}`, value: agreed, unit: 'assertions' });
  figure({
    name: 'met by plain feedsmith',
    value: share(report.agreedByFeedsmith, report.assertions),
    unit: '%',
  });
  figure({
    name: 'excluded',
    value: share(excluded, report.assertions + excluded),
    unit: '% of the assertions on these fields',
    goal: { atMost: 10 },
  });
  for (const [reason, count] of Object.entries(report.exclusions))
    figure({ name: `excluded: ${reason}`, value: count, unit: 'assertions' });
  for (const { document, entry, field, expected } of report.disagreements)
    note(
      `differs: ${document}, ${entry === null ? 'feed' : `entry ${entry}`}, ${field}: ${JSON.stringify(expected.value).slice(0, 100)}`,
    );
}
