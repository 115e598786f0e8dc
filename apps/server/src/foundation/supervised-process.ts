import type { ChildProcess } from 'node:child_process';

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly restartsInMs: number;
}

export interface SupervisedProcessOptions {
  /** In its own process group (`detached`), so that Ctrl-C in a terminal reaches only the supervisor. */
  readonly start: () => ChildProcess;
  /** It exited by itself and will be restarted. */
  readonly onExit: (exit: ProcessExit) => void;
  /** The first delay before a restart; each further one is twice as long, up to `delayMsMax`. */
  readonly delayMs?: number;
  readonly delayMsMax?: number;
  /** After this run time a process counts as healthy: the delays start again. */
  readonly soundAfterMs?: number;
  /** Time to exit on SIGTERM before it is killed. */
  readonly endWithinMs?: number;
}

export interface SupervisedProcess {
  /** Stops it and restarts it without a delay. */
  readonly restart: () => void;
  /** Stops it permanently. */
  readonly stop: () => Promise<void>;
}

/** Supervises a child process: restarts it whenever it exits. */
export function superviseProcess(options: SupervisedProcessOptions): SupervisedProcess {
  const { delayMs = 500, delayMsMax = 10_000, soundAfterMs = 10_000, endWithinMs = 60_000 } = options;
  let child: ChildProcess;
  let nextDelayMs = delayMs;
  let timer: NodeJS.Timeout | undefined;
  let wanted: 'running' | 'restarted' | 'stopped' = 'running';
  const stopped = Promise.withResolvers<void>();

  const end = (): void => {
    const ending = child;
    ending.kill('SIGTERM');
    setTimeout(() => ending.kill('SIGKILL'), endWithinMs).unref();
  };
  const launch = (): void => {
    timer = undefined;
    wanted = 'running';
    const startedAt = performance.now();
    child = options.start();
    child.once('error', () => {});
    // `close` follows `error` as well, when it could not be started.
    child.once('close', (code, signal) => {
      if (wanted === 'stopped') stopped.resolve();
      else if (wanted === 'restarted') launch();
      else {
        if (performance.now() - startedAt >= soundAfterMs) nextDelayMs = delayMs;
        options.onExit({ code, signal, restartsInMs: nextDelayMs });
        timer = setTimeout(launch, nextDelayMs);
        nextDelayMs = Math.min(nextDelayMs * 2, delayMsMax);
      }
    });
  };
  launch();
  return {
    restart: () => {
      if (wanted !== 'running') return;
      nextDelayMs = delayMs;
      if (timer !== undefined) {
        clearTimeout(timer);
        launch();
        return;
      }
      wanted = 'restarted';
      end();
    },
    stop: () => {
      wanted = 'stopped';
      if (timer !== undefined) stopped.resolve();
      else end();
      clearTimeout(timer);
      return stopped.promise;
    },
  };
}
