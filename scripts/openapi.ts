import { writeFile } from 'node:fs/promises';

import { writeDescription } from '../apps/server/test/openapi-description.ts';

// Writes the committed copy of the description anew from the declared routes.
const file = new URL('../docs/openapi-v1.json', import.meta.url);
await writeFile(file, writeDescription());
console.log('wrote docs/openapi-v1.json');
