export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly run: (rest: readonly string[]) => Promise<void>;
}

/** The arguments of a command are unknown or missing; the command prints its usage. */
export class UsageError extends Error {}

/** A consistency check, the promise it checks and the violations it found. */
interface Finding {
  readonly name: string;
  readonly promise: string;
  readonly offenders: readonly string[];
}

/** Prints every check; the exit code says whether all passed. */
export function reportFindings(findings: readonly Finding[]): void {
  for (const { name, promise, offenders } of findings) {
    console.log(`${offenders.length === 0 ? '✓' : '✗'} ${name}: ${promise}`);
    for (const offender of offenders) console.log(`    ${offender}`);
  }
  if (findings.some(({ offenders }) => offenders.length > 0)) process.exitCode = 1;
}

/** A result as JSON for programs, or as lines for people. */
export function printResult(json: boolean, value: unknown, lines: readonly string[]): void {
  console.log(json ? JSON.stringify(value) : lines.join('\n'));
}
