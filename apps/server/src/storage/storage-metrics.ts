import type { Registry } from 'prom-client';

import type { Database } from '../foundation/database/database.ts';
import { registerGauges } from '../foundation/metrics/gauges.ts';
import { countUnreadContents } from './derived/derivation-store.ts';
import { readStoredBytes } from './files/quota-store.ts';
import { countDueInspections } from './inspection/inspection-store.ts';

/** `quotaBytes`: of an organization without one of its own. */
export function registerStorageMetrics(registry: Registry, database: Database, quotaBytes: number): void {
  registerGauges(
    registry,
    {
      daybook_storage_uninspected: { help: 'Stored contents whose inspection is due.' },
      daybook_storage_unread: { help: 'Scanned contents whose text has not been read for search.' },
    },
    async () => ({
      daybook_storage_uninspected: await countDueInspections(database),
      daybook_storage_unread: await countUnreadContents(database),
    }),
  );
  registerGauges(
    registry,
    {
      daybook_storage_bytes: { help: 'Bytes of files of all organizations.', label: 'state' },
      daybook_storage_nearly_full: { help: 'Organizations that use more than 90 % of their quota.' },
    },
    async () => {
      const { used, reserved, nearlyFull } = await readStoredBytes(database, quotaBytes);
      return {
        daybook_storage_bytes: new Map([
          ['used', used],
          ['reserved', reserved],
        ]),
        daybook_storage_nearly_full: nearlyFull,
      };
    },
  );
}
