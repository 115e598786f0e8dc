/** The instructions for one process of the proof. Instants are wall-clock milliseconds. */
export interface LimitsDemand {
  readonly url: string;
  readonly name: string;
  readonly admittedMax: number;
  readonly windowMs: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly constantKeys: readonly string[];
  readonly edgeKeys: readonly string[];
  readonly opensWindows: boolean;
}

export interface AdmittedAnswer {
  readonly key: string;
  readonly sentMs: number;
  readonly receivedMs: number;
}

export interface LimitsReport {
  readonly admitted: AdmittedAnswer[];
  refused: number;
}

/** The most instants within any half-open span of this length. */
export function mostInAnySpan(instants: readonly number[], span: number): number {
  const sorted = [...instants].sort((left, right) => left - right);
  let most = 0;
  let first = 0;
  for (const [last, instant] of sorted.entries()) {
    while ((sorted[first] as number) <= instant - span) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

/**
 * Seen from the clients alone: an admission happened between its request and its response. Counts responses that,
 * with the `admittedMax` before them, must be within one window.
 */
export function answersTooClose(
  answers: readonly AdmittedAnswer[],
  admittedMax: number,
  windowMs: number,
): number {
  const sorted = [...answers].sort((left, right) => left.receivedMs - right.receivedMs);
  return sorted.filter((answer, last) => {
    const before = sorted.slice(Math.max(0, last - admittedMax), last);
    if (before.length < admittedMax) return false;
    return answer.receivedMs - Math.min(answer.sentMs, ...before.map((one) => one.sentMs)) < windowMs;
  }).length;
}
