import { parseArgs } from 'node:util';

import type { Finding } from '../wiring/doctor/check.ts';
import { examineInstallation } from '../wiring/doctor/doctor.ts';
import type { Command } from './command-line.ts';
import { printResult } from './command-line.ts';

const marks = { passed: '✓', skipped: '–', warning: '!', failed: '✗' } as const;

export const run: Command['run'] = async (rest) => {
  const { values } = parseArgs({ args: [...rest], options: { json: { type: 'boolean', default: false } } });
  const checks = await examineInstallation(process.env);
  const ok = checks.every(({ state }) => state !== 'failed');
  printResult(values.json, { ok, checks }, [...checks.flatMap(linesOf), '', summaryOf(checks)]);
  if (!ok) process.exitCode = 1;
};

function linesOf(finding: Finding): readonly string[] {
  const { name, state, detail } = finding;
  const advice = 'advice' in finding ? [`    → ${finding.advice}`] : [];
  return [`${marks[state]} ${name}: ${detail}`, ...advice];
}

function summaryOf(checks: readonly Finding[]): string {
  const count = (state: Finding['state']): number => checks.filter((one) => one.state === state).length;
  const [failures, warnings] = [count('failed'), count('warning')];
  if (failures + warnings === 0) return 'All checks passed.';
  return `${failures} failed, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`;
}
