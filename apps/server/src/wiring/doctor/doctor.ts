import packageFile from '../../../package.json' with { type: 'json' };
import type { Check, Finding } from './check.ts';
import { passed, runCheck, runChecks } from './check.ts';
import { databaseChecks } from './database-checks.ts';
import { edgeCheck } from './edge-check.ts';
import { secretCheck } from './secret-check.ts';
import { serviceChecks } from './service-checks.ts';
import { checkSettings } from './settings-check.ts';
import { workerChecks } from './worker-checks.ts';

/** Shorter than any timer of the parts, so that every check ends in time. */
const boundMs = 10_000;

/** Checks an installation from the outside in: settings, database, secrets, services, edge. Changes nothing. */
export async function examineInstallation(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly Finding[]> {
  const { outcome, config } = checkSettings(environment);
  const first: readonly Check[] = [
    {
      name: 'program',
      run: async () => passed(`Daybook ${packageFile.version} on Node ${process.versions.node}`),
    },
    { name: 'settings', run: async () => outcome },
  ];
  const findings = [];
  for (const check of first) findings.push(await runCheck(check, boundMs));
  if (config === null) return findings;
  const checks = [
    ...databaseChecks(config),
    secretCheck(config),
    ...serviceChecks(config),
    ...workerChecks(config),
    edgeCheck(config),
  ];
  return [...findings, ...(await runChecks(checks, boundMs))];
}
