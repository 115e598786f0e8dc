import type { ChildProcess } from 'node:child_process';

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly restartsInMs: number;
}

export interface SupervisedProcessOptions {
  /** In a process group of its own (`detached`), so that Ctrl-C in a terminal reaches only whoever supervises it. */
  readonly start: () => ChildProcess;
  /** It ended by itself and will be started again. */
  readonly onExit: (exit: ProcessExit) => void;
  /** The first wait before it is started again; each further one is twice as long, up to `delayMsMax`. */
  readonly delayMs?: number;
  readonly delayMsMax?: number;
  /** A process that has run for this long is sound: the waits begin anew. */
  readonly soundAfterMs?: number;
  /** How long it may take to end on SIGTERM before it is killed. */
  readonly endWithinMs?: number;
}

export interface SupervisedProcess {
  /** Ends it and starts it again without a wait. */
  readonly restart: () => void;
  /** Ends it for good. */
  readonly stop: () => Promise<void>;
}

/** Keeps a child process running: one that ends, for whatever reason, is started again. */
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
    // `close` comes after `error` as well, where it could not even be started.
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
