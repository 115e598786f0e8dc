import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { bundleLogVerifier, logVerifierFile } from './log-verifier.ts';

test('pages load the verifier of the present client; npm run log-verifier writes it', async () => {
  expect(readFileSync(logVerifierFile, 'utf8')).toBe(await bundleLogVerifier());
});
