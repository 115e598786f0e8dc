import { getDomain } from 'tldts';

/**
 * The registered domain, whose servers a request loads. Sites of a blog or page host count as that host, because its
 * servers answer for all of them.
 */
export function registrableDomain(url: URL): string {
  return getDomain(url.hostname, { allowPrivateDomains: false }) ?? url.hostname;
}
