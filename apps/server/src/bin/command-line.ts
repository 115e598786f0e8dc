export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** Each action with its arguments and what it does, for `--help`; absent: the command prints its own help. */
  readonly actions?: Readonly<Record<string, string>>;
  readonly run: (rest: readonly string[]) => Promise<void>;
}

/** The help of a command, for an installation without any setting. */
export function helpOf({ name, usage, summary, actions = {} }: Command): string {
  const lines = Object.entries(actions).map(([words, effect]) => `  ${name} ${words}\n      ${effect}`);
  return [
    `daybook ${usage}`,
    '',
    lines.length === 0 ? summary : lines.join('\n'),
    '',
    'Configured through environment variables: see docs/guides/configuration.md',
  ].join('\n');
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

/** A step of a long command, as it ends. */
export function printStep({
  name,
  ok,
  lines: [first = '', ...rest],
}: {
  readonly name: string;
  readonly ok: boolean;
  readonly lines: readonly string[];
}): void {
  console.log(`${ok ? '✓' : '✗'} ${name}: ${first}`);
  for (const line of rest) console.log(`    ${line}`);
}
