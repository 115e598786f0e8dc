import type { SuiteRun } from './suite-run.ts';
import { runSuite } from './suite.ts';
import type { Suite } from './suite.ts';

// One suite in its own process, so that two can run at once. It sends its results to the parent as messages.
const run = JSON.parse(process.argv[2] ?? '') as SuiteRun;
const send = (message: unknown): void => void process.send?.(message);
const { suite } = (await import(run.file)) as { suite: Suite };
const { notRun, skipped } = await runSuite(suite, {
  ...run,
  onFigure: (figure) => send({ figure }),
  onNote: (note) => send({ note }),
});
// Messages are sent in order: after the last one all are sent. Handles that a suite left open do not delay the others.
const { promise: started, resolve } = Promise.withResolvers<void>();
process.send?.({ notRun, skipped }, undefined, undefined, () => resolve());
await started;
process.exit();
