import type { LoginHost } from '@daybook/login';

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
  'Exit codes: 0 success, 1 server unreachable or request refused, 2 usage error, 3 not found, 4 mirror differs';

/** An error message for the person at the terminal, and the exit code for scripts. */
export class CliError extends Error {
  readonly code: number;

  constructor(code: keyof typeof exitCodes, message: string) {
    super(message);
    this.code = exitCodes[code];
  }
}
