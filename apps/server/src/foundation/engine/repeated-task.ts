export interface RepeatedTask {
  /** No run starts after this; resolves when the last one has ended. */
  readonly stop: () => Promise<void>;
}

/** Runs at once and again `everyMs` after each run ended, so that runs never overlap. */
export function startRepeatedTask(options: {
  readonly everyMs: number;
  readonly run: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}): RepeatedTask {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const runOnce = async (): Promise<void> => {
    try {
      await options.run();
    } catch (error) {
      if (!stopped) options.onError(error);
    }
    if (!stopped) timer = setTimeout(begin, options.everyMs);
  };
  const begin = (): void => {
    running = runOnce();
  };
  begin();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
