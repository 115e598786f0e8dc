export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly run: (rest: readonly string[]) => Promise<void>;
}
