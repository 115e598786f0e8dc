/** The system functions that the client uses; each can be replaced. */
export interface ClientWorld {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly now: () => number;
  /** Resolves after so many milliseconds, or rejects when the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Between 0 and 1, for jitter. */
  readonly random: () => number;
}

export const systemWorld: ClientWorld = {
  fetch: (url, init) => globalThis.fetch(url, init),
  // oxlint-disable-next-line no-restricted-globals -- the one clock of the client
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, milliseconds);
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      signal?.addEventListener('abort', stop, { once: true });
    }),
};
