import type { Logger } from './logger.ts';

/** Runs `stop` once on SIGTERM or SIGINT, then ends; a second signal ends at once. */
export function stopOnSignal(logger: Logger, stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, 'stopping');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.fatal({ err: error }, 'could not stop in good order');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  // Nothing sensible can be said about the state of a process that missed an error: say so and start anew.
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'an error that nobody caught');
    process.exit(1);
  });
}

/** Ends a process that was started with a channel to its parent when the parent is gone, so that none is left behind. */
export function exitWithParent(): void {
  process.once('disconnect', () => process.exit(1));
}
