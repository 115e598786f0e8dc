import type { SuiteRun } from './suite-run.ts';
import { runSuite } from './suite.ts';
import type { Suite } from './suite.ts';

// One suite in a process of its own, so that two can run at once. What it finds goes to the parent as messages.
const run = JSON.parse(process.argv[2] ?? '') as SuiteRun;
const send = (message: unknown): void => void process.send?.(message);
const { suite } = (await import(run.file)) as { suite: Suite };
const { notRun, skipped } = await runSuite(suite, {
  ...run,
  onFigure: (figure) => send({ figure }),
  onNote: (note) => send({ note }),
});
// Messages go out in order: with the last one all have. What a suite may have left open does not keep the others waiting.
const { promise: told, resolve } = Promise.withResolvers<void>();
process.send?.({ notRun, skipped }, undefined, undefined, () => resolve());
await told;
process.exit();
