import { migrate } from '../foundation/database/migrate.ts';
import type { Migration } from '../foundation/database/migration-files.ts';
import { readMigrations } from '../foundation/database/migration-files.ts';
import { migrateEngine } from '../foundation/engine/engine-schema.ts';
import type { Logger } from '../foundation/logger.ts';

/** Migrates Daybook's tables and the engine's, as the owner. */
export async function migrateDatabase(ownerUrl: string, logger: Logger): Promise<readonly Migration[]> {
  const applied = await migrate(ownerUrl, await readMigrations());
  await migrateEngine(ownerUrl, logger);
  return applied;
}
