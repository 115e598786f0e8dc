import type { StorageDeps } from '../storage-deps.ts';
import { readClamdVersion } from './clamd-scanner.ts';
import { requeueScanned, saveScannerVersion } from './inspection-store.ts';

/** Of the upkeep, which calls it. */
const runsPerHour = 12;

/**
 * When the scanner has other signatures, stored content becomes due for another scan, a few at a time and the content
 * scanned longest ago first. Its present state remains until the new result.
 */
export async function rescanBlobs({
  database,
  clock,
  settings,
}: Pick<StorageDeps, 'database' | 'clock' | 'settings'>): Promise<number> {
  const { scanner, rescansPerHour } = settings;
  if (scanner === null || rescansPerHour === 0) return 0;
  const version = await readClamdVersion(scanner);
  const now = clock.now();
  const changedAt = await saveScannerVersion(database, version, now);
  return requeueScanned(database, { changedAt, now, rows: Math.ceil(rescansPerHour / runsPerHour) });
}
