import type { EngineDeclarations } from '../foundation/engine/engine-declarations.ts';
import { createErrorReportSweep } from './error-reports/report-error.ts';
import { removeOldMailing } from './mailing-housekeeping-store.ts';
import type { MailSweepDeps } from './send-mail-sweep.ts';
import { createMailSweep } from './send-mail-sweep.ts';

/** The background work that sends mail to readers and editors. */
export function mailingWork({
  editorsEmail = '',
  ...deps
}: MailSweepDeps & {
  /** Empty if error reports are disabled. */
  readonly editorsEmail?: string;
}): EngineDeclarations {
  const errorReports = editorsEmail === '' ? [] : [createErrorReportSweep({ ...deps, editorsEmail })];
  return {
    sweeps: [createMailSweep(deps), ...errorReports],
    recurringTasks: [
      {
        name: 'mailing-housekeeping',
        every: 'day',
        run: (context) => context.step('remove', () => removeOldMailing(deps.database, deps.clock.now())),
      },
    ],
  };
}
