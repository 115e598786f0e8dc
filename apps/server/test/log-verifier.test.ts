import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { bundleLogVerifier, bundleQuoteChecker, logVerifierFile, quoteCheckerFile } from './log-verifier.ts';

test('pages load the verifier of the present client; npm run log-verifier writes it', async () => {
  expect(readFileSync(logVerifierFile, 'utf8')).toBe(await bundleLogVerifier());
});

test('pages load the check of quotes of the present package; npm run log-verifier writes it', async () => {
  expect(readFileSync(quoteCheckerFile, 'utf8')).toBe(await bundleQuoteChecker());
});
