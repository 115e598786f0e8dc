import { fileURLToPath } from 'node:url';

import { bundleModule } from '../../../packages/bundle/src/index.ts';

const scripts = new URL('../src/site/shell/scripts/', import.meta.url);
export const logVerifierFile = new URL('generated/log-verifier.js', scripts);

export const quoteCheckerFile = new URL('generated/quote-checker.js', scripts);

/** The check of quotes that pages load, from the modules of `@daybook/grounding`. */
export function bundleQuoteChecker(): Promise<string> {
  return bundleModule(fileURLToPath(new URL('../../../packages/grounding/src/quotes.ts', import.meta.url)));
}

/** The verifier that pages load, from the modules of `@daybook/client`. */
export function bundleLogVerifier(): Promise<string> {
  return bundleModule(fileURLToPath(new URL('../../../packages/client/src/log/browser.ts', import.meta.url)));
}
