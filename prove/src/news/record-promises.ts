import type { SuiteContext } from '@daybook/evidence';

import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { verifyRecord } from '../../../apps/server/src/record/wiring.ts';

/** What `daybook record verify` would find, as a figure of the suite. */
export async function countBrokenPromises(
  context: SuiteContext,
  database: Database,
  now: EpochMicroseconds,
): Promise<void> {
  const findings = await verifyRecord(database, now);
  const broken = findings.filter(({ offenders }) => offenders.length > 0);
  for (const { name, offenders } of broken) context.note(`${name}: ${offenders.slice(0, 3).join(', ')}`);
  context.figure({
    name: 'faults found by record verify',
    value: broken.length,
    unit: 'promises',
    goal: { exactly: 0 },
  });
}
