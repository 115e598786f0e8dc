/** What a check looked for, and what does not keep the promise. */
export interface Finding {
  readonly name: string;
  readonly promise: string;
  readonly offenders: readonly string[];
}

/** Prints every promise; the exit code says whether all are kept. */
export function reportFindings(findings: readonly Finding[]): void {
  for (const { name, promise, offenders } of findings) {
    console.log(`${offenders.length === 0 ? '✓' : '✗'} ${name}: ${promise}`);
    for (const offender of offenders) console.log(`    ${offender}`);
  }
  if (findings.some(({ offenders }) => offenders.length > 0)) process.exitCode = 1;
}
