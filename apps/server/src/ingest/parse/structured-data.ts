import type { Page } from './html-page.ts';

const scriptsMax = 20;
const dataCharsMax = 400_000;

/** The JSON-LD values of a page. A script that is not JSON counts as none. */
export function structuredData(page: Page): unknown[] {
  return [...page.querySelectorAll('script[type="application/ld+json"]')]
    .slice(0, scriptsMax)
    .filter(({ textContent }) => textContent.length <= dataCharsMax)
    .map(({ textContent }) => {
      try {
        return JSON.parse(textContent) as unknown;
      } catch {
        return null;
      }
    });
}
