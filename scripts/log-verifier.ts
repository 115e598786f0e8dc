import { writeFileSync } from 'node:fs';

import { bundleLogVerifier, logVerifierFile } from '../apps/server/test/log-verifier.ts';

// Writes the verifier of the public log for browsers, from the modules of @daybook/client.
writeFileSync(logVerifierFile, await bundleLogVerifier());
console.log('wrote apps/server/src/site/shell/scripts/generated/log-verifier.js');
