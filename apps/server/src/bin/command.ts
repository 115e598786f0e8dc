export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly run: (rest: readonly string[]) => Promise<void>;
}

/** The words after a command are not ones it knows; its usage is printed. */
export class UsageError extends Error {}
