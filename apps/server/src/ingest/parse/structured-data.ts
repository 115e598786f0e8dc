import type { Page } from './html-page.ts';
import { parseJson } from './parse-json.ts';

const scriptsMax = 20;
const dataCharsMax = 400_000;

/** The JSON-LD values of a page. A script that is not JSON counts as none. */
export function structuredData(page: Page): unknown[] {
  return [...page.querySelectorAll('script[type="application/ld+json"]')]
    .slice(0, scriptsMax)
    .filter(({ textContent }) => textContent.length <= dataCharsMax)
    .map(({ textContent }) => parseJson(textContent) ?? null);
}
