import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Third-party material that the repository does not contain, beside its root. CONTRIBUTING.md describes each set. */
const dataFolder = '../shared/data';

export function dataPath(root: string, dataSet: string): string {
  return join(root, dataFolder, dataSet);
}

/** Which of these data sets a machine lacks and where they belong; null where it has all of them. */
export function describeMissingData(root: string, dataSets: readonly string[]): string | null {
  const missing = dataSets.filter((dataSet) => !existsSync(dataPath(root, dataSet)));
  if (missing.length === 0) return null;
  return missing.map((dataSet) => `data set ${dataSet} (put it at ${dataFolder}/${dataSet})`).join(', ');
}

/** A machine with the folder is expected to have every set; one without it has none. */
export function hasDataFolder(root: string): boolean {
  return existsSync(join(root, dataFolder));
}
