/** What a check found. `advice` says what the operator should do. */
export type Outcome =
  | { readonly state: 'passed'; readonly detail: string }
  | { readonly state: 'skipped'; readonly detail: string }
  | { readonly state: 'warning' | 'failed'; readonly detail: string; readonly advice: string };

export interface Check {
  readonly name: string;
  /** Ends when the signal aborts. */
  readonly run: (signal: AbortSignal) => Promise<Outcome>;
}

export type Finding = Outcome & { readonly name: string; readonly milliseconds: number };

export const passed = (detail: string): Outcome => ({ state: 'passed', detail });
export const skipped = (detail: string): Outcome => ({ state: 'skipped', detail });
export const warning = (detail: string, advice: string): Outcome => ({ state: 'warning', detail, advice });
export const failed = (detail: string, advice: string): Outcome => ({ state: 'failed', detail, advice });

/** The checks together take hardly longer than the slowest one. */
export function runChecks(checks: readonly Check[], boundMs: number): Promise<readonly Finding[]> {
  return Promise.all(checks.map((check) => runCheck(check, boundMs)));
}

/** A check that throws or takes too long has failed. */
export async function runCheck({ name, run }: Check, boundMs: number): Promise<Finding> {
  const started = performance.now();
  const ending = new AbortController();
  const { promise: late, resolve } = Promise.withResolvers<Outcome>();
  const timer = setTimeout(() => {
    resolve(
      failed(
        `no response within ${boundMs / 1000} seconds`,
        'Check that the host is right and that no firewall drops the connection.',
      ),
    );
    ending.abort();
  }, boundMs);
  const outcome = await Promise.race([run(ending.signal).catch(outcomeOfError), late]);
  clearTimeout(timer);
  return { name, ...outcome, milliseconds: Math.round(performance.now() - started) };
}

function outcomeOfError(error: unknown): Outcome {
  return failed(messageOf(error), 'Read the message above, and the log of the service that it names.');
}

const messageCharsMax = 500;

/** One line, without control characters: messages of other servers are printed in a terminal. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? innermost(error) : String(error);
  return text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, messageCharsMax);
}

/** `fetch` and connections to several addresses report the reason inside. */
function innermost(error: Error): string {
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error.cause];
  if (first instanceof Error) return innermost(first);
  return error.message === '' ? ((error as NodeJS.ErrnoException).code ?? error.name) : error.message;
}
