/** What publishers name in robots.txt to speak to us. */
export const productToken = 'Daybook';

/** Who asks, and where a publisher can read why and how to stop it. */
export function userAgent(version: string, pageUrl: string): string {
  return `${productToken}/${version} (+${pageUrl})`;
}
