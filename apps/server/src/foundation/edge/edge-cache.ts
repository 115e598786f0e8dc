/** A shared cache that purges copies by tag. */
export interface EdgeCache {
  /** Its name in the purge queue, in the log and in metrics: stable across restarts. */
  readonly name: string;
  /** Resolves once no copy with one of these tags is served any more; rejects where that is not certain. */
  readonly purge: (tags: readonly string[], signal: AbortSignal) => Promise<void>;
}

const answerWithinMs = 5_000;

/** One request that must succeed. The quoted response is bounded and never contains the secret that was sent. */
export async function sendPurge(
  url: string,
  request: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  },
  signal: AbortSignal,
): Promise<string> {
  const { host } = new URL(url);
  const response = await fetch(url, {
    ...request,
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
  }).catch((error: unknown) => {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    throw new Error(`${host} does not answer: ${String(cause)}`, { cause });
  });
  const text = (await response.text()).slice(0, answerCharsMax);
  if (!response.ok) throw new Error(`${host} answered ${response.status}: ${text}`);
  return text;
}

const answerCharsMax = 2_000;

export function* chunksOf<Value>(values: readonly Value[], size: number): Generator<readonly Value[]> {
  for (let from = 0; from < values.length; from += size) yield values.slice(from, from + size);
}
