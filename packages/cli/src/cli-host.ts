import type { LoginHost } from '@daybook/login';
import { LoginUsageError } from '@daybook/login';

import type { Screen } from './terminal-text.ts';

/** The system functions that the commands use. */
export interface CliHost extends LoginHost {
  readonly screen: Screen;
  /** Long text, through a pager where a person reads at a terminal. */
  readonly page: (lines: readonly string[]) => void;
  /** Standard error: progress and the source of the data. */
  readonly say: (line: string) => void;
  readonly fetch: typeof fetch;
}

export const exitCodes = { done: 0, failed: 1, usage: 2, notFound: 3, different: 4 } as const;
export const exitCodeHelp =
  'Exit codes: 0 success, 1 server unreachable or request refused, 2 usage error or invalid value, 3 not found, 4 mirror or proof differs';

/** An error as `--json` prints it: the server's problem, or the code and detail of one of this program. */
export interface CliProblem {
  readonly code: string;
  readonly detail: string;
}

const problemCodes: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  failed: 'failed',
  usage: 'invalid_usage',
  notFound: 'not_found',
  different: 'mirror_differs',
};

/** An error message for the person at the terminal, and the exit code for scripts. */
export class CliError extends Error {
  readonly code: number;
  readonly problem: CliProblem;

  constructor(code: keyof typeof exitCodes, message: string, problem?: CliProblem) {
    super(message);
    this.code = exitCodes[code];
    this.problem = problem ?? { code: problemCodes[code], detail: message };
  }
}

/** Prints an error, as one JSON document where `--json` is given, and returns the exit code. */
export function reportFailure(error: unknown, args: readonly string[], host: CliHost): number {
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : null;
  const failure =
    error instanceof CliError
      ? error
      : new CliError(error instanceof LoginUsageError ? 'usage' : 'failed', message);
  if (args.includes('--json')) {
    host.print(JSON.stringify({ error: { ...failure.problem, ...(cause === null ? {} : { cause }) } }));
    return failure.code;
  }
  host.say(message);
  if (cause !== null) host.say(`  ${cause}`);
  return failure.code;
}

interface Refused {
  readonly ok: false;
  readonly status: number;
  readonly problem: CliProblem;
}

/** The body of the response, or the server's problem with its exit code. */
export function required<T>(answer: { readonly ok: true; readonly data: T } | Refused): T {
  if (answer.ok) return answer.data;
  throw refused(answer.status, answer.problem);
}

export function refused(status: number, problem: CliProblem): CliError {
  if (problem.code === 'unreachable')
    return new CliError(
      'failed',
      `no response from the server: ${problem.detail} (unreachable). Start it, or set its address with --url or DAYBOOK_URL`,
      problem,
    );
  const isMissing = status === 404 || status === 410;
  return new CliError(
    isMissing ? 'notFound' : status === 400 ? 'usage' : 'failed',
    `${problem.detail.replace(/\.$/, '')} (${problem.code})`,
    problem,
  );
}
