import { fileURLToPath } from 'node:url';

import { startCluster } from '@daybook/local-postgres';

import { generateDatabaseTypes } from '../apps/server/test/database-types.ts';

// Regenerates the table types from an empty, migrated database.
const cluster = await startCluster();
try {
  const outFile = fileURLToPath(
    new URL('../apps/server/src/foundation/database/generated/database-types.ts', import.meta.url),
  );
  await generateDatabaseTypes(cluster.url, outFile);
  console.log(`wrote ${outFile}`);
} finally {
  await cluster.remove();
}
