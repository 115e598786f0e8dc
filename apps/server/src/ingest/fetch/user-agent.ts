/** The user agent of Daybook in robots.txt. */
export const productToken = 'Daybook';

/** The User-Agent header, with a page on which publishers can read about the crawler and how to block it. */
export function userAgent(version: string, pageUrl: string): string {
  return `${productToken}/${version} (+${pageUrl})`;
}
