import { writeFileSync } from 'node:fs';

import {
  bundleLogVerifier,
  bundleQuoteChecker,
  logVerifierFile,
  quoteCheckerFile,
} from '../apps/server/test/log-verifier.ts';

// Writes the programs that pages load: the verifier of the public log, from the modules of @daybook/client, and the check of
// quotes, from those of @daybook/grounding.
writeFileSync(logVerifierFile, await bundleLogVerifier());
writeFileSync(quoteCheckerFile, await bundleQuoteChecker());
console.log('wrote apps/server/src/site/shell/scripts/generated/{log-verifier,quote-checker}.js');
