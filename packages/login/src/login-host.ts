/** The system functions that the commands use. */
export interface LoginHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly nowMs: () => number;
  /** How long a request to the server may take; by default 15 s. */
  readonly requestTimeoutMs?: number;
  readonly print: (line: string) => void;
  /** Resolves whether a browser took the address. */
  readonly openBrowser: (address: string) => Promise<boolean>;
}

/** An error message for the person at the terminal. */
export class LoginError extends Error {
  override readonly name = 'LoginError';
}

/** The command line is wrong; the message says what to write. */
export class LoginUsageError extends LoginError {}

/** No session exists, or it has ended. */
export class SignedOutError extends LoginError {}

export function sessionEnded(server: string): SignedOutError {
  return new SignedOutError(`your session at ${server} has ended; sign in again: daybook login`);
}
