import { writeFile } from 'node:fs/promises';

import {
  writeAccountsDescription,
  writeDescription,
  writePlatformDescription,
  writeStorageDescription,
  writeWatchDescription,
} from '../apps/server/test/openapi-description.ts';

// Regenerates the committed copies of the descriptions from the declared routes.
const descriptions = {
  'openapi-v1.json': writeDescription(),
  'openapi-accounts.json': await writeAccountsDescription(),
  'openapi-platform.json': await writePlatformDescription(),
  'openapi-storage.json': await writeStorageDescription(),
  'openapi-watch.json': await writeWatchDescription(),
};
for (const [name, text] of Object.entries(descriptions)) {
  await writeFile(new URL(`../docs/${name}`, import.meta.url), text);
  console.log(`wrote docs/${name}`);
}
