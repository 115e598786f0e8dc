import { readFileSync, writeFileSync } from 'node:fs';

import { withSharedPaths } from '../apps/server/test/deployment/shared-paths.ts';
import { declaredRoutes } from '../apps/server/test/openapi-description.ts';

// Writes the addresses that shared caches may store into the nginx template, from the declared routes.
const file = new URL('../deploy/nginx.conf.template', import.meta.url);
writeFileSync(file, withSharedPaths(readFileSync(file, 'utf8'), await declaredRoutes()));
console.log('wrote deploy/nginx.conf.template');
