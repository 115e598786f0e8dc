import type { Logger } from './logger.ts';

/** Runs `stop` once on SIGTERM or SIGINT, then exits; a second signal exits at once. */
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
  // The state of a process after an unhandled error is unknown: log it and exit.
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught error');
    process.exit(1);
  });
}

/** Ends a process with an IPC channel when its parent exits, so that none is left running. */
export function exitWithParent(): void {
  process.once('disconnect', () => process.exit(1));
}
